//! The offsets of the machine's fields, in bytes from its beginning.
//!
//! Compiled code reads and writes the fields at these offsets. They come from `offset_of!`, so they follow the types.

use super::ir::{Local, Op};
use crate::machine::Machine;
use crate::registers::Registers;
use crate::sound::Sound;
use crate::tia::log::Log;
use std::mem::offset_of;

/// The offset and width of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Byte(u32),
    Half(u32),
    Word(u32),
}

impl Field {
    pub(super) fn load(self) -> Op {
        match self {
            Self::Byte(at) => Op::Load8(at),
            Self::Half(at) => Op::Load16(at),
            Self::Word(at) => Op::Load32(at),
        }
    }

    pub(super) fn store(self) -> Op {
        match self {
            Self::Byte(at) => Op::Store8(at),
            Self::Half(at) => Op::Store16(at),
            Self::Word(at) => Op::Store32(at),
        }
    }
}

const fn register(offset: usize) -> u32 {
    (offset_of!(Machine, registers) + offset) as u32
}

/// The locals that hold registers, and the field of the machine that each is loaded from and stored to.
pub(super) const REGISTERS: [(Local, Field); 10] = [
    (Local::A, Field::Byte(register(offset_of!(Registers, a)))),
    (Local::X, Field::Byte(register(offset_of!(Registers, x)))),
    (Local::Y, Field::Byte(register(offset_of!(Registers, y)))),
    (Local::Sp, Field::Byte(register(offset_of!(Registers, sp)))),
    (Local::Result, Field::Half(register(offset_of!(Registers, result)))),
    (Local::Carry, Field::Byte(register(offset_of!(Registers, carry)))),
    (Local::Overflow, Field::Byte(register(offset_of!(Registers, overflow)))),
    (Local::Decimal, Field::Byte(register(offset_of!(Registers, decimal)))),
    (Local::Cycles, Field::Word(offset_of!(Machine, bus.cycles) as u32)),
    (Local::Left, Field::Word(offset_of!(Machine, bus.left) as u32)),
];

pub(super) const PC: u32 = register(offset_of!(Registers, pc));
pub(super) const INTERRUPT_DISABLE: u32 = register(offset_of!(Registers, interrupt_disable));
pub(super) const DATA: u32 = offset_of!(Machine, bus.data) as u32;
pub(super) const RAM: u32 = offset_of!(Machine, bus.riot.ram) as u32;
/// 1 if the frame has ended.
pub(super) const FRAME_END: u32 = offset_of!(Machine, bus.tia.frame.end) as u32;
/// 1 if the cartridge has switched banks.
pub(super) const SWITCHED: u32 = offset_of!(Machine, bus.cartridge.switched) as u32;
/// The offset in the ROM of each mapped slice, 16 bits each.
pub(super) const SLICES: u32 = offset_of!(Machine, bus.cartridge.slices) as u32;
/// The CPU cycle at which the line of the last WSYNC began.
pub(super) const LINE_BEGIN: u32 = offset_of!(Machine, bus.tia.frame.line) as u32;
/// The colour clock at which the first line shown begins.
pub(super) const WINDOW_START: u32 = offset_of!(Machine, bus.tia.frame.window.start) as u32;
/// The graphics registers that have been copied since they changed.
pub(super) const COPIED: u32 = offset_of!(Machine, bus.tia.shadow.copied) as u32;
/// The values of the TIA's registers.
pub(super) const SHADOW: u32 = offset_of!(Machine, bus.tia.shadow.registers) as u32;
pub(super) const HMOVE_PENDING: u32 = offset_of!(Machine, bus.tia.shadow.hmove_pending) as u32;
/// The colour clock at which the frame has too many lines.
pub(super) const LINE_LIMIT: u32 = offset_of!(Machine, bus.tia.frame.limit) as u32;
pub(super) const HMOVE_BLANKS: u32 = offset_of!(Machine, bus.tia.hmove_blanks) as u32;
const LOG: usize = offset_of!(Machine, bus.tia.playback.log);
/// The address of the log's first entry.
pub(super) const LOG_ENTRIES: u32 = (LOG + offset_of!(Log, entries)) as u32;
pub(super) const LOG_LENGTH: u32 = (LOG + offset_of!(Log, len)) as u32;
pub(super) const LOG_BASE: u32 = (LOG + offset_of!(Log, base)) as u32;
pub(super) const LAST_CLOCK: u32 = offset_of!(Machine, bus.tia.shadow.last_access.clock) as u32;
pub(super) const LAST_REGISTER: u32 = offset_of!(Machine, bus.tia.shadow.last_access.register) as u32;

/// The sound register at this address of the TIA.
pub(super) const fn sound(register: u8) -> u32 {
    (offset_of!(Machine, bus.tia.sound) + Sound::offset_of(register)) as u32
}
