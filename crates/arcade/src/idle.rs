//! The frames for which ALE leaves a console alone, to tell its television. The first reset leaves it alone for as many, and mostly is
//! in the same state after a few of them: then the rest need not be played again.

use gym2600_vcs::{Console, Input, Picture, Selection};

use crate::rules::Memory;

/// Frames for which nothing is pressed after a console's reset.
pub(crate) const IDLE_FRAMES: u32 = 60;
/// Frames after which two ways from a reset are compared. By then most programs have made what they make of the timer and of RAM.
pub(crate) const COMPARED_AFTER: u32 = 4;

/// A console that was left alone from a reset on.
#[derive(Debug)]
pub(crate) struct Idle {
    /// Its state when it is compared.
    compared: Vec<u8>,
    /// Its RAM after each frame since.
    pub(crate) since: Vec<Ram>,
    /// The console in the end.
    pub(crate) console: Console,
}

/// RAM, and behind it that of the cartridge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ram([u8; 256]);

impl Idle {
    /// Leaves a new console alone that has been reset, for `frames` frames, and shows it to `watch` after each.
    pub(crate) fn run(
        console: &mut Console,
        input: &Input,
        frames: u32,
        mut watch: impl FnMut(u32, &Console),
    ) -> Box<Self> {
        let trace = console.trace();
        let mut compared = Vec::new();
        let mut since = Vec::new();
        for frame in 0..frames {
            if frame == COMPARED_AFTER {
                console.save_outcome(&trace, &Selection::default(), &mut compared);
            }
            console.run_frame(input, Picture::OnDemand);
            if frame >= COMPARED_AFTER {
                since.push(Ram::of(console));
            }
            watch(frame, console);
        }
        console.rest();
        Box::new(Self {
            compared,
            since,
            console: console.clone(),
        })
    }

    /// Whether another new console that was reset and left alone in the same way, and is in state `compared` now, goes on as this one
    /// did.
    pub(crate) fn goes_on_from(&self, compared: &[u8]) -> bool {
        self.compared == compared && self.console.shows_two_frames()
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
