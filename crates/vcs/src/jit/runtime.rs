//! Runtime functions, which compiled code calls for accesses and arithmetic that it does not do itself.

use crate::cpu::{self, Sum, add_decimal, subtract_decimal};
use crate::machine::Machine;

/// A runtime function. Parameters and results are 32 bits wide, except for the address of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuntimeCall {
    /// Machine, address, byte on the bus before, cycles. Returns the byte read.
    Read,
    /// [`RuntimeCall::Read`] for the word at a pointer on page 0.
    Word,
    /// Machine, address of a register of the cartridge's chip, cycles. Returns the byte read.
    Chip,
    /// Machine, address, value, cycles. Returns the cycles after the write.
    Write,
    /// [`RuntimeCall::Write`] to an address of the TIA.
    WriteTia,
    /// A, operand, carry, for ADC in decimal mode. Returns A in bits 0 to 7, carry in bit 8, overflow in bit 9.
    AddDecimal,
    /// [`RuntimeCall::AddDecimal`] for SBC.
    SubtractDecimal,
    /// For a loop that waits for the timer. Machine, address of the read, its bytes, opcode of the branch back to it, cycles,
    /// instructions left. Returns the value of the last skipped read in bits 0 to 7 and the number of skipped rounds above, or 0.
    TimerWait,
}

impl RuntimeCall {
    /// All runtime functions, in the order of their numbers (`call as u32`).
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::Word,
        Self::Chip,
        Self::Write,
        Self::WriteTia,
        Self::AddDecimal,
        Self::SubtractDecimal,
        Self::TimerWait,
    ];

    /// The number of parameters.
    pub fn parameters(self) -> u32 {
        match self {
            Self::AddDecimal | Self::SubtractDecimal | Self::Chip => 3,
            Self::Read | Self::Word | Self::Write | Self::WriteTia => 4,
            Self::TimerWait => 6,
        }
    }

    /// The function's address. In WebAssembly it is the index in the table of functions.
    pub fn address(self) -> usize {
        match self {
            Self::Read => read as *const () as usize,
            Self::Word => word as *const () as usize,
            Self::Chip => chip as *const () as usize,
            Self::Write => write as *const () as usize,
            Self::WriteTia => write_tia as *const () as usize,
            Self::AddDecimal => add as *const () as usize,
            Self::SubtractDecimal => subtract as *const () as usize,
            Self::TimerWait => timer_wait as *const () as usize,
        }
    }
}

pub(super) extern "C" fn read(machine: &mut Machine, address: u32, before: u32, cycles: i32) -> u32 {
    u32::from(machine.bus.read_here(address as u16, cycles, before as u8))
}

pub(super) extern "C" fn word(machine: &mut Machine, address: u32, before: u32, cycles: i32) -> u32 {
    u32::from(machine.bus.word(address as u8, cycles, before as u8))
}

pub(super) extern "C" fn chip(machine: &mut Machine, address: u32, cycles: i32) -> u32 {
    machine.bus.data = machine.bus.cartridge.read_chip(address as u16, cycles);
    u32::from(machine.bus.data)
}

pub(super) extern "C" fn write(machine: &mut Machine, address: u32, value: u32, cycles: i32) -> i32 {
    machine.bus.write(address as u16, value as u8, cycles)
}

pub(super) extern "C" fn write_tia(machine: &mut Machine, address: u32, value: u32, cycles: i32) -> i32 {
    machine.bus.tia.write_here(address as u8, value as u8, cycles)
}

pub(super) extern "C" fn add(a: u32, operand: u32, carry: u32) -> u32 {
    packed(add_decimal(a as u8, operand as u8, carry != 0))
}

pub(super) extern "C" fn subtract(a: u32, operand: u32, carry: u32) -> u32 {
    packed(subtract_decimal(a as u8, operand as u8, carry != 0))
}

fn packed(sum: Sum) -> u32 {
    u32::from(sum.value) | u32::from(sum.carry) << 8 | u32::from(sum.overflow) << 9
}

pub(super) extern "C" fn timer_wait(
    machine: &mut Machine,
    pc: u32,
    code: u32,
    branch: u32,
    cycles: i32,
    left: u32,
) -> u32 {
    cpu::timer_wait(&machine.bus, (pc as u16, code), branch as u8, cycles, left / 2)
        .map_or(0, |wait| wait.rounds << 8 | u32::from(wait.value))
}
