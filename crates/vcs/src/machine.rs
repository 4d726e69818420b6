//! The bus with the CPU's registers: everything that a frame changes.
//!
//! A machine does not execute instructions. The [`Executor`](crate::executor::Executor) does, between [`Machine::begin_frame`] and
//! [`Machine::end_frame`].

use crate::bus::Bus;
use crate::cartridge::{Cartridge, Random};
use crate::input::Pins;
use crate::registers::Registers;
use crate::riot::Riot;
use crate::state::{InvalidState, State};
use crate::tia::{FrameEnd, Greying, Tia};
use crate::{Drawing, FrameGeometry, HmoveBlanks};

/// Start-up vector.
const RESET_VECTOR: u16 = 0xFFFC;

/// A console with its cartridge, except for the executor.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) registers: Registers,
    pub(crate) bus: Bus,
}

impl Machine {
    pub(crate) fn new(cartridge: Cartridge, geometry: FrameGeometry, hmove_blanks: HmoveBlanks) -> Self {
        Self {
            registers: Registers::default(),
            bus: Bus {
                cycles: 0,
                data: 0,
                left: 0,
                frame_left: 0,
                riot: Riot::new(),
                tia: Tia::new(geometry, hmove_blanks),
                cartridge,
                pins: Pins::default(),
            },
        }
    }

    pub(crate) fn reset(&mut self, random: &mut Random<'_>) {
        let bus = &mut self.bus;
        bus.riot.shift_clocks(bus.cycles);
        bus.cartridge.shift_clocks(bus.cycles);
        bus.cycles = 0;
        bus.riot.reset(random());
        bus.tia.reset();
        bus.cartridge.reset(random);
        self.registers = Registers::at_reset(bus.vector(RESET_VECTOR));
    }

    /// Starts a frame, or continues the last one if it has not ended.
    pub(crate) fn begin_frame(&mut self, drawing: Drawing) -> Greying {
        let bus = &mut self.bus;
        let greying = if bus.tia.is_partial() {
            Greying::Done
        } else {
            Greying::Due
        };
        let shift = bus.tia.begin(bus.cycles, drawing);
        if !bus.pins.has_paddles {
            bus.tia.forget_charging();
        }
        bus.cycles = bus.cycles.wrapping_sub(shift);
        bus.riot.shift_clocks(shift);
        bus.cartridge.shift_clocks(shift);
        greying
    }

    /// Ends the frame. `greying` is what [`Machine::begin_frame`] returned.
    pub(crate) fn end_frame(&mut self, greying: Greying) {
        self.bus.tia.finish(self.bus.cycles, greying);
    }

    /// Whether instructions can be executed: the frame has not ended and the CPU is not jammed.
    #[inline]
    pub(crate) fn is_running(&self) -> bool {
        self.bus.tia.frame.end == FrameEnd::No && !self.registers.jammed
    }

    /// Appends the state between two frames.
    pub(crate) fn save(&mut self, bytes: &mut Vec<u8>) {
        self.save_parts(bytes, Tia::save_with_pictures);
    }

    /// Takes the state that [`Machine::save`] gave a machine with the same cartridge.
    pub(crate) fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load_parts(bytes, Tia::load_with_pictures)
    }

    /// Appends the state on which later frames depend, without sound counters, pictures and the number of the current frame buffer.
    pub(crate) fn save_without_pictures(&mut self, bytes: &mut Vec<u8>) {
        self.save_parts(bytes, Tia::save_without_pictures);
    }

    /// Takes what [`Machine::save_without_pictures`] gave.
    pub(crate) fn load_without_pictures(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load_parts(bytes, Tia::load_without_pictures)
    }

    fn save_parts(&mut self, bytes: &mut Vec<u8>, save_tia: impl FnOnce(&mut Tia, &mut Vec<u8>)) {
        self.registers.save(bytes);
        self.bus.cycles.save(bytes);
        self.bus.visible_data(self.registers.pc).save(bytes);
        self.bus.riot.save(bytes);
        save_tia(&mut self.bus.tia, bytes);
        self.bus.cartridge.save(bytes);
    }

    fn load_parts(
        &mut self,
        bytes: &mut &[u8],
        load_tia: impl FnOnce(&mut Tia, &mut &[u8]) -> Result<(), InvalidState>,
    ) -> Result<(), InvalidState> {
        self.registers.load(bytes)?;
        self.bus.cycles.load(bytes)?;
        self.bus.data.load(bytes)?;
        self.bus.riot.load(bytes)?;
        load_tia(&mut self.bus.tia, bytes)?;
        self.bus.cartridge.load(bytes)?;
        self.check_loaded()
    }

    /// Refuses loaded fields that contradict each other.
    fn check_loaded(&self) -> Result<(), InvalidState> {
        let Bus { cycles, data, tia, .. } = &self.bus;
        let data_is_valid = *data == self.bus.visible_data(self.registers.pc);
        if data_is_valid && tia.can_be_at(*cycles) {
            Ok(())
        } else {
            Err(InvalidState)
        }
    }

    /// Whether the last frame ended by VSYNC or by too many lines, not by the limit of instructions.
    pub(crate) fn frame_has_ended(&self) -> bool {
        self.bus.tia.frame.end == FrameEnd::Yes
    }
}
