//! The log: the TIA writes of a frame with their colour clocks, to be played to a beam.

use std::ops::Range;

/// Writes that a log holds. A frame with more of them is drawn in parts.
pub(crate) const CAPACITY: usize = 2048;
/// The bits of an entry at which its register and its clock begin. The value is in the lowest bits.
pub(crate) const REGISTER_SHIFT: u32 = 8;
pub(crate) const CLOCK_SHIFT: u32 = 14;
/// An entry's clock is less than this after the log's base.
const REACH: i32 = 1 << 18;

/// One logged write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) clock: i32,
    pub(crate) register: u8,
    pub(crate) value: u8,
}

/// A list of writes, packed into 32 bits each: clock since the base (18), register (6), value (8).
///
/// Compiled code appends to it directly.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    pub(crate) entries: Box<[u32; CAPACITY]>,
    pub(crate) len: u32,
    pub(crate) base: i32,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self {
            entries: Box::new([0; CAPACITY]),
            len: 0,
            base: 0,
        }
    }

    pub(crate) fn clear(&mut self, base: i32) {
        self.len = 0;
        self.base = base;
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether an entry can hold the clock `clock`.
    pub(crate) fn reaches(&self, clock: i32) -> bool {
        (0..REACH).contains(&clock.wrapping_sub(self.base))
    }

    /// Appends a write within the log's reach. An error asks for the log to be cleared first.
    #[inline]
    pub(crate) fn push(&mut self, write: Write) -> Result<(), Full> {
        debug_assert!(
            self.reaches(write.clock),
            "the TIA empties the log before it cannot reach a write"
        );
        let since = write.clock.wrapping_sub(self.base);
        let entry = self.entries.get_mut(self.len as usize).ok_or(Full)?;
        *entry = (since as u32) << CLOCK_SHIFT | u32::from(write.register) << REGISTER_SHIFT | u32::from(write.value);
        self.len += 1;
        Ok(())
    }

    /// The writes.
    pub(crate) fn writes(&self) -> Writes<'_> {
        Writes {
            base: self.base,
            entries: &self.entries[..self.len as usize],
        }
    }
}

/// Borrowed writes of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writes<'a> {
    pub(crate) base: i32,
    pub(crate) entries: &'a [u32],
}

impl<'a> Writes<'a> {
    /// The writes at `range`, by their index.
    pub(crate) fn range(self, range: Range<usize>) -> Self {
        Self {
            entries: &self.entries[range],
            ..self
        }
    }

    /// The writes, in order.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Write> + 'a {
        self.entries.iter().map(move |&entry| Write {
            clock: self.base.wrapping_add((entry >> CLOCK_SHIFT) as i32),
            register: (entry >> REGISTER_SHIFT & 0x3F) as u8,
            value: entry as u8,
        })
    }
}

/// The log has no room for the write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gives_back_what_was_written_until_it_is_full() {
        let mut log = Log::new();
        for base in [0, -227, i32::MAX - 5] {
            log.clear(base);
            for number in 0..CAPACITY as i32 {
                let clock = base.wrapping_add(number * (REACH - 1) / (CAPACITY as i32 - 1));
                assert!(log.reaches(clock));
                let (register, value) = (number as u8 & 0x3F, !number as u8);
                let write = Write { clock, register, value };
                log.push(write).expect("room");
            }
            let (clock, register, value) = (base, 0x3F, 0xFF);
            assert!(log.push(Write { clock, register, value }).is_err());
            assert_eq!(log.len(), CAPACITY);
            let writes = log.writes().range(1..CAPACITY);
            for (number, write) in (1..).zip(writes.iter()) {
                let clock = base.wrapping_add(number * (REACH - 1) / (CAPACITY as i32 - 1));
                let found = (write.clock, write.register, write.value);
                assert_eq!(found, (clock, number as u8 & 0x3F, !number as u8));
            }
            assert!(!log.reaches(base.wrapping_add(REACH)) && !log.reaches(base.wrapping_sub(1)));
        }
    }
}
