//! Memory accesses. Operands are read to and written from [`Operand`]. An address that is not constant is in [`Address`].

use super::*;

/// Addressing modes with an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AddressingMode {
    Immediate,
    ZeroPage,
    ZeroPageX,
    ZeroPageY,
    Absolute,
    AbsoluteX,
    AbsoluteY,
    IndirectX,
    IndirectY,
}

/// Whether crossing a page costs a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Crossing {
    Costs,
    Free,
}

impl Body<'_> {
    /// Reads the operand.
    pub(super) fn load(&mut self, mode: AddressingMode) {
        match mode {
            AddressingMode::Immediate => {
                self.constant(i32::from(self.low()));
                self.set(Operand);
            }
            AddressingMode::ZeroPage => self.read_constant(u16::from(self.low()), self.low()),
            AddressingMode::Absolute => self.read_constant(self.absolute(), self.high()),
            AddressingMode::ZeroPageX | AddressingMode::ZeroPageY => {
                self.find(mode, Crossing::Free);
                self.read_zero_page();
            }
            AddressingMode::AbsoluteX | AddressingMode::AbsoluteY if self.is_table() => {
                self.cross(mode);
                self.get(Rom);
                self.get(index(mode));
                let at = u32::from(self.absolute().wrapping_sub(self.view.first));
                self.ops(&[Op::Add, Op::Load8(self.view.offset + at), Op::Set(Operand)]);
            }
            _ => {
                self.find(mode, Crossing::Costs);
                self.read_anywhere(mode);
            }
        }
    }

    /// Writes the operand.
    pub(super) fn store(&mut self, mode: AddressingMode) {
        match mode {
            AddressingMode::ZeroPage => self.write_constant(u16::from(self.low())),
            AddressingMode::Absolute => self.write_constant(self.absolute()),
            AddressingMode::ZeroPageX | AddressingMode::ZeroPageY => {
                self.find(mode, Crossing::Free);
                self.write_zero_page();
            }
            _ => {
                self.find(mode, Crossing::Free);
                self.write_anywhere();
            }
        }
    }

    /// Reads the operand, changes it and writes it back.
    pub(super) fn modify(&mut self, mode: AddressingMode, change: impl FnOnce(&mut Self)) {
        match mode {
            AddressingMode::ZeroPage => {
                self.read_constant(u16::from(self.low()), self.low());
                change(self);
                self.write_constant(u16::from(self.low()));
            }
            AddressingMode::Absolute => {
                self.read_constant(self.absolute(), self.high());
                change(self);
                self.write_constant(self.absolute());
            }
            AddressingMode::ZeroPageX => {
                self.find(mode, Crossing::Free);
                self.read_zero_page();
                change(self);
                self.write_zero_page();
            }
            _ => {
                self.find(mode, Crossing::Free);
                self.read_anywhere(mode);
                change(self);
                self.write_anywhere();
            }
        }
    }

    /// Whether the absolute address with any index is ROM of this view.
    fn is_table(&self) -> bool {
        let at = u32::from(self.absolute().wrapping_sub(self.view.first));
        at + 0xFF < self.view.bytes.len() as u32
    }

    /// Adds the cycle that crossing a page costs.
    fn cross(&mut self, mode: AddressingMode) {
        if self.low() == 0 {
            return;
        }
        self.get(Cycles);
        self.constant(i32::from(self.low()));
        self.get(index(mode));
        self.op(Op::Add);
        self.shift_right(8);
        self.ops(&[Op::Add, Op::Set(Cycles)]);
    }

    /// Computes the effective address. The byte on the bus before the access is in [`Scratch`] if it is not constant.
    fn find(&mut self, mode: AddressingMode, crossing: Crossing) {
        match mode {
            AddressingMode::ZeroPageX | AddressingMode::ZeroPageY => {
                self.constant(i32::from(self.low()));
                self.get(index(mode));
                self.op(Op::Add);
                self.and(0xFF);
                self.set(Address);
            }
            AddressingMode::AbsoluteX | AddressingMode::AbsoluteY => {
                if crossing == Crossing::Costs {
                    self.cross(mode);
                }
                self.constant(i32::from(self.absolute()));
                self.get(index(mode));
                self.op(Op::Add);
                self.and(0xFFFF);
                self.set(Address);
            }
            AddressingMode::IndirectX => self.find_indirect_x(),
            AddressingMode::IndirectY => self.find_indirect_y(crossing),
            AddressingMode::Immediate | AddressingMode::ZeroPage | AddressingMode::Absolute => {}
        }
    }

    /// [`Body::find`] for a pointer on page 0 at operand + X.
    fn find_indirect_x(&mut self) {
        self.constant(i32::from(self.low()));
        self.get(X);
        self.op(Op::Add);
        self.and(0xFF);
        self.op(Op::Tee(Address));
        // Both bytes are RAM.
        self.ops(&[Op::Const(0x80), Op::Sub, Op::Const(0x7F), Op::Less]);
        self.choose(
            |body| {
                body.ram_address();
                body.ops(&[Op::Load16(layout::RAM), Op::Set(Address)]);
            },
            |body| {
                body.read_word();
                body.set(Address);
            },
        );
        self.note_before();
    }

    /// [`Body::find`] for a pointer on page 0, to which Y is added.
    fn find_indirect_y(&mut self, crossing: Crossing) {
        let low = self.low();
        if (0x80..0xFF).contains(&low) {
            self.load_machine(Op::Load16(layout::RAM + u32::from(low & 0x7F)));
        } else {
            self.constant(i32::from(low));
            self.set(Address);
            self.read_word();
        }
        self.set(Address);
        self.note_before();
        if crossing == Crossing::Costs {
            self.get(Cycles);
            self.get(Address);
            self.and(0xFF);
            self.get(Y);
            self.op(Op::Add);
            self.shift_right(8);
            self.ops(&[Op::Add, Op::Set(Cycles)]);
        }
        self.get(Address);
        self.get(Y);
        self.op(Op::Add);
        self.and(0xFFFF);
        self.set(Address);
    }

    /// The pointer's high byte was on the bus last.
    fn note_before(&mut self) {
        self.get(Address);
        self.shift_right(8);
        self.set(Scratch);
    }

    /// The word at a pointer on page 0, [`Address`], that is not RAM.
    fn read_word(&mut self) {
        self.get(Machine);
        self.get(Address);
        self.constant(i32::from(self.low()));
        self.get(Cycles);
        self.call(RuntimeCall::Word);
    }

    /// Pushes the address of the byte of RAM that [`Address`] names, without the offset of the RAM within the machine.
    fn ram_address(&mut self) {
        self.get(Machine);
        self.get(Address);
        self.and(bus::RAM_BYTE.into());
        self.op(Op::Add);
    }

    fn read_constant(&mut self, address: u16, before: u8) {
        let at = u32::from(address.wrapping_sub(self.view.first));
        if bus::is_ram(address) {
            self.load_machine(Op::Load8(layout::RAM + u32::from(address & bus::RAM_BYTE)));
        } else if let Some(&byte) = self.view.bytes.get(at as usize) {
            self.constant(i32::from(byte));
        } else if bus::is_cartridge(address) && address & 0xFFF < self.view.chip {
            self.ops(&[Op::Get(Machine), Op::Const(address.into()), Op::Get(Cycles)]);
            self.call(RuntimeCall::Chip);
        } else {
            self.read_bus(Op::Const(address.into()), Op::Const(before.into()));
            self.accesses.cartridge |= bus::is_cartridge(address);
        }
        self.set(Operand);
    }

    fn read_zero_page(&mut self) {
        self.get(Address);
        self.and(bus::RIOT.into());
        self.choose(Self::read_ram, |body| {
            body.read_bus(Op::Get(Address), Op::Const(body.low().into()));
            body.set(Operand);
        });
    }

    /// Reads from [`Address`], which may be any.
    fn read_anywhere(&mut self, mode: AddressingMode) {
        let (first, length, offset) = (self.view.first, self.view.bytes.len(), self.view.offset);
        self.get(Address);
        self.constant(i32::from(first));
        self.op(Op::Sub);
        self.and(0xFFFF);
        self.ops(&[Op::Tee(Operand), Op::Const(length as i32), Op::Less]);
        self.accesses.cartridge = true;
        self.choose(
            |body| {
                body.get(Rom);
                body.get(Operand);
                body.ops(&[Op::Add, Op::Load8(offset), Op::Set(Operand)]);
            },
            |body| match body.view.sliced {
                Some(quiet) => {
                    body.if_quiet(quiet);
                    body.choose(Self::read_slice, |body| body.read_elsewhere(mode));
                }
                None => body.read_elsewhere(mode),
            },
        );
    }

    /// Pushes whether [`Address`] is one of the `quiet` ones.
    fn if_quiet(&mut self, quiet: (u16, u16)) {
        let (first, count) = quiet;
        self.get(Address);
        self.and(0x1FFF);
        self.ops(&[Op::Const(first.into()), Op::Sub, Op::Const(count.into()), Op::Less]);
    }

    /// Reads from [`Address`], which is quiet, through the table of slices. A mapper that switches slices one by one ignores address bit 13.
    fn read_slice(&mut self) {
        self.ops(&[Op::Get(Rom), Op::Get(Machine), Op::Get(Address)]);
        self.shift_right(SLICE.ilog2() as i32);
        self.and(3);
        self.shift_left(1);
        self.ops(&[Op::Add, Op::Load16(layout::SLICES), Op::Add, Op::Get(Address)]);
        self.and(i32::from(SLICE - 1));
        self.ops(&[Op::Add, Op::Load8(0), Op::Set(Operand)]);
    }

    /// Reads from [`Address`], which is RAM or needs the bus.
    fn read_elsewhere(&mut self, mode: AddressingMode) {
        self.if_ram();
        self.choose(Self::read_ram, |body| {
            let before = match mode {
                AddressingMode::IndirectX | AddressingMode::IndirectY => Op::Get(Scratch),
                _ => Op::Const(body.high().into()),
            };
            body.read_bus(Op::Get(Address), before);
            body.set(Operand);
        });
    }

    /// Pushes the byte that the bus reads from an address; `before` is the byte on the bus before.
    pub(super) fn read_bus(&mut self, address: Op, before: Op) {
        self.ops(&[
            Op::Get(Machine),
            address,
            before,
            Op::Get(Cycles),
            Op::Call(RuntimeCall::Read),
        ]);
    }

    /// Pushes whether [`Address`] is RAM.
    fn if_ram(&mut self) {
        self.get(Address);
        self.and(bus::CHIPS.into());
        self.ops(&[Op::Const(bus::RIOT.into()), Op::NotEqual, Op::IsZero]);
    }

    fn write_constant(&mut self, address: u16) {
        if bus::is_ram(address) {
            self.get(Machine);
            self.get(Operand);
            self.op(Op::Store8(layout::RAM + u32::from(address & bus::RAM_BYTE)));
        } else if bus::is_tia(address) {
            self.write_register((address & bus::WRITE_REGISTER) as u8);
        } else {
            self.constant(i32::from(address));
            self.set(Address);
            self.write_bus();
        }
    }

    fn write_zero_page(&mut self) {
        self.get(Address);
        self.and(bus::RIOT.into());
        self.choose(Self::write_ram, Self::write_tia);
    }

    fn write_anywhere(&mut self) {
        self.if_ram();
        self.choose(Self::write_ram, Self::write_bus);
    }

    fn read_ram(&mut self) {
        self.ram_address();
        self.ops(&[Op::Load8(layout::RAM), Op::Set(Operand)]);
    }

    fn write_ram(&mut self) {
        self.ram_address();
        self.get(Operand);
        self.op(Op::Store8(layout::RAM));
    }

    fn write_bus(&mut self) {
        self.get(Machine);
        self.get(Address);
        self.get(Operand);
        self.get(Cycles);
        self.call(RuntimeCall::Write);
        self.set(Cycles);
        self.accesses = Accesses {
            chips: true,
            cartridge: true,
        };
    }

    /// Pushes [`Operand`] on the program's stack, which may be the TIA.
    pub(super) fn push(&mut self) {
        self.get(Sp);
        self.op(Op::Tee(Address));
        self.and(bus::RIOT.into());
        self.choose(Self::write_ram, Self::write_tia);
        self.move_stack(-1);
    }

    /// Pushes a constant on the program's stack, which is RAM.
    pub(super) fn push_constant(&mut self, value: u8) {
        self.stack_address();
        self.constant(i32::from(value));
        self.op(Op::Store8(layout::RAM));
        self.move_stack(-1);
    }

    /// Pulls a byte from the program's stack, which is RAM, and pushes it on this one.
    pub(super) fn pull(&mut self) {
        self.move_stack(1);
        self.stack_address();
        self.op(Op::Load8(layout::RAM));
    }

    /// Pulls the operand from the program's stack. If that is the TIA, the read before the pull matters too.
    pub(super) fn pull_anywhere(&mut self, opcode: u8) {
        self.get(Sp);
        self.ops(&[Op::Const(0x80), Op::Sub, Op::Const(0x7F), Op::Less]);
        self.choose(
            |body| {
                body.pull();
                body.set(Operand);
            },
            |body| {
                body.constant(i32::from(opcode));
                body.set(Operand);
                body.read_stack();
                body.move_stack(1);
                body.read_stack();
            },
        );
    }

    /// Reads the operand at the stack pointer; [`Operand`] holds the byte on the bus before.
    fn read_stack(&mut self) {
        self.read_bus(Op::Get(Sp), Op::Get(Operand));
        self.set(Operand);
    }

    fn stack_address(&mut self) {
        self.get(Machine);
        self.get(Sp);
        self.and(bus::RAM_BYTE.into());
        self.op(Op::Add);
    }

    fn move_stack(&mut self, by: i32) {
        self.get(Sp);
        self.constant(by);
        self.op(Op::Add);
        self.and(0xFF);
        self.set(Sp);
    }

    /// Leaves the present instruction, at `begin`, to the interpreter if the stack pointer is not within `stack`.
    pub(super) fn expect_stack(&mut self, begin: u32, stack: std::ops::RangeInclusive<u8>) {
        self.get(Sp);
        self.constant(i32::from(*stack.start()));
        self.op(Op::Sub);
        self.constant(i32::from(*stack.end()) - i32::from(*stack.start()) + 1);
        self.op(Op::NotLess);
        self.when_unlikely(|body| {
            body.pass(-i32::from(CYCLES[usize::from(body.word as u8)]));
            body.interpret(begin);
        });
    }
}

/// The index register of an addressing mode.
fn index(mode: AddressingMode) -> Local {
    match mode {
        AddressingMode::ZeroPageY | AddressingMode::AbsoluteY | AddressingMode::IndirectY => Y,
        _ => X,
    }
}
