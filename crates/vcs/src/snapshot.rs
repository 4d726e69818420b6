//! Snapshots: points in a run from which another console continues.
//!
//! A [`Snapshot`] holds a console's state after a frame and both of its pictures, as recorded frames where possible. A console that
//! continues from it behaves like the original, except for sound: a snapshot holds the sound registers, but not the counters, which
//! move only when samples are made.

use std::sync::Arc;

use crate::FrameGeometry;
use crate::cartridge::Mapper;
use crate::machine::Machine;
use crate::state::InvalidState;
use crate::tia::{Mark, Pictures};

/// A point in a console's run, for consoles with the same cartridge and configuration.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The cartridge and the lines shown, which the state belongs to.
    rom: Arc<[u8]>,
    mapper: Mapper,
    geometry: FrameGeometry,
    state: Vec<u8>,
    pub(crate) pictures: Pictures,
}

impl Snapshot {
    /// Bytes that the snapshot takes, without the ROM, which it shares with its console.
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
        Snapshot {
            rom: self.bus.cartridge.rom(),
            mapper: self.bus.cartridge.mapper(),
            geometry: self.bus.tia.geometry(),
            state,
            pictures,
        }
    }

    /// Continues from `snapshot`.
    pub(crate) fn continue_from(&mut self, snapshot: &Snapshot) -> Result<(), InvalidState> {
        let rom = self.bus.cartridge.rom();
        let same_rom = Arc::ptr_eq(&rom, &snapshot.rom) || rom == snapshot.rom;
        let same_mapper = self.bus.cartridge.mapper() == snapshot.mapper;
        if !same_rom || !same_mapper || self.bus.tia.geometry() != snapshot.geometry {
            return Err(InvalidState);
        }
        self.load_without_pictures(&mut snapshot.state.as_slice())?;
        self.bus.tia.show_pictures(&snapshot.pictures);
        Ok(())
    }
}
