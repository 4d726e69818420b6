//! What a run leaves of a machine, less what passes through it: to be put into the same machine where the run would end alike.

use crate::machine::Machine;
use crate::sound;
use crate::state::{InvalidState, State};
use crate::tia::Still;
use crate::trace::{
    BYTES, CARTRIDGE, PARTIAL, RAM, REST, REST_BYTES, SOUND, Selection, Sources, TIMER, Trace, each_bit,
};

/// Of the rest of the sources, those that pass through a run as bytes: the sound registers. The timer counts on if nobody sets it.
const PASSING: u128 = ((1 << sound::REGISTERS) - 1) << SOUND;

/// Where a machine has come to, to be gone on from by others with the same cartridge and configuration.
#[derive(Clone, Debug)]
pub struct Place {
    state: Vec<u8>,
    /// The last frame, and the one before it.
    stills: [Still; 2],
    /// The frame buffer of the last one.
    buffer: usize,
}

impl Machine {
    /// Appends all that the frames to come depend on, but for pictures and which of them is the current one.
    pub(crate) fn save_state(&mut self, bytes: &mut Vec<u8>) {
        self.save_outcome(&self.trace(), &Selection::default(), bytes);
    }

    /// Where the machine is, if the last two frames have drawn all that is to be seen.
    pub(crate) fn place(&mut self) -> Option<Place> {
        let stills = self.bus.tia.stills()?.map(Still::clone);
        let buffer = self.bus.tia.current();
        let mut state = Vec::new();
        self.save_state(&mut state);
        Some(Place { state, stills, buffer })
    }

    /// Goes on from a place to which another machine came that was in this one's state when its current frame buffer was `buffer`.
    pub(crate) fn go_on_from(&mut self, place: &Place, buffer: usize) -> Result<(), InvalidState> {
        let current = self.bus.tia.current() ^ buffer ^ place.buffer;
        self.load_outcome(&self.trace(), &Selection::default(), &mut place.state.as_slice())?;
        self.bus.tia.show(current & 1);
        self.bus.tia.show_stills(&place.stills);
        Ok(())
    }

    /// What a run that begins now can depend on.
    pub(crate) fn sources(&self) -> Sources {
        let bus = &self.bus;
        let mut rest = [0; BYTES];
        rest[TIMER] = bus.riot.timer();
        rest[PARTIAL] = u8::from(bus.tia.is_partial());
        rest[SOUND..][..sound::REGISTERS].copy_from_slice(&bus.tia.sound.registers());
        Sources([bus.riot.ram, bus.cartridge.bytes(), rest])
    }

    /// A trace of a run that begins now.
    pub(crate) fn trace(&self) -> Trace {
        let first = |count: usize| u128::MAX.checked_shr(128 - count as u32).unwrap_or_default();
        let existing = [BYTES, self.bus.cartridge.byte_count(), REST_BYTES].map(first);
        Trace::new(&Selection(existing), self.bus.tia.current())
    }

    /// Of what a run has not touched, that which passes through as bytes.
    pub(crate) fn passing(&self, trace: &Trace) -> Selection {
        let cartridge = if self.bus.cartridge.has_chip() { 0 } else { u128::MAX };
        trace.untouched().and(&Selection([u128::MAX, cartridge, PASSING]))
    }

    /// Writes `sources` over those that are selected, which are of the kind that passes.
    fn put(&mut self, selection: &Selection, sources: &Sources) {
        let bus = &mut self.bus;
        each_bit(selection.0[RAM], |index| bus.riot.ram[index] = sources.0[RAM][index]);
        each_bit(selection.0[CARTRIDGE], |index| {
            bus.cartridge.ram_mut()[index] = sources.0[CARTRIDGE][index];
        });
        each_bit(selection.0[REST], |index| {
            bus.tia.sound.set_register(index - SOUND, sources.0[REST][index]);
        });
    }

    /// Appends what a run has left but for the pictures. What passed through it counts as 0.
    pub(crate) fn save_outcome(&mut self, trace: &Trace, passing: &Selection, bytes: &mut Vec<u8>) {
        let before = self.sources();
        self.put(passing, &Sources([[0; BYTES]; 3]));
        self.registers.save(bytes);
        let bus = &mut self.bus;
        bus.cycles.save(bytes);
        bus.visible_noise(self.registers.pc).save(bytes);
        bus.riot.save(bytes);
        bus.tia.save_registers(bytes);
        bus.cartridge.save(bytes);
        bus.tia.sound.registers().save(bytes);
        (bus.tia.current() ^ trace.buffer).save(bytes);
        self.put(passing, &before);
    }

    /// Takes what [`Machine::save_outcome`] gave, as if the run had been made here and now.
    pub(crate) fn load_outcome(
        &mut self,
        trace: &Trace,
        passing: &Selection,
        bytes: &mut &[u8],
    ) -> Result<(), InvalidState> {
        let before = self.sources();
        self.registers.load(bytes)?;
        let bus = &mut self.bus;
        bus.cycles.load(bytes)?;
        bus.noise.load(bytes)?;
        bus.riot.load(bytes)?;
        bus.tia.load_registers(bytes)?;
        bus.cartridge.load(bytes)?;
        let mut registers = [0; sound::REGISTERS];
        registers.load(bytes)?;
        for (index, value) in registers.into_iter().enumerate() {
            bus.tia.sound.set_register(index, value);
        }
        let mut swapped = 0_usize;
        swapped.load(bytes)?;
        bus.tia.show(trace.buffer ^ swapped & 1);
        self.put(passing, &before);
        Ok(())
    }
}
