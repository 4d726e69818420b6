//! Translated functions as a WebAssembly module.
//!
//! The module's memory and table are the machine's own, so that it sees the same bytes and calls the same functions by the
//! addresses that they have there.

use super::Program;
use super::ir::{Local, Op};

const I32: u8 = 0x7F;
const EMPTY: u8 = 0x40;
const FUNCTION: u8 = 0x60;
/// Most values that a called function takes.
const MOST_PARAMETERS: u32 = 6;
/// The custom section in which engines that know it look for how likely branches are; others pass it over.
const HINTS: &str = "metadata.code.branch_hint";

/// Encodes a module.
pub(super) fn module(Program { functions }: &Program) -> Vec<u8> {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    section(&mut bytes, 1, |out| {
        // A type for each number of parameters, from none on.
        unsigned(out, MOST_PARAMETERS + 1);
        for parameters in 0..=MOST_PARAMETERS {
            out.push(FUNCTION);
            unsigned(out, parameters);
            out.extend((0..parameters).map(|_| I32));
            out.extend([1, I32]);
        }
    });
    section(&mut bytes, 2, |out| {
        unsigned(out, 2);
        name(out, "machine");
        name(out, "memory");
        out.extend([2, 0, 0]);
        name(out, "machine");
        name(out, "table");
        out.extend([1, 0x70, 0, 0]);
    });
    let count = functions.len() as u32;
    section(&mut bytes, 3, |out| {
        unsigned(out, count);
        for _ in functions {
            unsigned(out, Local::PARAMETERS);
        }
    });
    section(&mut bytes, 7, |out| {
        unsigned(out, count);
        for number in 0..count {
            name(out, &number.to_string());
            out.push(0);
            unsigned(out, number);
        }
    });
    let bodies: Vec<Body> = functions.iter().map(|code| Body::new(code)).collect();
    section(&mut bytes, 0, |out| {
        name(out, HINTS);
        unsigned(out, count);
        for (number, Body { rare, .. }) in (0..).zip(&bodies) {
            unsigned(out, number);
            unsigned(out, rare.len() as u32);
            for &offset in rare {
                unsigned(out, offset);
                // One byte: unlikely.
                out.extend([1, 0]);
            }
        }
    });
    section(&mut bytes, 10, |out| {
        unsigned(out, count);
        for Body { bytes, .. } in &bodies {
            unsigned(out, bytes.len() as u32);
            out.extend_from_slice(bytes);
        }
    });
    bytes
}

/// A function's body.
struct Body {
    bytes: Vec<u8>,
    /// Where in it are branches that are hardly ever taken.
    rare: Vec<u32>,
}

impl Body {
    fn new(code: &[Op]) -> Self {
        let mut bytes = Vec::with_capacity(code.len() * 3);
        let mut rare = Vec::new();
        bytes.push(1);
        unsigned(&mut bytes, Local::COUNT - Local::PARAMETERS);
        bytes.push(I32);
        for &op in code {
            if op == Op::Rarely {
                rare.push(bytes.len() as u32);
            }
            encode(&mut bytes, op);
        }
        bytes.push(0x0B);
        Self { bytes, rare }
    }
}

fn encode(out: &mut Vec<u8>, op: Op) {
    let mut memory = |opcode: u8, offset: u32| {
        out.extend([opcode, 0]);
        unsigned(out, offset);
    };
    match op {
        Op::Load8(offset) => return memory(0x2D, offset),
        Op::Load16(offset) => return memory(0x2F, offset),
        Op::Load32(offset) | Op::LoadAddress(offset) => return memory(0x28, offset),
        Op::Store8(offset) => return memory(0x3A, offset),
        Op::Store16(offset) => return memory(0x3B, offset),
        Op::Store32(offset) => return memory(0x36, offset),
        _ => {}
    }
    match op {
        Op::Const(value) => {
            out.push(0x41);
            signed(out, value);
        }
        Op::Get(local) => numbered(out, 0x20, local as u32),
        Op::Set(local) => numbered(out, 0x21, local as u32),
        Op::Tee(local) => numbered(out, 0x22, local as u32),
        Op::Add => out.push(0x6A),
        Op::Sub => out.push(0x6B),
        Op::Remainder => out.push(0x70),
        Op::And => out.push(0x71),
        Op::Or => out.push(0x72),
        Op::Xor => out.push(0x73),
        Op::ShiftLeft => out.push(0x74),
        Op::ShiftRight => out.push(0x76),
        Op::IsZero => out.push(0x45),
        Op::NotEqual => out.push(0x47),
        Op::Less => out.push(0x49),
        Op::NotLess => out.push(0x4F),
        Op::If | Op::Rarely => out.extend([0x04, EMPTY]),
        Op::Else => out.push(0x05),
        Op::Block => out.extend([0x02, EMPTY]),
        Op::Loop => out.extend([0x03, EMPTY]),
        Op::End => out.push(0x0B),
        Op::Jump(depth) => numbered(out, 0x0C, depth),
        Op::JumpTable(count) => {
            numbered(out, 0x0E, count - 1);
            for depth in 0..count {
                unsigned(out, depth);
            }
        }
        Op::Again { next, depth } => {
            out.push(0x41);
            signed(out, next as i32);
            numbered(out, 0x21, Local::Next as u32);
            numbered(out, 0x0C, depth);
        }
        Op::Call(callee) => {
            out.push(0x41);
            signed(out, callee.address() as i32);
            numbered(out, 0x11, callee.parameters());
            out.push(0);
        }
        Op::Load8(_)
        | Op::Load16(_)
        | Op::Load32(_)
        | Op::LoadAddress(_)
        | Op::Store8(_)
        | Op::Store16(_)
        | Op::Store32(_) => {}
    }
}

fn numbered(out: &mut Vec<u8>, opcode: u8, number: u32) {
    out.push(opcode);
    unsigned(out, number);
}

fn section(bytes: &mut Vec<u8>, id: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut content = Vec::new();
    fill(&mut content);
    bytes.push(id);
    unsigned(bytes, content.len() as u32);
    bytes.append(&mut content);
}

fn name(out: &mut Vec<u8>, text: &str) {
    unsigned(out, text.len() as u32);
    out.extend(text.bytes());
}

/// LEB128.
fn unsigned(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7F {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// LEB128 in two's complement.
fn signed(out: &mut Vec<u8>, mut value: i32) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7F);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_come_before_the_code_and_point_at_the_branches_that_are_hardly_ever_taken() {
        let choice = |branch| vec![Op::Const(300), branch, Op::End, Op::Get(Local::Outcome)];
        let functions = vec![choice(Op::If), choice(Op::Rarely), choice(Op::Rarely)];
        let bodies: Vec<Body> = functions.iter().map(|code| Body::new(code)).collect();
        let [usual, rare, _] = &bodies[..] else { unreachable!() };
        assert_eq!(usual.bytes, rare.bytes);
        assert_eq!(usual.rare, []);
        let [offset] = rare.rare[..] else {
            panic!("{:?}", rare.rare)
        };
        assert_eq!(rare.bytes[offset as usize..][..2], [0x04, EMPTY]);

        let module = module(&Program { functions });
        // Three functions: none in the first, one in each of the others, of one byte, which is 0.
        let offset = offset as u8;
        let hints = [&[3, 0, 0, 1, 1, offset, 1, 0, 2, 1, offset, 1, 0][..], &[10]].concat();
        let content = [HINTS.as_bytes(), &hints].concat();
        assert_eq!(
            module.windows(content.len()).filter(|bytes| bytes == &content).count(),
            1
        );
    }
}
