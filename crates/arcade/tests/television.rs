//! The television that a game was made for, by the lines of its frames.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/frames.rs"]
mod frames;

use std::sync::Arc;

use frames::{VSYNC, rom_of, wait};
use gym2600_arcade::{GameDefinition, GameFacts, Settings, TvFormat};

/// A game with frames of `lines` lines, and of 60 more where a switch of SWCHB is at `mask`.
fn rom(lines: usize, mask: u8) -> Vec<u8> {
    let mut code = VSYNC.to_vec();
    // Three lines are VSYNC's.
    code.extend(wait(200));
    code.extend(wait((lines - 203) as u8));
    code.extend([0xAD, 0x82, 0x02, 0x29, mask, 0xF0, 0x07]);
    code.extend(wait(60));
    code.extend([0x4C, 0x00, 0xF0]);
    rom_of(&code)
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

#[test]
fn the_last_30_of_60_frames_tell_the_television() {
    // 15 frames are long, from number `first` on. The VSYNC of a frame ends the one before, so the first frame has only VSYNC's lines.
    let tv = |first: u8| {
        let mut code = vec![0xA9, 0x00, 0x85, 0x80];
        code.extend(VSYNC);
        code.extend([0xE6, 0x80]);
        code.extend(wait(200));
        code.extend([0xA5, 0x80, 0x38, 0xE9, first - 1, 0xC9, 15, 0xB0, 0x07]);
        code.extend(wait(26));
        code.extend(wait(59));
        code.extend([0x4C, 0x04, 0xF0]);
        detected(&rom_of(&code), "rom = \"mine\"")
    };
    assert_eq!(
        [30, 31, 46, 47].map(tv),
        [TvFormat::Ntsc, TvFormat::Pal, TvFormat::Pal, TvFormat::Ntsc]
    );
}
