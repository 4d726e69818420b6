//! Snapshots: points in a run from which another console continues.
//!
//! A [`Snapshot`] holds a console's state after a frame and both of its pictures, as recorded frames where possible. A console that
//! continues from it behaves from then on as the console of which it was taken, except for sounds: a snapshot holds the sound
//! registers and not the counters behind them, which move only when samples are made.

use crate::machine::Machine;
use crate::sound;
use crate::state::{InvalidState, State};
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
    /// Appends the state on which later frames depend, without sound counters, pictures and which frame buffer is the current one.
    pub(crate) fn save_state(&mut self, bytes: &mut Vec<u8>) {
        self.registers.save(bytes);
        let bus = &mut self.bus;
        bus.cycles.save(bytes);
        bus.visible_noise(self.registers.pc).save(bytes);
        bus.riot.save(bytes);
        bus.tia.save_registers(bytes);
        bus.tia.sound.registers().save(bytes);
        bus.cartridge.save(bytes);
    }

    /// Takes what [`Machine::save_state`] gave.
    pub(crate) fn load_state(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.registers.load(bytes)?;
        let bus = &mut self.bus;
        bus.cycles.load(bytes)?;
        bus.noise.load(bytes)?;
        bus.riot.load(bytes)?;
        bus.tia.load_registers(bytes)?;
        let mut registers = [0; sound::REGISTERS];
        registers.load(bytes)?;
        bus.tia.sound.set_registers(registers);
        bus.cartridge.load(bytes)?;
        self.check_loaded()
    }

    /// The machine after a run that began at `mark`.
    pub(crate) fn snapshot(&mut self, mark: Mark) -> Snapshot {
        let mut state = Vec::new();
        self.save_state(&mut state);
        let pictures = self.bus.tia.pictures(mark);
        Snapshot { state, pictures }
    }

    /// Continues from `snapshot`.
    pub(crate) fn continue_from(&mut self, snapshot: &Snapshot) -> Result<(), InvalidState> {
        self.load_state(&mut snapshot.state.as_slice())?;
        self.bus.tia.show_pictures(&snapshot.pictures);
        Ok(())
    }
}
