//! Compiled programs do what interpreted ones do, for random opcodes, addresses and jumps.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;

use gym2600_native::CompileThread;
use pair::Random;

/// The opcodes that jam the chip.
const JAMMING: [u8; 12] = [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2];
/// Only one of so many undocumented opcodes, BRKs and RTIs is used.
const RARE: usize = 12;

/// A program of 4 KB.
fn program(random: &mut Random) -> Vec<u8> {
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

#[test]
fn random_programs_run_the_same_compiled() {
    let mut random = Random(2600);
    let roms: Vec<_> = (0..600)
        .map(|number| (format!("program {number}"), program(&mut random)))
        .collect();
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 30);
    // Some jam before the threshold.
    assert!(compiled > roms.len() / 3, "{compiled} of {} were compiled", roms.len());
}
