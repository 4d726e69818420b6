//! Undocumented opcodes: a shift, increment or decrement with an operation on A, loads and stores of A and X together, and those that
//! jam the chip.
//!
//! Programs rarely use them, so each instruction is decoded from its opcode here. Every byte on the bus is kept.

use super::alu::{self, Rotated, Shifted, Sum};
use super::{CYCLES, LENGTHS};
use crate::bus::Bus;
use crate::registers::Registers;

/// Executes the instruction in `word`, whose opcode is in the lowest byte.
#[cold]
#[inline(never)]
pub(super) fn execute(registers: &mut Registers, bus: &mut Bus, word: u32) {
    let [opcode, low, high, _] = word.to_le_bytes();
    registers.pc = registers.pc.wrapping_add(u16::from(LENGTHS[usize::from(opcode)]));
    bus.cycles = bus.cycles.wrapping_add(i32::from(CYCLES[usize::from(opcode)]));
    let mut instruction = Instruction {
        opcode,
        low,
        high,
        registers,
        bus,
    };
    match opcode {
        0x0B | 0x2B | 0x4B | 0x6B | 0x8B | 0xAB | 0xCB => instruction.immediate(),
        0xBB => instruction.load_with_stack_pointer(),
        _ if opcode & 3 == 2 && opcode != 0x9E => instruction.registers.jammed = true,
        _ => match opcode >> 5 {
            4 => instruction.store(),
            5 => instruction.load(),
            _ => instruction.modify(),
        },
    }
}

/// An instruction and what it changes.
struct Instruction<'a> {
    opcode: u8,
    low: u8,
    high: u8,
    registers: &'a mut Registers,
    bus: &'a mut Bus,
}

impl Instruction<'_> {
    /// Sets N and Z.
    fn flags(&mut self, value: u8) -> u8 {
        self.registers.result = u16::from(value);
        value
    }

    fn set_a(&mut self, value: u8) {
        self.registers.a = self.flags(value);
    }

    fn take(&mut self, sum: Sum) {
        self.registers.carry = sum.carry;
        self.registers.overflow = sum.overflow;
        self.set_a(sum.value);
    }

    fn compare(&mut self, register: u8, operand: u8) -> u8 {
        self.registers.carry = register >= operand;
        self.flags(register.wrapping_sub(operand))
    }

    /// The operations with an immediate operand: ANC, ALR, ARR, XAA, LXA, SBX.
    fn immediate(&mut self) {
        self.bus.data = self.low;
        let Registers { a, x, carry, .. } = *self.registers;
        let operand = self.low;
        match self.opcode {
            0x4B => {
                let Shifted { value, carry } = alu::shift_right(a & operand, false);
                self.registers.carry = carry;
                self.set_a(value);
            }
            0x6B => {
                let Rotated { sum, result } = alu::and_rotate(a & operand, carry, self.registers.decimal);
                self.take(sum);
                self.registers.result = result;
            }
            0x8B => self.set_a((a | 0xEE) & x & operand),
            0xAB => {
                self.set_a((a | 0xEE) & operand);
                self.registers.x = self.registers.a;
            }
            0xCB => self.registers.x = self.compare(a & x, operand),
            _ => {
                self.set_a(a & operand);
                self.registers.carry = self.registers.a & 0x80 != 0;
            }
        }
    }

    /// LAX.
    fn load(&mut self) {
        let value = self.read();
        self.set_a(value);
        self.registers.x = value;
    }

    /// LAS.
    fn load_with_stack_pointer(&mut self) {
        let value = self.read() & self.registers.sp;
        self.set_a(value);
        self.registers.x = value;
        self.registers.sp = value;
    }

    /// SAX, and the unstable stores, which write the value AND one more than the high byte of the address.
    fn store(&mut self) {
        let (address, _) = self.address();
        let Registers { a, x, y, .. } = *self.registers;
        let mask = ((address >> 8) as u8).wrapping_add(1);
        let value = match self.opcode {
            0x9B => {
                self.registers.sp = a & x;
                a & x & mask
            }
            0x9C => y & mask,
            0x9E => x & mask,
            0x93 | 0x9F => a & x & mask,
            _ => a & x,
        };
        self.bus.cycles = self.bus.write(address, value, self.bus.cycles);
    }

    /// SLO, RLA, SRE, RRA, DCP, ISB.
    fn modify(&mut self) {
        let (address, before) = self.address();
        let value = self.bus.read(address, self.bus.cycles, before);
        let Registers { a, carry, decimal, .. } = *self.registers;
        let modified = match self.opcode >> 5 {
            6 => value.wrapping_sub(1),
            7 => value.wrapping_add(1),
            operation => {
                let Shifted { value, carry } = match operation {
                    0 => alu::shift_left(value, false),
                    1 => alu::shift_left(value, carry),
                    2 => alu::shift_right(value, false),
                    _ => alu::shift_right(value, carry),
                };
                self.registers.carry = carry;
                value
            }
        };
        let carry = self.registers.carry;
        match self.opcode >> 5 {
            0 => self.set_a(a | modified),
            1 => self.set_a(a & modified),
            2 => self.set_a(a ^ modified),
            3 => self.take(alu::adc(a, modified, carry, decimal)),
            6 => {
                self.compare(a, modified);
            }
            _ => self.take(alu::sbc(a, modified, carry, decimal)),
        }
        self.bus.cycles = self.bus.write(address, modified, self.bus.cycles);
    }

    fn read(&mut self) -> u8 {
        let (address, before) = self.address();
        self.bus.read(address, self.bus.cycles, before)
    }

    /// The effective address, and the byte that is on the bus before the access.
    fn address(&mut self) -> (u16, u8) {
        let Registers { x, y, .. } = *self.registers;
        let absolute = u16::from_le_bytes([self.low, self.high]);
        // LAX, SAX and SHX are indexed by Y where other opcodes are by X.
        let index = if self.opcode >> 6 == 2 && self.opcode != 0x9C {
            y
        } else {
            x
        };
        match self.opcode & 0x1F {
            0x03 => {
                let base = self.pointer(self.low.wrapping_add(x));
                (base, (base >> 8) as u8)
            }
            0x13 => {
                let base = self.pointer(self.low);
                (self.indexed(base, y), (base >> 8) as u8)
            }
            0x07 => (self.low.into(), self.low),
            0x17 => (self.low.wrapping_add(index).into(), self.low),
            mode => {
                self.bus.data = self.high;
                let address = match mode {
                    0x0F => absolute,
                    0x1B => self.indexed(absolute, y),
                    _ => self.indexed(absolute, index),
                };
                (address, self.high)
            }
        }
    }

    /// The word at a pointer on page 0.
    fn pointer(&mut self, address: u8) -> u16 {
        self.bus.word(address, self.bus.cycles, self.low)
    }

    /// An indexed address. For loads, crossing a page costs a cycle, which passes before the read.
    fn indexed(&mut self, base: u16, index: u8) -> u16 {
        let address = base.wrapping_add(u16::from(index));
        if self.opcode >> 5 == 5 && (base ^ address) & 0xFF00 != 0 {
            self.bus.cycles = self.bus.cycles.wrapping_add(1);
        }
        address
    }
}
