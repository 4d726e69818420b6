//! A verifier of generated code: follows a function with all values that its locals may have.
//!
//! It shows for every path that
//!
//! - accesses to the machine are to its fields, those to RAM and to the ROM within their bounds;
//! - booleans are 0 or 1 and registers have their widths wherever they are stored, and at every jump backwards;
//! - the log has room for a write wherever one is appended, from a check that each jump backwards has passed.
//!
//! It takes as given the ranges of loaded fields, that the slices of the cartridge are within the ROM (`Cartridge::can_map`), and what runtime
//! functions do, which `calls` checks.

mod calls;
mod flow;
mod memory;
mod programs;
mod tests;
mod values;

use super::ir::{Local, Op};
use super::layout;
use super::runtime::RuntimeCall;
use crate::cartridge::SLICE;
use crate::tia::{self, Concern, log};
use std::collections::HashMap;
use values::{Range, compute};

/// Why code is refused: the operation's index and the reason.
pub(super) type Refusal = (usize, String);

/// A value of the code: an index in [`Verifier::nodes`].
type Id = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Machine,
    Rom,
    Log,
}

/// How a value was computed.
#[derive(Clone, Copy, Debug)]
enum Node {
    Any,
    /// The log's length, with the number of changes before it was loaded.
    LogLength(u32),
    Binary(Op, Id, Id),
    IsZero(Id),
    Pointer(Base, Option<Id>),
}

/// The facts at one place of the code.
#[derive(Clone, Debug)]
struct AbstractState {
    locals: Vec<Id>,
    /// Ranges of values that follow from the branches taken.
    facts: HashMap<Id, Range>,
    /// Writes that the log has room for.
    room: u32,
    /// Changes of the log's length.
    log: u32,
}

struct Label {
    is_loop: bool,
    /// The facts at jumps to the label.
    joined: Option<AbstractState>,
    /// The facts at the alternative of an `If`.
    otherwise: Option<AbstractState>,
    height: usize,
    /// The room that a jump to a loop has to leave.
    room: u32,
}

/// The range of a local at jumps backwards and at the end.
fn local_range(local: Local) -> Range {
    match local {
        Local::A | Local::X | Local::Y | Local::Sp => Range::up_to(0xFF),
        Local::Carry | Local::Decimal | Local::Exit => Range::up_to(1),
        Local::Result => Range::up_to(0x1FF),
        Local::Pc => Range::up_to(0xFFFF),
        _ => Range::ANY,
    }
}

const LOCALS: [Local; 8] = [
    Local::A,
    Local::X,
    Local::Y,
    Local::Sp,
    Local::Carry,
    Local::Decimal,
    Local::Result,
    Local::Pc,
];

struct Verifier {
    rom: u32,
    fields: HashMap<(u32, u32), Range>,
    nodes: Vec<(Node, Range)>,
    stack: Vec<Id>,
    labels: Vec<Label>,
    /// None where code is not reached.
    state: Option<AbstractState>,
    /// The number of targets of the last jump table.
    table: u32,
    changes: u32,
}

/// Verifies a function of a program whose ROM has so many bytes.
pub(super) fn verify(code: &[Op], rom: usize) -> Result<(), Refusal> {
    let mut verifier = Verifier {
        rom: rom as u32,
        fields: memory::fields(rom),
        nodes: Vec::new(),
        stack: Vec::new(),
        labels: Vec::new(),
        state: None,
        table: 0,
        changes: 0,
    };
    let machine = verifier.node(Node::Pointer(Base::Machine, None), Range::ANY);
    let start = verifier.node(Node::Pointer(Base::Rom, None), Range::ANY);
    let next = verifier.any(Range::ANY);
    let zero = verifier.any(Range::exactly(0));
    let mut locals = vec![zero; Local::COUNT as usize];
    locals[..3].copy_from_slice(&[machine, start, next]);
    verifier.state = Some(AbstractState {
        locals,
        facts: HashMap::new(),
        room: 0,
        log: 0,
    });
    for (at, &op) in code.iter().enumerate() {
        verifier.step(op).map_err(|reason| (at, format!("{op:?}: {reason}")))?;
    }
    verifier.finish().map_err(|reason| (code.len(), reason))
}

impl Verifier {
    fn node(&mut self, node: Node, range: Range) -> Id {
        self.nodes.push((node, range));
        self.nodes.len() - 1
    }

    fn any(&mut self, range: Range) -> Id {
        self.node(Node::Any, range)
    }

    fn state(&mut self) -> Result<&mut AbstractState, String> {
        self.state.as_mut().ok_or_else(|| "not reached".to_owned())
    }

    fn push(&mut self, id: Id) {
        self.stack.push(id);
    }

    fn pop(&mut self) -> Result<Id, String> {
        let height = self.labels.last().map_or(0, |label| label.height);
        if self.stack.len() <= height {
            return Err("takes a value from outside of its block".to_owned());
        }
        self.stack.pop().ok_or_else(|| "takes from an empty stack".to_owned())
    }

    /// The range of a value here.
    fn range(&self, id: Id) -> Range {
        self.range_within(id, 6)
    }

    fn range_within(&self, id: Id, depth: u32) -> Range {
        let (node, range) = self.nodes[id];
        let fact = self.state.as_ref().and_then(|state| state.facts.get(&id)).copied();
        let known = fact.map_or(range, |fact| fact.both(range));
        match node {
            Node::Binary(op, left, right) if depth > 0 => known.both(compute(
                op,
                self.range_within(left, depth - 1),
                self.range_within(right, depth - 1),
            )),
            _ => known,
        }
    }

    fn step(&mut self, op: Op) -> Result<(), String> {
        if self.state.is_none() {
            return self.step_unreached(op);
        }
        match op {
            Op::Const(value) => {
                let id = self.any(Range::exactly(value.cast_unsigned()));
                self.push(id);
            }
            Op::Get(local) => {
                let id = self.state()?.locals[local as usize];
                self.push(id);
            }
            Op::Set(local) => {
                let id = self.pop()?;
                self.state()?.locals[local as usize] = id;
            }
            Op::Tee(local) => {
                let id = self.pop()?;
                self.state()?.locals[local as usize] = id;
                self.push(id);
            }
            Op::Load8(offset) => self.load(offset, 1)?,
            Op::Load16(offset) => self.load(offset, 2)?,
            Op::Load32(offset) => self.load(offset, 4)?,
            Op::LoadAddress(offset) => self.load_address(offset)?,
            Op::Store8(offset) => self.store(offset, 1)?,
            Op::Store16(offset) => self.store(offset, 2)?,
            Op::Store32(offset) => self.store(offset, 4)?,
            Op::If | Op::IfUnlikely => self.begin_if()?,
            Op::Block => self.open(false, None),
            Op::Loop => self.begin_loop()?,
            Op::Else => self.change_part()?,
            Op::End => self.close()?,
            Op::Jump(depth) => self.jump(depth)?,
            Op::JumpTable(count) => self.jump_table(count)?,
            Op::Restart { block, depth } => self.restart(block, depth)?,
            Op::Call(callee) => self.call(callee)?,
            Op::IsZero => {
                let value = self.pop()?;
                let id = self.node(Node::IsZero(value), Range::up_to(1));
                self.push(id);
            }
            _ => self.binary(op)?,
        }
        Ok(())
    }

    /// [`Verifier::step`] in code that is not reached: only its structure matters.
    fn step_unreached(&mut self, op: Op) -> Result<(), String> {
        match op {
            Op::If | Op::IfUnlikely | Op::Block | Op::Loop => {
                self.open(op == Op::Loop, None);
                Ok(())
            }
            Op::Else => self.change_part(),
            Op::End => self.close(),
            _ => Ok(()),
        }
    }

    fn binary(&mut self, op: Op) -> Result<(), String> {
        let (right, left) = (self.pop()?, self.pop()?);
        if let Node::Pointer(..) = self.nodes[right].0 {
            return Err("computes with an address".to_owned());
        }
        if let Node::Pointer(base, index) = self.nodes[left].0 {
            if op != Op::Add {
                return Err("computes with an address".to_owned());
            }
            let index = match index {
                None => right,
                Some(index) => self.compute(Op::Add, index, right),
            };
            let id = self.node(Node::Pointer(base, Some(index)), Range::ANY);
            self.push(id);
            return Ok(());
        }
        match op {
            Op::Remainder if self.range(right).low == 0 => return Err("divides by 0".to_owned()),
            Op::ShiftLeft | Op::ShiftRight if self.range(right).high >= 32 => {
                return Err("shifts by more than a word".to_owned());
            }
            _ => {}
        }
        let id = self.compute(op, left, right);
        self.push(id);
        Ok(())
    }

    fn compute(&mut self, op: Op, left: Id, right: Id) -> Id {
        let range = compute(op, self.range(left), self.range(right));
        self.node(Node::Binary(op, left, right), range)
    }

    /// Narrows the ranges by a condition that holds or does not.
    fn learn(&mut self, condition: Id, holds: bool) {
        match self.nodes[condition].0 {
            Node::IsZero(value) => self.learn(value, !holds),
            Node::Binary(Op::Or, left, right) if !holds => {
                self.learn(left, false);
                self.learn(right, false);
            }
            Node::Binary(Op::Less, left, right) => self.learn_less(left, right, holds),
            Node::Binary(Op::NotLess, left, right) => self.learn_less(left, right, !holds),
            _ => {}
        }
    }

    fn learn_less(&mut self, left: Id, right: Id, less: bool) {
        let limit = self.range(right);
        let range = if less {
            Range::up_to(limit.high.saturating_sub(1))
        } else {
            Range::new(limit.low, u32::MAX)
        };
        let node = self.nodes[left].0;
        let before = self.range(left);
        let Some(state) = &mut self.state else { return };
        if let Node::LogLength(log) = node
            && less
            && log == state.log
        {
            state.room = state.room.max((log::CAPACITY as u32).saturating_sub(limit.high));
        }
        let range = range.both(before);
        state.facts.insert(left, range);
        if let Node::Binary(Op::Sub, minuend, subtrahend) = node {
            let by = self.range(subtrahend);
            if by.low == by.high
                && let (Some(low), Some(high)) = (range.low.checked_add(by.low), range.high.checked_add(by.low))
            {
                let fact = Range::new(low, high).both(self.range(minuend));
                if fact.low > fact.high {
                    // The condition never holds here, so this code is not reached.
                    self.state = None;
                } else if let Some(state) = &mut self.state {
                    state.facts.insert(minuend, fact);
                }
            }
        }
    }
}
