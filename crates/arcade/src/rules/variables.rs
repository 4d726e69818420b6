//! The memory that rules read, and the variables that they keep.

use thiserror::Error;

/// The index of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(pub(super) u8);

/// The memory that rules read.
pub trait ReadRam {
    /// A byte of the console's 128 bytes of RAM. The low seven bits of `address` count: programs see the RAM from 0x80 on.
    fn ram(&self, address: u8) -> u8;
    /// A byte of the cartridge's 128 bytes of RAM, `index` from 0 to 0x7F; 0 where there is none.
    fn cart_ram(&self, index: u8) -> u8;
}

/// Values that rules keep from frame to frame, at most [`Variables::LIMIT`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variables {
    values: [i64; Self::LIMIT],
    used: u8,
}

/// Values that do not fit the variables of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the game has {expected} variables, {given} values given")]
pub struct WrongVariableCount {
    /// How many variables the game has.
    pub expected: usize,
    /// How many values were given.
    pub given: usize,
}

impl Variables {
    /// The most variables that the rules of a game can have.
    pub const LIMIT: usize = 32;

    pub(super) fn new(used: usize) -> Self {
        Self {
            values: [0; Self::LIMIT],
            used: used as u8,
        }
    }

    /// The values, to save them. Their order is fixed for a given text of rules.
    pub fn as_slice(&self) -> &[i64] {
        &self.values[..self.used as usize]
    }

    /// Takes over values that [`as_slice`](Self::as_slice) gave.
    ///
    /// # Errors
    ///
    /// [`WrongVariableCount`] if they are of another game; nothing is changed then.
    pub fn restore(&mut self, values: &[i64]) -> Result<(), WrongVariableCount> {
        let used = self.used as usize;
        if values.len() != used {
            return Err(WrongVariableCount {
                expected: used,
                given: values.len(),
            });
        }
        self.values[..used].copy_from_slice(values);
        Ok(())
    }

    #[inline]
    pub(super) fn get(&self, slot: Slot) -> i64 {
        self.values[slot.0 as usize % Self::LIMIT]
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, value: i64) {
        self.values[slot.0 as usize % Self::LIMIT] = value;
    }
}
