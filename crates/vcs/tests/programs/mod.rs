//! Random programs, and ROMs with random changes. Tests of crates/vcs and crates/native share them.
#![allow(dead_code, reason = "not every test uses all of it")]

/// A fixed sequence of numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// The opcodes that jam the chip.
const JAMMING: [u8; 12] = [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2];
/// Only one of so many undocumented opcodes, BRKs and RTIs is used.
const RARE: usize = 12;

/// A program of 4 KB.
pub fn program(random: &mut Random) -> Vec<u8> {
    let mut rom = Vec::with_capacity(4096);
    while rom.len() < 4090 {
        let opcode = random.below(256) as u8;
        let is_rare = opcode & 3 == 3 || opcode == 0 || opcode == 0x40;
        if JAMMING.contains(&opcode) || is_rare && random.below(RARE) > 0 {
            continue;
        }
        rom.push(opcode);
        let is_branch = opcode & 0x1F == 0x10;
        let is_absolute = matches!(opcode & 0x1F, 0x0C..=0x0F | 0x19 | 0x1B..=0x1F) || opcode == 0x20;
        if is_branch {
            rom.push(random.below(48) as u8);
        } else if is_absolute {
            let page = [0x00, 0x00, 0x02, 0xF0, 0xF3, 0xF7, 0xFF, 0x10][random.below(8)];
            rom.extend([low(random), page]);
        } else if opcode & 0x0D != 0x08 && opcode & 0x9F != 0x00 {
            rom.push(low(random));
        }
    }
    rom.resize(4096, 0xEA);
    rom[0xFFC..].copy_from_slice(&[0x00, 0xF0, random.below(256) as u8, 0xF0 | random.below(16) as u8]);
    rom
}

/// The low byte of an address: of RAM, of a register, of a port or of anything.
fn low(random: &mut Random) -> u8 {
    match random.below(5) {
        0 | 1 => 0x80 | random.below(128) as u8,
        2 => random.below(0x30) as u8,
        3 => [0x80, 0x82, 0x84, 0x94, 0x95, 0x96, 0x97][random.below(7)],
        _ => random.below(256) as u8,
    }
}

/// Changes some bytes of a ROM: few, so that most programs still run.
pub fn mutate(rom: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(24) {
        let place = random.below(rom.len());
        let any = random.below(256) as u8;
        rom[place] = [any, rom[place] ^ 1 << random.below(8), rom[place].wrapping_add(1)][random.below(3)];
    }
}

/// The number in an environment variable, or `default`.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}
