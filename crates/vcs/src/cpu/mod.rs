//! The 6507: a 6502 with 13 address lines and no interrupts.
//!
//! An instruction's cycles all pass right after its opcode is fetched, so the chips see its accesses at its end. There are no
//! dummy accesses but those of the stack. The undocumented opcodes are there; those that jam the chip stop it until a reset.

mod alu;
mod cycles;
mod execute;
mod trace;

pub(crate) use alu::{Sum, add_decimal, subtract_decimal};
pub(crate) use cycles::{CYCLES, LENGTHS};

use crate::cartridge::Stretch;
use crate::machine::{Bus, Machine};
use crate::state::fields;
use crate::tia::FrameEnd;
use execute::{EVERY, End, NEEDED, execute};
pub(crate) use trace::run_traced;

/// Start-up vector.
const RESET_VECTOR: u16 = 0xFFFC;
/// Where BRK goes.
const BREAK_VECTOR: u16 = 0xFFFE;

/// The registers. N and Z are kept as the result they came from.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "flags of the status register")]
pub(crate) struct Registers {
    pub(crate) a: u8,
    pub(crate) x: u8,
    pub(crate) y: u8,
    pub(crate) sp: u8,
    pub(crate) pc: u16,
    /// Z is whether its low byte is 0; N is its bit 7 or 8.
    pub(crate) result: u16,
    pub(crate) carry: bool,
    pub(crate) overflow: bool,
    pub(crate) decimal: bool,
    pub(crate) interrupt_disable: bool,
    pub(crate) jammed: bool,
}

fields!(Registers {
    a,
    x,
    y,
    sp,
    pc,
    result,
    carry,
    overflow,
    decimal,
    interrupt_disable,
    jammed
});

/// N of a result.
#[inline(always)]
fn is_negative(result: u16) -> bool {
    result & 0x180 != 0
}

/// Z of a result.
#[inline(always)]
fn is_zero(result: u16) -> bool {
    result as u8 == 0
}

/// A result that stands for these flags.
fn result(negative: bool, zero: bool) -> u16 {
    u16::from(negative) << 8 | u16::from(!zero)
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            a: 0,
            x: 0,
            y: 0,
            sp: 0xFF,
            pc: 0,
            result: 1,
            carry: false,
            overflow: false,
            decimal: false,
            interrupt_disable: false,
            jammed: false,
        }
    }
}

impl Registers {
    /// What they are after the chip's reset.
    pub(crate) fn at_reset(bus: &mut Bus) -> Self {
        let pc = bus.vector(RESET_VECTOR);
        Self { pc, ..Self::default() }
    }

    /// P, with the two bits that are always set.
    fn status(&self) -> u8 {
        u8::from(is_negative(self.result)) << 7
            | u8::from(self.overflow) << 6
            | 0x30
            | u8::from(self.decimal) << 3
            | u8::from(self.interrupt_disable) << 2
            | u8::from(is_zero(self.result)) << 1
            | u8::from(self.carry)
    }

    fn set_status(&mut self, status: u8) {
        self.result = result(status & 0x80 != 0, status & 0x02 != 0);
        self.overflow = status & 0x40 != 0;
        self.decimal = status & 0x08 != 0;
        self.interrupt_disable = status & 0x04 != 0;
        self.carry = status & 0x01 != 0;
    }
}

/// Runs `instructions`, or fewer where the TIA ends the frame or an opcode jams the chip. Gives how many are left.
pub(crate) fn run(machine: &mut Machine, instructions: u32) -> u32 {
    run_watched(machine, instructions, u32::MAX, |_, _, _| {})
}

/// [`run`], with no more than `most` instructions in a row, each row's first bytes being shown to `watch` before it is executed.
fn run_watched(
    machine: &mut Machine,
    instructions: u32,
    most: u32,
    mut watch: impl FnMut(u32, &Registers, &Bus),
) -> u32 {
    let Machine { registers, bus, .. } = machine;
    let rom = bus.cartridge.rom();
    let mut left = instructions;
    let mut end = End::Stretch;
    while left > 0 && !registers.jammed {
        let stretch = bus.cartridge.stretch(&rom, registers.pc);
        let at = u32::from(registers.pc.wrapping_sub(stretch.first()));
        match stretch.code(at) {
            Some(word) if end == End::Stretch => {
                watch(word, registers, bus);
                bus.left = left.min(most);
                bus.rest = left - bus.left;
                end = execute::<NEEDED>(registers, bus, stretch);
            }
            _ => {
                let word = bus.fetch(registers.pc);
                watch(word, registers, bus);
                bus.left = 1;
                bus.rest = left - 1;
                let bytes = word.to_le_bytes();
                end = execute::<EVERY>(registers, bus, Stretch::of(&bytes, registers.pc));
            }
        }
        left = bus.left + bus.rest;
        if bus.tia.frame_end == FrameEnd::Yes {
            break;
        }
    }
    left
}
