//! How a console goes on that is left alone after a reset. ALE leaves it alone to tell its television, and again in each reset; mostly
//! it is in the same state after a few frames as it was then, or will be a frame later: then the rest need not be played again.

use gym2600_vcs::{Console, Place, WrongLength};

use crate::rules::Memory;

/// Frames for which nothing is pressed after a console's reset.
pub(crate) const IDLE_FRAMES: u32 = 60;
/// Frames after which two ways from a reset are compared. By then most programs have made what they make of the timer and of RAM.
pub(crate) const COMPARED_AFTER: u32 = 4;
/// How many states of the known way others are compared with: some programs take a frame less where RAM was not noise.
const STATES: usize = 2;

/// A console that was left alone from a reset on.
#[derive(Debug)]
pub(crate) struct Idle {
    /// Its states from when it is compared on, and which frame buffer was the current one then.
    states: Vec<(Vec<u8>, usize)>,
    /// Its RAM after each frame since.
    rams: Vec<Ram>,
    /// Where it was in the end.
    end: Place,
}

/// Watches a console that is left alone.
#[derive(Default)]
pub(crate) struct Watch {
    frames: u32,
    states: Vec<(Vec<u8>, usize)>,
    rams: Vec<Ram>,
}

/// RAM, and behind it that of the cartridge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ram([u8; 256]);

impl Watch {
    /// Notes what the console is like after one more frame.
    pub(crate) fn note(&mut self, console: &mut Console) {
        self.frames += 1;
        if self.frames >= COMPARED_AFTER && self.states.len() < STATES {
            let mut state = Vec::new();
            console.save_state(&mut state);
            self.states.push((state, console.frame_buffer()));
        }
        if self.frames > COMPARED_AFTER {
            self.rams.push(Ram::of(console));
        }
    }

    /// What it was like. None where not all that is to be seen can be drawn again.
    pub(crate) fn end(self, console: &mut Console) -> Option<Idle> {
        Some(Idle {
            states: self.states,
            rams: self.rams,
            end: console.place()?,
        })
    }
}

impl Idle {
    /// By how many frames it is ahead of a console that was left alone likewise for [`COMPARED_AFTER`] frames and is in this state then,
    /// if that goes on as it did.
    pub(crate) fn ahead_of(&self, state: &[u8]) -> Option<usize> {
        self.states.iter().position(|(known, _)| known == state)
    }

    /// What RAM will be after each frame of a console that it is so far ahead of, until that is where it was in the end.
    pub(crate) fn rams(&self, ahead: usize) -> &[Ram] {
        &self.rams[ahead..]
    }

    /// Has that console be there.
    ///
    /// # Errors
    /// [`WrongLength`] where it has another kind of cartridge.
    pub(crate) fn take_to_end(&self, console: &mut Console, ahead: usize) -> Result<(), WrongLength> {
        let (_, buffer) = self.states[ahead];
        console.go_on_from(&self.end, buffer)
    }
}

impl Ram {
    fn of(console: &Console) -> Self {
        let mut bytes = [0; 256];
        let rams = console.ram().iter().chain(console.cartridge_ram());
        bytes.iter_mut().zip(rams).for_each(|(byte, ram)| *byte = *ram);
        Self(bytes)
    }
}

impl Memory for Ram {
    fn ram(&self, address: u8) -> u8 {
        self.0[usize::from(address & 0x7F)]
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.0[usize::from(index | 0x80)]
    }
}
