//! The 6507: a 6502 with 13 address lines and no interrupts.
//!
//! An instruction's cycles all pass right after its opcode is fetched, so the chips see its accesses at its end. There are no
//! dummy accesses but those of the stack. The undocumented opcodes are there; those that jam the chip stop it until a reset.

mod alu;
mod cycles;
mod execute;

use crate::cartridge::Cartridge;
use crate::machine::Bus;
use crate::state::fields;
use crate::tia::FrameEnd;

/// Start-up vector.
const RESET_VECTOR: u16 = 0xFFFC;
/// Where BRK goes.
const BREAK_VECTOR: u16 = 0xFFFE;

/// The registers. N and Z are kept as the bytes they came from.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "flags of the status register")]
pub(crate) struct Registers {
    pub(crate) a: u8,
    pub(crate) x: u8,
    pub(crate) y: u8,
    pub(crate) sp: u8,
    pub(crate) pc: u16,
    /// N is its bit 7.
    negative: u8,
    /// Z is whether it is 0.
    not_zero: u8,
    carry: bool,
    overflow: bool,
    decimal: bool,
    interrupt_disable: bool,
    jammed: bool,
}

fields!(Registers {
    a,
    x,
    y,
    sp,
    pc,
    negative,
    not_zero,
    carry,
    overflow,
    decimal,
    interrupt_disable,
    jammed
});

impl Default for Registers {
    fn default() -> Self {
        Self {
            a: 0,
            x: 0,
            y: 0,
            sp: 0xFF,
            pc: 0,
            negative: 0,
            not_zero: 1,
            carry: false,
            overflow: false,
            decimal: false,
            interrupt_disable: false,
            jammed: false,
        }
    }
}

impl Registers {
    pub(crate) fn at_reset<C: Cartridge>(bus: &mut Bus<C>) -> Self {
        let low = bus.read(RESET_VECTOR);
        let high = bus.read(RESET_VECTOR + 1);
        Self {
            pc: u16::from_le_bytes([low, high]),
            ..Self::default()
        }
    }

    /// P, with the two bits that are always set.
    fn status(&self) -> u8 {
        self.negative & 0x80
            | u8::from(self.overflow) << 6
            | 0x30
            | u8::from(self.decimal) << 3
            | u8::from(self.interrupt_disable) << 2
            | u8::from(self.not_zero == 0) << 1
            | u8::from(self.carry)
    }

    fn set_status(&mut self, status: u8) {
        self.negative = status;
        self.overflow = status & 0x40 != 0;
        self.decimal = status & 0x08 != 0;
        self.interrupt_disable = status & 0x04 != 0;
        self.not_zero = !status & 0x02;
        self.carry = status & 0x01 != 0;
    }
}

/// The CPU at work: registers of its own while it runs, so that they can live in the host's.
pub(crate) struct Cpu<'a, C> {
    pub(crate) registers: Registers,
    pub(crate) bus: &'a mut Bus<C>,
}

impl<C: Cartridge> Cpu<'_, C> {
    /// Runs until the TIA ends the frame, or for `instructions`.
    pub(crate) fn run(&mut self, instructions: u32) {
        let mut registers = self.registers;
        if !registers.jammed {
            execute::run(&mut registers, self.bus, instructions);
        }
        self.registers = registers;
    }
}

/// Whether the frame ended with the instruction just executed.
#[inline(always)]
fn frame_has_ended<C>(bus: &Bus<C>) -> bool {
    bus.tia.frame_end == FrameEnd::Yes
}
