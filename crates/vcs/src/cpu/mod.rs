//! The 6507: a 6502 with 13 address lines and no interrupts.
//!
//! All cycles of an instruction pass right after its opcode is fetched, so the chips see its accesses at its end. There are no
//! dummy accesses except those of the stack. Undocumented opcodes are implemented; those that jam the chip stop it until a reset.
//!
//! The [`Interpreter`] alternates between two copies of the instruction set, both from the text of [`mod@execute`]:
//!
//! - The quick copy runs inside a [`Stretch`] of quiet ROM, with the registers in locals. It does not keep [`Bus::data`] except
//!   where the next fetch may read it.
//! - The exact copy runs one instruction that was fetched byte by byte, and keeps every byte on the bus. It is used outside of
//!   quiet ROM: at hot spots, in RAM and in the chips.
//!
//! Neither has code for most undocumented opcodes: [`undocumented`] executes these.

mod alu;
mod cycles;
mod execute;
mod timer_wait;
mod undocumented;

pub(crate) use alu::{Sum, add_decimal, subtract_decimal};
pub(crate) use cycles::{CYCLES, LENGTHS};
pub(crate) use timer_wait::{TIMER_LOOP_BYTES, TIMER_LOOP_CYCLES, TIMER_LOOP_OFFSET, timer_wait};

use crate::bus::Bus;
use crate::cartridge::{Cartridge, Stretch};
use crate::machine::Machine;
use execute::{EVERY, End, NEEDED, execute};
use std::sync::Arc;

/// Executes one instruction after the other. It holds the cartridge's ROM, which never changes.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    rom: Arc<[u8]>,
}

impl Interpreter {
    /// For a machine with this cartridge.
    pub(crate) fn new(cartridge: &Cartridge) -> Self {
        Self { rom: cartridge.rom() }
    }

    /// Executes `instructions`, or fewer if the TIA ends the frame or an opcode jams the CPU. Returns how many are left.
    pub(crate) fn interpret(&self, machine: &mut Machine, instructions: u32) -> u32 {
        let mut left = instructions;
        let mut end = End::Stretch;
        while left > 0 && machine.is_running() {
            let Machine { registers, bus } = machine;
            let stretch = bus.cartridge.stretch(&self.rom, registers.pc);
            let at = u32::from(registers.pc.wrapping_sub(stretch.first()));
            match stretch.code(at) {
                Some(_) if end == End::Stretch => {
                    bus.left = left;
                    bus.frame_left = 0;
                    end = execute::<NEEDED>(registers, bus, stretch);
                }
                _ => {
                    let word = fetch(bus, registers.pc);
                    bus.left = 1;
                    bus.frame_left = left - 1;
                    let bytes = word.to_le_bytes();
                    end = execute::<EVERY>(registers, bus, Stretch::of(&bytes, registers.pc));
                    if end == End::Undocumented {
                        undocumented::execute(registers, bus, word);
                        (bus.left, end) = (0, End::Stretch);
                    }
                }
            }
            left = bus.left + bus.frame_left;
        }
        left
    }
}

/// Fetches an instruction byte by byte, where a fetch can have an effect: at a cartridge's hot spots and outside of its ROM.
/// Returns the opcode and its operands, the opcode in the lowest byte.
#[cold]
#[inline(never)]
fn fetch(bus: &mut Bus, pc: u16) -> u32 {
    let mut bytes = [0; 4];
    bytes[0] = bus.read(pc, bus.cycles, bus.data);
    let opcode = usize::from(bytes[0]);
    let cycles = bus.cycles.wrapping_add(i32::from(CYCLES[opcode]));
    for operand in 1..LENGTHS[opcode] {
        let at = usize::from(operand);
        bytes[at] = bus.read(pc.wrapping_add(u16::from(operand)), cycles, bus.data);
    }
    u32::from_le_bytes(bytes)
}
