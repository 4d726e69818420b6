//! Snapshots: points in a run from which another console continues.
//!
//! A [`Snapshot`] holds a console's state after a frame and both of its pictures, as recorded frames where possible. A console that
//! continues from it behaves like the original, except for sound: a snapshot holds the sound registers, but not the counters, which
//! move only when samples are made.

use crate::machine::Machine;
use crate::state::InvalidState;
use crate::tia::{Mark, Pictures};

/// A point in a console's run, for consoles with the same cartridge and configuration.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Vec<u8>,
    pub(crate) pictures: Pictures,
}

impl Snapshot {
    /// Bytes that the snapshot takes.
    pub fn bytes(&self) -> usize {
        self.state.capacity() + self.pictures.bytes()
    }
}

impl Machine {
    /// The machine after a run that began at `mark`.
    pub(crate) fn snapshot(&mut self, mark: Mark) -> Snapshot {
        let mut state = Vec::new();
        self.save_without_pictures(&mut state);
        let pictures = self.bus.tia.pictures(mark);
        Snapshot { state, pictures }
    }

    /// Continues from `snapshot`.
    pub(crate) fn continue_from(&mut self, snapshot: &Snapshot) -> Result<(), InvalidState> {
        self.load_without_pictures(&mut snapshot.state.as_slice())?;
        self.bus.tia.show_pictures(&snapshot.pictures);
        Ok(())
    }
}
