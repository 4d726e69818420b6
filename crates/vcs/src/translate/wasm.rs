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
    section(&mut bytes, 10, |out| {
        unsigned(out, count);
        for code in functions {
            let mut body = body(code);
            unsigned(out, body.len() as u32);
            out.append(&mut body);
        }
    });
    bytes
}

/// Encodes a function's body.
fn body(code: &[Op]) -> Vec<u8> {
    let mut out = Vec::with_capacity(code.len() * 3);
    out.push(1);
    unsigned(&mut out, Local::COUNT - Local::PARAMETERS);
    out.push(I32);
    for &op in code {
        encode(&mut out, op);
    }
    out.push(0x0B);
    out
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
