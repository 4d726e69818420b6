//! From 6502 instructions to the operations of a translated function.
//!
//! A function is a row of blocks, which it can be entered at. Registers are in locals from its beginning to its end. A jump
//! forward goes straight to its block, a jump back through the table at the top.

use super::blocks::{Block, RomView};
use super::ir::{Local, Op, exit};
use super::layout;
use super::runtime::RuntimeCall;
use crate::HmoveBlanks;
use crate::cartridge::SLICE;
use crate::cpu::{CYCLES, LENGTHS, TIMER_LOOP_BYTES, TIMER_LOOP_CYCLES};

use crate::tia::{self, Concern, log};
use Local::{
    A, Address, Carry, Cycles, Decimal, Exit, Left, Machine, Next, Operand, Overflow, Pc, Result, Rom, Scratch, Sp, X,
    Y,
};
use std::sync::LazyLock;

mod instruction;
mod memory;
mod writes;

/// Address bits by which RAM answers, and how they are then.
const RAM_BITS: (i32, i32) = (0x1280, 0x0080);

/// Entries that an instruction adds to the TIA's log, at most: its write, and a read before it while HMOVE's blank is pending.
const WRITES: u32 = 2;

/// Translates a row of blocks.
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
        body.translate_block();
    }
    body.op(Op::End);
    body.op(Op::End);
    body.store_registers();
    body.code
}

/// Whether an opcode is translated, not left to the interpreter.
pub(super) fn translates(opcode: u8) -> bool {
    static TRANSLATED: LazyLock<[bool; 256]> = LazyLock::new(|| std::array::from_fn(|opcode| try_opcode(opcode as u8)));
    TRANSLATED[usize::from(opcode)]
}

/// [`translates`], by trying it on no program at all.
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
    body.translate_opcode(opcode)
}

/// What the instruction in progress has done that may end the function.
#[derive(Clone, Copy, Default)]
struct Accesses {
    /// It has written to a chip, which may end the frame.
    chips: bool,
    /// It may have accessed the cartridge otherwise than by a quiet read.
    cartridge: bool,
}

/// A function in the making.
struct Body<'a> {
    view: &'a RomView<'a>,
    blocks: &'a [Block],
    code: Vec<Op>,
    /// The present block, and how many `If`s are open in it.
    block: usize,
    nesting: u32,
    /// Behind the present instruction, from the view's beginning.
    at: u32,
    /// The present instruction's bytes.
    word: u32,
    /// How many instructions of the block there are, and how many are done by the present one's end.
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
        for (local, place) in layout::REGISTERS {
            self.get(Machine);
            self.ops(&[place.load(), Op::Set(local)]);
        }
        self.load_machine(Op::Load16(layout::PC));
        self.set(Pc);
    }

    /// Lets the interpreter do the next instruction, at [`Pc`], if all instructions of the function are more than are left in the
    /// frame, or write more than the log has room for. Each is done once at most before the next check. The function's end is
    /// `levels` out.
    fn check_room(&mut self, levels: u32) {
        let most: u32 = self.blocks.iter().map(|block| block.length).sum();
        self.get(Left);
        self.constant(most as i32);
        self.op(Op::Less);
        self.load_machine(Op::Load32(layout::LOG_LENGTH));
        self.constant((log::CAPACITY as u32).saturating_sub(WRITES * most) as i32);
        self.ops(&[Op::NotLess, Op::Or]);
        self.rarely(|body| {
            body.constant(exit::INTERPRET);
            body.set(Exit);
            body.op(Op::Jump(body.nesting + levels));
        });
    }

    fn store_registers(&mut self) {
        self.get(Overflow);
        self.constant(0);
        self.ops(&[Op::NotEqual, Op::Set(Overflow)]);
        for (local, place) in layout::REGISTERS {
            self.get(Machine);
            self.ops(&[Op::Get(local), place.store()]);
        }
        self.get(Machine);
        self.ops(&[Op::Get(Pc), Op::Store16(layout::PC)]);
        self.get(Exit);
    }

    fn translate_block(&mut self) {
        let Block { at, length, .. } = self.blocks[self.block];
        self.length = length;
        self.done = 0;
        self.at = at;
        self.get(Left);
        self.constant(length as i32);
        self.ops(&[Op::Sub, Op::Set(Left)]);
        for _ in 0..length {
            self.translate_instruction();
        }
        let last = self.word as u8;
        if !super::blocks::never_falls_through(last) {
            self.go_to(self.at, None);
        }
    }

    fn translate_instruction(&mut self) {
        self.word = self.view.code(self.at).unwrap_or_default();
        let opcode = self.word as u8;
        let begin = self.at;
        self.at += u32::from(LENGTHS[usize::from(opcode)]);
        self.done += 1;
        self.accesses = Accesses::default();
        self.pass(i32::from(CYCLES[usize::from(opcode)]));
        if !self.translate_opcode(opcode) {
            // Nothing of it has been done: it is left to the interpreter.
            self.pass(-i32::from(CYCLES[usize::from(opcode)]));
            self.interpret(begin);
            return;
        }
        self.check_accesses();
    }

    /// Ends the function behind the present instruction, if that has ended the frame or switched banks.
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
        self.rarely(|body| body.leave(body.at, None));
    }

    // Ends.

    /// Lets the interpreter do the instruction at `begin`, the present one, of which nothing has been done.
    fn interpret(&mut self, begin: u32) {
        self.give_back(1);
        self.constant(i32::from(self.view.address(begin)));
        self.op(Op::Set(Pc));
        self.end(exit::INTERPRET);
    }

    /// Goes on at an address that this function does not know; `noise` was the last byte on the bus.
    fn leave(&mut self, at: u32, noise: Option<u8>) {
        self.give_back(0);
        self.constant(i32::from(self.view.address(at)));
        self.op(Op::Set(Pc));
        if let Some(noise) = noise {
            self.note(noise);
        }
        self.end(exit::ELSEWHERE);
    }

    /// Counts as not done what comes behind the present instruction, and `more` before that.
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

    /// Goes on at `at`, within this function if it is known there. The present instruction is the last one done.
    fn go_to(&mut self, at: u32, noise: Option<u8>) {
        let Ok(target) = self.blocks.binary_search_by_key(&at, |block| block.at) else {
            self.leave(at, noise);
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

    /// Notes the last byte on the bus, for whoever fetches outside of the ROM.
    fn note(&mut self, noise: u8) {
        self.get(Machine);
        self.constant(i32::from(noise));
        self.op(Op::Store8(layout::NOISE));
    }

    // Parts of code.

    // Not inlined, so that a table of opcodes does not become a large piece of code.
    #[inline(never)]
    fn op(&mut self, op: Op) {
        self.code.push(op);
    }

    #[inline(never)]
    fn ops(&mut self, ops: &[Op]) {
        self.code.extend_from_slice(ops);
    }

    #[inline(never)]
    fn get(&mut self, local: Local) {
        self.op(Op::Get(local));
    }

    /// Pushes something that the machine holds.
    #[inline(never)]
    fn load_machine(&mut self, load: Op) {
        self.ops(&[Op::Get(Machine), load]);
    }

    #[inline(never)]
    fn set(&mut self, local: Local) {
        self.op(Op::Set(local));
    }

    #[inline(never)]
    fn constant(&mut self, value: i32) {
        self.op(Op::Const(value));
    }

    #[inline(never)]
    fn and(&mut self, mask: i32) {
        self.ops(&[Op::Const(mask), Op::And]);
    }

    #[inline(never)]
    fn shift_right(&mut self, by: i32) {
        self.ops(&[Op::Const(by), Op::ShiftRight]);
    }

    #[inline(never)]
    fn shift_left(&mut self, by: i32) {
        self.ops(&[Op::Const(by), Op::ShiftLeft]);
    }

    fn call(&mut self, callee: RuntimeCall) {
        self.op(Op::Call(callee));
    }

    #[inline(never)]
    fn pass(&mut self, cycles: i32) {
        self.get(Cycles);
        self.constant(cycles);
        self.ops(&[Op::Add, Op::Set(Cycles)]);
    }

    /// Does something if the value on the top is not 0.
    fn when(&mut self, then: impl FnOnce(&mut Self)) {
        self.branch_if(Op::If, then);
    }

    /// The same where the value hardly ever is anything but 0.
    fn rarely(&mut self, then: impl FnOnce(&mut Self)) {
        self.branch_if(Op::IfUnlikely, then);
    }

    fn branch_if(&mut self, branch: Op, then: impl FnOnce(&mut Self)) {
        self.op(branch);
        self.nesting += 1;
        then(self);
        self.nesting -= 1;
        self.op(Op::End);
    }

    fn choose(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.choose_by(Op::If, then, otherwise);
    }

    /// The same where it hardly ever is the first.
    fn choose_rarely(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
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
