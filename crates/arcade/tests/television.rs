//! The television that a game was made for, by the lines of its frames.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use gym2600_arcade::{GameDefinition, GameFacts, Settings, TvFormat};

/// A game with frames of `lines` lines, and of 60 more where a switch of SWCHB is at `mask`.
fn rom(lines: usize, mask: u8) -> Vec<u8> {
    let wait = |lines: usize| [0xA2, lines as u8, 0x85, 0x02, 0xCA, 0xD0, 0xFB];
    let mut code = vec![
        0xA9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x00,
    ];
    // Three lines are VSYNC's.
    code.extend(wait(200));
    code.extend(wait(lines - 203));
    code.extend([0xAD, 0x82, 0x02, 0x29, mask, 0xF0, 0x07]);
    code.extend(wait(60));
    code.extend([0x4C, 0x00, 0xF0]);
    let mut rom = vec![0xEA; 4096];
    rom[..code.len()].copy_from_slice(&code);
    rom[4092..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    rom
}

fn detected(rom: &[u8], definition: &str) -> TvFormat {
    let game = GameDefinition::from_toml(definition, "mine.toml").unwrap();
    GameFacts::of_definition(rom, Arc::new(game), &Settings::default())
        .unwrap()
        .geometry
        .tv
}

#[test]
fn frames_of_more_than_285_lines_are_those_of_pal() {
    let tv = |lines| detected(&rom(lines, 0), "rom = \"mine\"");
    assert_eq!(
        [262, 285, 286, 312].map(tv),
        [TvFormat::Ntsc, TvFormat::Ntsc, TvFormat::Pal, TvFormat::Pal]
    );
}

#[test]
fn the_definition_sets_the_switches_of_the_frames_that_tell_the_television() {
    for (mask, side) in [(0x40, "left"), (0x80, "right")] {
        let rom = rom(262, mask);
        let definition = format!("rom = \"mine\"\n[controllers]\n{side}_difficulty = \"A\"");
        assert_eq!(detected(&rom, "rom = \"mine\""), TvFormat::Ntsc);
        assert_eq!(detected(&rom, &definition), TvFormat::Pal);
    }
}
