//! Jumps, branches, calls and the stack.

use super::*;

impl Body<'_> {
    /// Lowers a jump, a call or an access to the stack. Returns false, and emits nothing, for another instruction.
    pub(super) fn lower_flow(&mut self, opcode: u8) -> bool {
        let begin = self.at - u32::from(LENGTHS[usize::from(opcode)]);
        match opcode {
            0x4C => self.go_to(self.view.index_of(self.absolute()), Some(self.high())),
            0x6C => return self.jump_indirect(),
            0x20 => {
                self.expect_stack(begin, 0x81..=0xFF);
                let back = self.view.address(self.at);
                self.push_constant((back >> 8) as u8);
                self.push_constant(back as u8);
                self.go_to(self.view.index_of(self.absolute()), Some(self.high()));
            }
            0x60 => {
                self.expect_stack(begin, 0x80..=0xFD);
                self.pull();
                self.pull();
                self.shift_left(8);
                self.ops(&[Op::Or, Op::Set(Address)]);
                self.return_to_caller();
            }
            0x48 => {
                self.get(A);
                self.set(Operand);
                self.push();
            }
            0x08 => {
                self.status();
                self.set(Operand);
                self.push();
            }
            0x68 => {
                self.pull_anywhere(opcode);
                self.get(Operand);
                self.ops(&[Op::Tee(Result), Op::Set(A)]);
            }
            0x28 => {
                self.pull_anywhere(opcode);
                self.set_status();
            }
            _ => return false,
        }
        true
    }

    pub(super) fn branch(&mut self, opcode: u8) {
        // Bits 6 and 7 tell the flag, bit 5 whether it has to be set.
        match opcode >> 6 {
            0 => self.negative(),
            1 => self.get(Overflow),
            2 => self.get(Carry),
            _ => {
                self.get(Result);
                self.and(0xFF);
                self.op(Op::IsZero);
            }
        }
        if opcode & 0x20 == 0 {
            self.op(Op::IsZero);
        }
        let offset = self.low();
        let from = self.view.address(self.at);
        let target = from.wrapping_add_signed(i16::from(offset as i8));
        self.when(|body| {
            body.pass(1 + i32::from((from ^ target) & 0xFF00 != 0));
            let at = body.view.index_of(target);
            if offset == TIMER_LOOP_OFFSET && matches!(opcode, 0x10 | 0xD0) {
                body.wait_for_timer(opcode, target, at);
            }
            body.go_to(at, Some(offset));
        });
    }

    /// Executes all rounds except the last of a loop that waits for the timer ([`crate::cpu::timer_wait`]).
    fn wait_for_timer(&mut self, branch: u8, target: u16, at: u32) {
        let Some(code) = self.view.code(at) else { return };
        let register = match code as u8 {
            0xAC => Y,
            0xAD => A,
            0xAE => X,
            _ => return,
        };
        let crosses = (target ^ target.wrapping_add(TIMER_LOOP_BYTES)) & 0xFF00 != 0;
        if !bus::is_timer((code >> 8) as u16) || crosses {
            return;
        }
        self.get(Machine);
        self.constant(i32::from(target));
        self.constant(code as i32);
        self.constant(i32::from(branch));
        self.get(Cycles);
        self.get(Left);
        self.call(RuntimeCall::TimerWait);
        self.op(Op::Tee(Scratch));
        self.when(|body| {
            body.get(Scratch);
            body.and(0xFF);
            body.ops(&[Op::Tee(Result), Op::Set(register)]);
            // Rounds: two instructions each.
            body.get(Scratch);
            body.shift_right(8);
            body.set(Scratch);
            body.get(Left);
            body.get(Scratch);
            body.shift_left(1);
            body.ops(&[Op::Sub, Op::Set(Left)]);
            for _ in 0..TIMER_LOOP_CYCLES {
                body.get(Cycles);
                body.get(Scratch);
                body.ops(&[Op::Add, Op::Set(Cycles)]);
            }
        });
    }

    /// JMP through a pointer that is ROM or RAM.
    fn jump_indirect(&mut self) -> bool {
        let low = self.absolute();
        let high = low & 0xFF00 | low.wrapping_add(1) & 0x00FF;
        let rom = |address| self.view.bytes.get(self.view.index_of(address) as usize).copied();
        if let (Some(low), Some(high)) = (rom(low), rom(high)) {
            let target = u16::from_le_bytes([low, high]);
            self.go_to(self.view.index_of(target), Some(high));
            return true;
        }
        if !(0x80..0xFF).contains(&low) {
            return false;
        }
        self.load_machine(Op::Load16(layout::RAM + u32::from(low & 0x7F)));
        self.op(Op::Set(Pc));
        self.get(Machine);
        self.get(Pc);
        self.shift_right(8);
        self.op(Op::Store8(layout::DATA));
        self.end(exit::ELSEWHERE);
        true
    }

    /// Continues after [`Address`], which RTS reads first. The read has no effect if it is ROM of this view.
    fn return_to_caller(&mut self) {
        self.get(Address);
        self.constant(i32::from(self.view.first));
        self.op(Op::Sub);
        self.and(0xFFFF);
        self.constant(self.view.bytes.len() as i32 - 1);
        self.op(Op::NotLess);
        self.when_unlikely(|body| {
            body.get(Address);
            body.shift_right(8);
            body.set(Scratch);
            body.get(Machine);
            body.read_bus(Op::Get(Address), Op::Get(Scratch));
            body.op(Op::Store8(layout::DATA));
        });
        self.get(Address);
        self.constant(1);
        self.op(Op::Add);
        self.and(0xFFFF);
        self.set(Pc);
        self.end(exit::ELSEWHERE);
    }
}
