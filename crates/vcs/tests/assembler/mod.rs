//! A small 6502 assembler for the programs of tests.
//!
//! A line is an instruction or `label:`. Syntax: `;` comments, operands `#$12`, `$12`, `$1234`, `$12,X`, `($12),Y`, `($12,X)`, `label`, and
//! `.byte $12 $34`, `.repeat 5 INSTRUCTION`. Programs start at $F000, where the reset vector of the 4 KB image points.

use std::collections::HashMap;

/// The address of a program.
const ORIGIN: u16 = 0xF000;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Mode {
    Implied,
    Immediate,
    ZeroPage,
    ZeroPageX,
    ZeroPageY,
    Absolute,
    AbsoluteX,
    AbsoluteY,
    IndirectX,
    IndirectY,
    Indirect,
    Relative,
}

const BRANCHES: [(&str, u8); 8] = [
    ("BPL", 0x10),
    ("BMI", 0x30),
    ("BVC", 0x50),
    ("BVS", 0x70),
    ("BCC", 0x90),
    ("BCS", 0xB0),
    ("BNE", 0xD0),
    ("BEQ", 0xF0),
];

const IMPLIED: [(&str, u8); 29] = [
    ("BRK", 0x00),
    ("PHP", 0x08),
    ("ASL", 0x0A),
    ("CLC", 0x18),
    ("PLP", 0x28),
    ("ROL", 0x2A),
    ("SEC", 0x38),
    ("RTI", 0x40),
    ("PHA", 0x48),
    ("LSR", 0x4A),
    ("CLI", 0x58),
    ("RTS", 0x60),
    ("PLA", 0x68),
    ("ROR", 0x6A),
    ("SEI", 0x78),
    ("DEY", 0x88),
    ("TXA", 0x8A),
    ("TYA", 0x98),
    ("TXS", 0x9A),
    ("TAY", 0xA8),
    ("TAX", 0xAA),
    ("CLV", 0xB8),
    ("TSX", 0xBA),
    ("INY", 0xC8),
    ("DEX", 0xCA),
    ("CLD", 0xD8),
    ("INX", 0xE8),
    ("NOP", 0xEA),
    ("SED", 0xF8),
];

/// Mnemonic, addressing mode, opcode.
#[rustfmt::skip]
const OPERANDS: &[(&str, Mode, u8)] = {
    use Mode::{Absolute, AbsoluteX, AbsoluteY, Immediate, Indirect, IndirectX, IndirectY, ZeroPage, ZeroPageX, ZeroPageY};
    &[
        ("LDA", Immediate, 0xA9), ("LDA", ZeroPage, 0xA5), ("LDA", ZeroPageX, 0xB5), ("LDA", Absolute, 0xAD),
        ("LDA", AbsoluteX, 0xBD), ("LDA", AbsoluteY, 0xB9), ("LDA", IndirectX, 0xA1), ("LDA", IndirectY, 0xB1),
        ("LDX", Immediate, 0xA2), ("LDX", ZeroPage, 0xA6), ("LDX", Absolute, 0xAE), ("LDX", AbsoluteY, 0xBE),
        ("LDY", Immediate, 0xA0), ("LDY", ZeroPage, 0xA4), ("LDY", Absolute, 0xAC), ("LDY", AbsoluteX, 0xBC),
        ("STA", ZeroPage, 0x85), ("STA", ZeroPageX, 0x95), ("STA", Absolute, 0x8D), ("STA", AbsoluteX, 0x9D),
        ("STA", IndirectY, 0x91), ("STX", ZeroPage, 0x86), ("STX", ZeroPageY, 0x96), ("STY", ZeroPage, 0x84),
        ("ADC", Immediate, 0x69), ("SBC", Immediate, 0xE9), ("CMP", Immediate, 0xC9), ("CPX", Immediate, 0xE0), ("CPY", ZeroPage, 0xC4),
        ("AND", Immediate, 0x29), ("ORA", Immediate, 0x09), ("EOR", Immediate, 0x49), ("EOR", ZeroPage, 0x45), ("BIT", ZeroPage, 0x24),
        ("INC", ZeroPage, 0xE6), ("INC", AbsoluteX, 0xFE), ("DEC", ZeroPage, 0xC6), ("LSR", ZeroPage, 0x46),
        ("JMP", Absolute, 0x4C), ("JMP", Indirect, 0x6C), ("JSR", Absolute, 0x20),
        ("LAX", ZeroPage, 0xA7), ("LAX", ZeroPageY, 0xB7), ("SLO", ZeroPage, 0x07), ("NOP", ZeroPage, 0x04),
        ("NOP", AbsoluteX, 0x1C), ("ANE", Immediate, 0x8B), ("LXA", Immediate, 0xAB), ("SBX", Immediate, 0xCB),
        ("DCP", ZeroPage, 0xC7), ("ISB", ZeroPage, 0xE7), ("SAX", ZeroPage, 0x87),
    ]
};

/// Assembles `source` into a cartridge of 4 KB.
///
/// # Panics
/// If the source is wrong.
pub fn assemble(source: &str) -> Vec<u8> {
    let lines: Vec<String> = source.lines().flat_map(expand).collect();
    let mut labels = HashMap::new();
    let mut address = ORIGIN;
    for line in &lines {
        match line.strip_suffix(':') {
            Some(label) => {
                labels.insert(label.to_owned(), address);
            }
            None => address += encode(line, address, &HashMap::new(), true).len() as u16,
        }
    }
    let mut rom = vec![0xEA; 4096];
    let mut offset = 0;
    for line in lines.iter().filter(|line| !line.ends_with(':')) {
        let bytes = encode(line, ORIGIN + offset as u16, &labels, false);
        rom[offset..offset + bytes.len()].copy_from_slice(&bytes);
        offset += bytes.len();
    }
    rom[0xFFC..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    rom
}

/// A line without its comment, repeated as `.repeat` says.
fn expand(line: &str) -> Vec<String> {
    let line = line.split(';').next().unwrap_or_default().trim();
    if let Some(rest) = line.strip_prefix(".repeat ") {
        let (count, instruction) = rest.split_once(' ').expect("a count and an instruction");
        return vec![instruction.to_owned(); count.parse().expect("a count")];
    }
    if line.is_empty() {
        Vec::new()
    } else {
        vec![line.to_owned()]
    }
}

fn encode(line: &str, address: u16, labels: &HashMap<String, u16>, sizing: bool) -> Vec<u8> {
    let (mnemonic, operand) = line.split_once(' ').unwrap_or((line, ""));
    let operand = operand.trim();
    if mnemonic == ".byte" {
        return operand.split_whitespace().map(|byte| number(byte) as u8).collect();
    }
    let label = |name: &str| {
        if sizing {
            address
        } else {
            *labels.get(name).unwrap_or_else(|| panic!("no label {name}"))
        }
    };
    let (mode, value) = parse(mnemonic, operand, &label);
    let opcode = match mode {
        Mode::Implied => IMPLIED
            .iter()
            .find(|(name, _)| *name == mnemonic)
            .map(|&(_, opcode)| opcode),
        Mode::Relative => BRANCHES
            .iter()
            .find(|(name, _)| *name == mnemonic)
            .map(|&(_, opcode)| opcode),
        _ => OPERANDS
            .iter()
            .find(|&&(name, other, _)| name == mnemonic && other == mode)
            .map(|&(_, _, opcode)| opcode),
    };
    let opcode = opcode.unwrap_or_else(|| panic!("no opcode for {line}"));
    let [low, high] = value.to_le_bytes();
    match mode {
        Mode::Implied => vec![opcode],
        Mode::Relative => vec![opcode, value.wrapping_sub(address + 2) as u8],
        Mode::Absolute | Mode::AbsoluteX | Mode::AbsoluteY | Mode::Indirect => vec![opcode, low, high],
        _ => vec![opcode, low],
    }
}

fn parse(mnemonic: &str, operand: &str, label: &dyn Fn(&str) -> u16) -> (Mode, u16) {
    let value = |text: &str| {
        if text.starts_with('$') {
            number(text)
        } else {
            label(text)
        }
    };
    let narrow = |text: &str| text.starts_with('$') && text.len() == 3;
    if operand.is_empty() {
        (Mode::Implied, 0)
    } else if BRANCHES.iter().any(|(name, _)| *name == mnemonic) {
        (Mode::Relative, label(operand))
    } else if let Some(text) = operand.strip_prefix('#') {
        (Mode::Immediate, number(text))
    } else if let Some(text) = operand.strip_prefix('(').and_then(|text| text.strip_suffix("),Y")) {
        (Mode::IndirectY, number(text))
    } else if let Some(text) = operand.strip_prefix('(').and_then(|text| text.strip_suffix(",X)")) {
        (Mode::IndirectX, number(text))
    } else if let Some(text) = operand.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        (Mode::Indirect, value(text))
    } else if let Some(text) = operand.strip_suffix(",X") {
        (
            if narrow(text) { Mode::ZeroPageX } else { Mode::AbsoluteX },
            value(text),
        )
    } else if let Some(text) = operand.strip_suffix(",Y") {
        (
            if narrow(text) { Mode::ZeroPageY } else { Mode::AbsoluteY },
            value(text),
        )
    } else if narrow(operand) {
        (Mode::ZeroPage, number(operand))
    } else {
        (Mode::Absolute, value(operand))
    }
}

fn number(text: &str) -> u16 {
    let digits = text
        .strip_prefix('$')
        .unwrap_or_else(|| panic!("{text} is no hexadecimal number"));
    u16::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("{text} is no hexadecimal number"))
}
