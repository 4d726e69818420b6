//! The lowering of each opcode.

use super::memory::AddressingMode;
use super::*;

/// The addressing modes of the opcodes that end in binary 01, by bits 2 to 4.
const MODES: [AddressingMode; 8] = [
    AddressingMode::IndirectX,
    AddressingMode::ZeroPage,
    AddressingMode::Immediate,
    AddressingMode::Absolute,
    AddressingMode::IndirectY,
    AddressingMode::ZeroPageX,
    AddressingMode::AbsoluteY,
    AddressingMode::AbsoluteX,
];

impl Body<'_> {
    /// Lowers the present instruction. Returns false, and emits nothing, if it has no lowering.
    pub(super) fn lower_opcode(&mut self, opcode: u8) -> bool {
        match opcode {
            // NOP with an immediate operand, where the others of the column have STA.
            0x89 => return false,
            _ if opcode & 3 == 1 => self.accumulate(opcode >> 5, MODES[usize::from(opcode >> 2 & 7)]),
            0xEB => self.accumulate(7, AddressingMode::Immediate),
            0x10 | 0x30 | 0x50 | 0x70 | 0x90 | 0xB0 | 0xD0 | 0xF0 => self.branch(opcode),
            _ => {
                return self.lower_index(opcode)
                    || self.lower_change(opcode)
                    || self.lower_implied(opcode)
                    || self.lower_flow(opcode);
            }
        }
        true
    }

    /// Loads, stores and comparisons of X and Y, LAX and BIT.
    fn lower_index(&mut self, opcode: u8) -> bool {
        match opcode {
            0xA2 => self.load_register(X, AddressingMode::Immediate),
            0xA6 => self.load_register(X, AddressingMode::ZeroPage),
            0xB6 => self.load_register(X, AddressingMode::ZeroPageY),
            0xAE => self.load_register(X, AddressingMode::Absolute),
            0xBE => self.load_register(X, AddressingMode::AbsoluteY),
            0xA0 => self.load_register(Y, AddressingMode::Immediate),
            0xA4 => self.load_register(Y, AddressingMode::ZeroPage),
            0xB4 => self.load_register(Y, AddressingMode::ZeroPageX),
            0xAC => self.load_register(Y, AddressingMode::Absolute),
            0xBC => self.load_register(Y, AddressingMode::AbsoluteX),
            0xA7 => self.load_both(AddressingMode::ZeroPage),
            0xB7 => self.load_both(AddressingMode::ZeroPageY),
            0xAF => self.load_both(AddressingMode::Absolute),
            0xBF => self.load_both(AddressingMode::AbsoluteY),
            0xA3 => self.load_both(AddressingMode::IndirectX),
            0xB3 => self.load_both(AddressingMode::IndirectY),
            0x86 => self.store_register(X, AddressingMode::ZeroPage),
            0x96 => self.store_register(X, AddressingMode::ZeroPageY),
            0x8E => self.store_register(X, AddressingMode::Absolute),
            0x84 => self.store_register(Y, AddressingMode::ZeroPage),
            0x94 => self.store_register(Y, AddressingMode::ZeroPageX),
            0x8C => self.store_register(Y, AddressingMode::Absolute),

            0xE0 => self.compare(X, AddressingMode::Immediate),
            0xE4 => self.compare(X, AddressingMode::ZeroPage),
            0xEC => self.compare(X, AddressingMode::Absolute),
            0xC0 => self.compare(Y, AddressingMode::Immediate),
            0xC4 => self.compare(Y, AddressingMode::ZeroPage),
            0xCC => self.compare(Y, AddressingMode::Absolute),
            0x24 => self.test_bits(AddressingMode::ZeroPage),
            0x2C => self.test_bits(AddressingMode::Absolute),
            _ => return false,
        }
        true
    }

    /// Shifts, increments and decrements.
    fn lower_change(&mut self, opcode: u8) -> bool {
        match opcode {
            0x0A | 0x2A | 0x4A | 0x6A => {
                self.get(A);
                self.set(Operand);
                self.change(opcode >> 5);
                self.get(Operand);
                self.set(A);
            }
            0x06 | 0x26 | 0x46 | 0x66 | 0xC6 | 0xE6 => {
                self.modify(AddressingMode::ZeroPage, |body| body.change(opcode >> 5));
            }
            0x16 | 0x36 | 0x56 | 0x76 | 0xD6 | 0xF6 => {
                self.modify(AddressingMode::ZeroPageX, |body| body.change(opcode >> 5));
            }
            0x0E | 0x2E | 0x4E | 0x6E | 0xCE | 0xEE => {
                self.modify(AddressingMode::Absolute, |body| body.change(opcode >> 5));
            }
            0x1E | 0x3E | 0x5E | 0x7E | 0xDE | 0xFE => {
                self.modify(AddressingMode::AbsoluteX, |body| body.change(opcode >> 5));
            }
            0xE8 => self.count(X, 1),
            0xC8 => self.count(Y, 1),
            0xCA => self.count(X, -1),
            0x88 => self.count(Y, -1),
            _ => return false,
        }
        true
    }

    /// Transfers between registers, and flags.
    fn lower_implied(&mut self, opcode: u8) -> bool {
        match opcode {
            0xAA => self.transfer(A, X),
            0xA8 => self.transfer(A, Y),
            0x8A => self.transfer(X, A),
            0x98 => self.transfer(Y, A),
            0xBA => self.transfer(Sp, X),
            0x9A => {
                self.get(X);
                self.set(Sp);
            }
            0x18 => self.put(Carry, 0),
            0x38 => self.put(Carry, 1),
            0xB8 => self.put(Overflow, 0),
            0xD8 => self.put(Decimal, 0),
            0xF8 => self.put(Decimal, 1),
            0x58 => self.disable_interrupts(0),
            0x78 => self.disable_interrupts(1),
            0xEA => {}
            _ => return false,
        }
        true
    }

    /// ORA, AND, EOR, ADC, STA, LDA, CMP, SBC.
    fn accumulate(&mut self, operation: u8, mode: AddressingMode) {
        let bitwise = match operation {
            0 => Op::Or,
            1 => Op::And,
            2 => Op::Xor,
            3 => return self.add(mode, RuntimeCall::AddDecimal, 0),
            4 => return self.store_register(A, mode),
            5 => return self.load_register(A, mode),
            6 => return self.compare(A, mode),
            _ => return self.add(mode, RuntimeCall::SubtractDecimal, 0xFF),
        };
        self.load(mode);
        self.get(A);
        self.get(Operand);
        self.ops(&[bitwise, Op::Tee(Result), Op::Set(A)]);
    }

    fn load_register(&mut self, register: Local, mode: AddressingMode) {
        self.load(mode);
        self.get(Operand);
        self.ops(&[Op::Tee(Result), Op::Set(register)]);
    }

    /// LAX.
    fn load_both(&mut self, mode: AddressingMode) {
        self.load_register(A, mode);
        self.get(A);
        self.set(X);
    }

    fn store_register(&mut self, register: Local, mode: AddressingMode) {
        self.get(register);
        self.set(Operand);
        self.store(mode);
    }

    /// ADC, or SBC, which adds the operand's complement in binary mode.
    fn add(&mut self, mode: AddressingMode, decimal: RuntimeCall, complement: i32) {
        self.load(mode);
        self.get(Decimal);
        self.choose_unlikely(
            |body| {
                body.get(A);
                body.get(Operand);
                body.get(Carry);
                body.call(decimal);
                body.ops(&[Op::Tee(Scratch)]);
                body.shift_right(9);
                body.set(Overflow);
            },
            |body| {
                if complement != 0 {
                    body.get(Operand);
                    body.ops(&[Op::Const(complement), Op::Xor, Op::Set(Operand)]);
                }
                body.get(A);
                body.get(Operand);
                body.get(Carry);
                body.ops(&[Op::Add, Op::Add, Op::Tee(Scratch)]);
                body.get(A);
                body.op(Op::Xor);
                body.get(Operand);
                body.get(Scratch);
                body.ops(&[Op::Xor, Op::And]);
                body.and(0x80);
                body.set(Overflow);
            },
        );
        self.get(Scratch);
        self.shift_right(8);
        self.and(1);
        self.set(Carry);
        self.get(Scratch);
        self.and(0xFF);
        self.ops(&[Op::Tee(Result), Op::Set(A)]);
    }

    fn compare(&mut self, register: Local, mode: AddressingMode) {
        self.load(mode);
        self.get(register);
        self.get(Operand);
        self.ops(&[Op::NotLess, Op::Set(Carry)]);
        self.get(register);
        self.get(Operand);
        self.op(Op::Sub);
        self.and(0xFF);
        self.set(Result);
    }

    /// BIT.
    fn test_bits(&mut self, mode: AddressingMode) {
        self.load(mode);
        self.get(Operand);
        self.and(0x40);
        self.set(Overflow);
        self.get(Operand);
        self.and(0x80);
        self.shift_left(1);
        self.get(A);
        self.get(Operand);
        self.ops(&[Op::And, Op::Or, Op::Set(Result)]);
    }

    /// ASL, ROL, LSR, ROR, DEC or INC of [`Operand`].
    fn change(&mut self, operation: u8) {
        self.get(Operand);
        match operation {
            0 | 1 => {
                self.shift_left(1);
                if operation == 1 {
                    self.get(Carry);
                    self.op(Op::Or);
                }
                self.get(Operand);
                self.shift_right(7);
                self.set(Carry);
            }
            2 | 3 => {
                self.shift_right(1);
                if operation == 3 {
                    self.get(Carry);
                    self.shift_left(7);
                    self.op(Op::Or);
                }
                self.get(Operand);
                self.and(1);
                self.set(Carry);
            }
            _ => {
                self.constant(if operation == 6 { -1 } else { 1 });
                self.op(Op::Add);
            }
        }
        self.and(0xFF);
        self.ops(&[Op::Tee(Result), Op::Set(Operand)]);
    }

    fn count(&mut self, register: Local, by: i32) {
        self.get(register);
        self.constant(by);
        self.op(Op::Add);
        self.and(0xFF);
        self.ops(&[Op::Tee(Result), Op::Set(register)]);
    }

    fn transfer(&mut self, from: Local, to: Local) {
        self.get(from);
        self.ops(&[Op::Tee(Result), Op::Set(to)]);
    }

    fn put(&mut self, local: Local, value: i32) {
        self.constant(value);
        self.set(local);
    }

    fn disable_interrupts(&mut self, disabled: i32) {
        self.get(Machine);
        self.constant(disabled);
        self.op(Op::Store8(layout::INTERRUPT_DISABLE));
    }

    /// Pushes P.
    pub(super) fn status(&mut self) {
        self.negative();
        self.constant(0);
        self.op(Op::NotEqual);
        self.shift_left(7);
        self.get(Overflow);
        self.constant(0);
        self.op(Op::NotEqual);
        self.shift_left(6);
        self.op(Op::Or);
        self.get(Decimal);
        self.shift_left(3);
        self.op(Op::Or);
        self.load_machine(Op::Load8(layout::INTERRUPT_DISABLE));
        self.shift_left(2);
        self.op(Op::Or);
        self.get(Result);
        self.and(0xFF);
        self.op(Op::IsZero);
        self.shift_left(1);
        self.op(Op::Or);
        self.get(Carry);
        self.op(Op::Or);
        self.constant(0x30);
        self.op(Op::Or);
    }

    /// Takes the flags from [`Operand`].
    pub(super) fn set_status(&mut self) {
        self.get(Operand);
        self.and(0x80);
        self.shift_left(1);
        self.get(Operand);
        self.and(0x02);
        self.ops(&[Op::IsZero, Op::Or, Op::Set(Result)]);
        self.get(Operand);
        self.and(0x40);
        self.set(Overflow);
        self.get(Operand);
        self.shift_right(3);
        self.and(1);
        self.set(Decimal);
        self.get(Machine);
        self.get(Operand);
        self.shift_right(2);
        self.and(1);
        self.op(Op::Store8(layout::INTERRUPT_DISABLE));
        self.get(Operand);
        self.and(1);
        self.set(Carry);
    }

    /// Pushes a value that is not 0 if N is set.
    pub(super) fn negative(&mut self) {
        self.get(Result);
        self.and(0x180);
    }
}
