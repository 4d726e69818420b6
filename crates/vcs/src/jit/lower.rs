//! Lowers basic blocks of 6502 instructions to functions of [`super::ir`].
//!
//! A function is a sequence of blocks, and can be entered at each of them. It loads the registers to locals at its beginning and
//! stores them at its end. Blocks are nested, so that a jump forward leaves the blocks in between; a jump backwards goes through the
//! jump table at the top, inside a loop.

use super::ir::{Local, Op, exit};
use super::layout;
use super::rom_view::{Block, RomView, never_falls_through};
use super::runtime::RuntimeCall;
use crate::HmoveBlanks;
use crate::bus;
use crate::cartridge::SLICE;
use crate::cpu::{CYCLES, LENGTHS, TIMER_LOOP_BYTES, TIMER_LOOP_CYCLES, TIMER_LOOP_OFFSET};
use crate::tia::{self, Concern, log};
use Local::{
    A, Address, Carry, Cycles, Decimal, Exit, Left, Machine, Next, Operand, Overflow, Pc, Result, Rom, Scratch, Sp, X,
    Y,
};
use std::sync::LazyLock;

mod flow;
mod instruction;
mod memory;
mod writes;

/// The most entries that an instruction adds to the TIA's log: its write, and a read before it while HMOVE's blank is pending.
const WRITES: u32 = 2;

/// Lowers a sequence of blocks to a function.
pub(super) fn function(view: &RomView<'_>, blocks: &[Block]) -> Vec<Op> {
    let mut body = Body::new(view, blocks);
    body.load_registers();
    body.op(Op::Block);
    body.check_room(0);
    body.op(Op::Loop);
    body.code.extend(blocks.iter().map(|_| Op::Block));
    body.op(Op::Get(Next));
    body.op(Op::JumpTable(blocks.len() as u32));
    for block in 0..blocks.len() {
        body.op(Op::End);
        body.block = block;
        body.lower_block();
    }
    body.op(Op::End);
    body.op(Op::End);
    body.store_registers();
    body.code
}

/// Whether an opcode has a lowering. The others are interpreted.
pub(super) fn has_lowering(opcode: u8) -> bool {
    static HAS_LOWERING: LazyLock<[bool; 256]> =
        LazyLock::new(|| std::array::from_fn(|opcode| try_opcode(opcode as u8)));
    HAS_LOWERING[usize::from(opcode)]
}

/// [`has_lowering`], found by lowering the opcode.
fn try_opcode(opcode: u8) -> bool {
    let view = RomView {
        first: 0,
        offset: 0,
        bytes: &[],
        switches: false,
        chip: 0,
        sliced: None,
    };
    let blocks = [Block {
        at: 0,
        end: 3,
        length: 1,
    }];
    let mut body = Body::new(&view, &blocks);
    (body.at, body.length, body.done) = (3, 1, 1);
    body.lower_opcode(opcode)
}

/// Accesses of the present instruction after which the function may end.
#[derive(Clone, Copy, Default)]
struct Accesses {
    /// A write to a chip, which may end the frame.
    chips: bool,
    /// An access to the cartridge that may not be a quiet read.
    cartridge: bool,
}

/// The function that is being built.
struct Body<'a> {
    view: &'a RomView<'a>,
    blocks: &'a [Block],
    code: Vec<Op>,
    /// The present block, and the levels that are open in it.
    block: usize,
    nesting: u32,
    /// The index after the present instruction, in the view.
    at: u32,
    /// The present instruction's bytes.
    word: u32,
    /// The block's instructions, and how many of them are done at the end of the present one.
    length: u32,
    done: u32,
    accesses: Accesses,
}

impl<'a> Body<'a> {
    fn new(view: &'a RomView<'a>, blocks: &'a [Block]) -> Self {
        Self {
            view,
            blocks,
            code: Vec::new(),
            block: 0,
            nesting: 0,
            at: 0,
            word: 0,
            length: 0,
            done: 0,
            accesses: Accesses::default(),
        }
    }
}

impl Body<'_> {
    fn load_registers(&mut self) {
        for (local, field) in layout::REGISTERS {
            self.get(Machine);
            self.ops(&[field.load(), Op::Set(local)]);
        }
        self.load_machine(Op::Load16(layout::PC));
        self.set(Pc);
    }

    /// Leaves the next instruction, at [`Pc`], to the interpreter if fewer instructions are left in the frame than the function has, or
    /// if the log may not have room for their writes. Each instruction is executed at most once before the next check. The
    /// function's end is `levels` out.
    fn check_room(&mut self, levels: u32) {
        let most: u32 = self.blocks.iter().map(|block| block.length).sum();
        self.get(Left);
        self.constant(most as i32);
        self.op(Op::Less);
        self.load_machine(Op::Load32(layout::LOG_LENGTH));
        self.constant((log::CAPACITY as u32).saturating_sub(WRITES * most) as i32);
        self.ops(&[Op::NotLess, Op::Or]);
        self.when_unlikely(|body| {
            body.constant(exit::INTERPRET);
            body.set(Exit);
            body.op(Op::Jump(body.nesting + levels));
        });
    }

    fn store_registers(&mut self) {
        self.get(Overflow);
        self.constant(0);
        self.ops(&[Op::NotEqual, Op::Set(Overflow)]);
        for (local, field) in layout::REGISTERS {
            self.get(Machine);
            self.ops(&[Op::Get(local), field.store()]);
        }
        self.get(Machine);
        self.ops(&[Op::Get(Pc), Op::Store16(layout::PC)]);
        self.get(Exit);
    }

    fn lower_block(&mut self) {
        let Block { at, length, .. } = self.blocks[self.block];
        self.length = length;
        self.done = 0;
        self.at = at;
        self.get(Left);
        self.constant(length as i32);
        self.ops(&[Op::Sub, Op::Set(Left)]);
        for _ in 0..length {
            self.lower_instruction();
        }
        let last = self.word as u8;
        if !never_falls_through(last) {
            self.go_to(self.at, None);
        }
    }

    fn lower_instruction(&mut self) {
        self.word = self.view.code_in_block(self.at);
        let opcode = self.word as u8;
        let begin = self.at;
        self.at += u32::from(LENGTHS[usize::from(opcode)]);
        self.done += 1;
        self.accesses = Accesses::default();
        self.pass(i32::from(CYCLES[usize::from(opcode)]));
        if !self.lower_opcode(opcode) {
            // Nothing has been emitted for it.
            self.pass(-i32::from(CYCLES[usize::from(opcode)]));
            self.interpret(begin);
            return;
        }
        self.check_accesses();
    }

    /// Ends the function after the present instruction if that has ended the frame or switched banks.
    fn check_accesses(&mut self) {
        if self.accesses.chips {
            self.load_machine(Op::Load8(layout::FRAME_END));
        }
        if self.accesses.cartridge && self.view.switches {
            self.load_machine(Op::Load8(layout::SWITCHED));
            if self.accesses.chips {
                self.op(Op::Or);
            }
        } else if !self.accesses.chips {
            return;
        }
        self.when_unlikely(|body| body.leave(body.at, None));
    }

    // Ways to leave a block.

    /// Leaves the present instruction, at `begin`, to the interpreter. Nothing of it has been done.
    fn interpret(&mut self, begin: u32) {
        self.give_back(1);
        self.constant(i32::from(self.view.address(begin)));
        self.op(Op::Set(Pc));
        self.end(exit::INTERPRET);
    }

    /// Ends the function; the program continues at `at`. `data` is the last byte on the bus.
    fn leave(&mut self, at: u32, data: Option<u8>) {
        self.give_back(0);
        self.constant(i32::from(self.view.address(at)));
        self.op(Op::Set(Pc));
        if let Some(data) = data {
            self.store_data(data);
        }
        self.end(exit::ELSEWHERE);
    }

    /// Counts the block's instructions after the present one, and `more` before them, as not executed.
    fn give_back(&mut self, more: u32) {
        let left = self.length - self.done + more;
        if left > 0 {
            self.get(Left);
            self.constant(left as i32);
            self.ops(&[Op::Add, Op::Set(Left)]);
        }
    }

    fn end(&mut self, exit: i32) {
        self.constant(exit);
        self.op(Op::Set(Exit));
        let blocks_after = (self.blocks.len() - 1 - self.block) as u32;
        self.op(Op::Jump(self.nesting + blocks_after + 1));
    }

    /// Jumps to `at` after the present instruction, within the function if it has a block there.
    fn go_to(&mut self, at: u32, data: Option<u8>) {
        let Ok(target) = self.blocks.binary_search_by_key(&at, |block| block.at) else {
            self.leave(at, data);
            return;
        };
        self.give_back(0);
        if target > self.block {
            self.op(Op::Jump(self.nesting + (target - self.block - 1) as u32));
        } else {
            self.constant(i32::from(self.view.address(at)));
            self.op(Op::Set(Pc));
            let blocks_after = (self.blocks.len() - 1 - self.block) as u32;
            self.check_room(blocks_after + 1);
            self.op(Op::Restart {
                block: target as u32,
                depth: self.nesting + blocks_after,
            });
        }
    }

    /// Stores the last byte on the bus, which a fetch from the TIA reads.
    fn store_data(&mut self, data: u8) {
        self.get(Machine);
        self.constant(i32::from(data));
        self.op(Op::Store8(layout::DATA));
    }

    // Operations.

    fn op(&mut self, op: Op) {
        self.code.push(op);
    }

    fn ops(&mut self, ops: &[Op]) {
        self.code.extend_from_slice(ops);
    }

    fn get(&mut self, local: Local) {
        self.op(Op::Get(local));
    }

    /// Pushes a field of the machine.
    fn load_machine(&mut self, load: Op) {
        self.ops(&[Op::Get(Machine), load]);
    }

    fn set(&mut self, local: Local) {
        self.op(Op::Set(local));
    }

    fn constant(&mut self, value: i32) {
        self.op(Op::Const(value));
    }

    fn and(&mut self, mask: i32) {
        self.ops(&[Op::Const(mask), Op::And]);
    }

    fn shift_right(&mut self, by: i32) {
        self.ops(&[Op::Const(by), Op::ShiftRight]);
    }

    fn shift_left(&mut self, by: i32) {
        self.ops(&[Op::Const(by), Op::ShiftLeft]);
    }

    fn call(&mut self, callee: RuntimeCall) {
        self.op(Op::Call(callee));
    }

    fn pass(&mut self, cycles: i32) {
        self.get(Cycles);
        self.constant(cycles);
        self.ops(&[Op::Add, Op::Set(Cycles)]);
    }

    /// Pops a value; `then` is executed if it is not 0.
    fn when(&mut self, then: impl FnOnce(&mut Self)) {
        self.branch_if(Op::If, then);
    }

    /// [`Body::when`] for a value that is nearly always 0.
    fn when_unlikely(&mut self, then: impl FnOnce(&mut Self)) {
        self.branch_if(Op::IfUnlikely, then);
    }

    fn branch_if(&mut self, branch: Op, then: impl FnOnce(&mut Self)) {
        self.op(branch);
        self.nesting += 1;
        then(self);
        self.nesting -= 1;
        self.op(Op::End);
    }

    /// Pops a value; `then` is executed if it is not 0, else `otherwise`.
    fn choose(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.choose_by(Op::If, then, otherwise);
    }

    /// [`Body::choose`] for a value that is nearly always 0.
    fn choose_unlikely(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.choose_by(Op::IfUnlikely, then, otherwise);
    }

    fn choose_by(&mut self, branch: Op, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.op(branch);
        self.nesting += 1;
        then(self);
        self.op(Op::Else);
        otherwise(self);
        self.nesting -= 1;
        self.op(Op::End);
    }

    // The bytes after the opcode.

    fn low(&self) -> u8 {
        (self.word >> 8) as u8
    }

    fn high(&self) -> u8 {
        (self.word >> 16) as u8
    }

    fn absolute(&self) -> u16 {
        (self.word >> 8) as u16
    }
}
