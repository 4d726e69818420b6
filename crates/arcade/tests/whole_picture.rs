//! Games that draw above and below ALE's window.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/frames.rs"]
mod frames;

use std::sync::Arc;

use frames::{VSYNC, rom_of, wait};
use gym2600_arcade::{Arcade, GameDefinition, GameFacts, Settings, WIDTH};

/// Lines of a frame after VSYNC.
const LINES: u8 = 255;

/// A game that colours the lines from `first` to `end`, and begins a frame of 262 lines with VSYNC. Where the colour stays, all lines have it.
fn rom(first: u8, end: u8, stays: bool) -> Vec<u8> {
    let colour = |value: u8| [0xA9, value, 0x85, 0x09];
    let mut code = VSYNC.to_vec();
    code.extend(wait(first));
    code.extend(colour(0x44));
    code.extend(wait(end - first));
    code.extend(colour(if stays { 0x44 } else { 0 }));
    code.extend(wait(LINES - end));
    code.extend(wait(4));
    code.extend([0x4C, 0x00, 0xF0]);
    rom_of(&code)
}

/// The first line and the height of a game's picture, and whether its first and last rows have a colour.
fn shown(rom: &[u8], definition: &str) -> (u16, u16, [bool; 2]) {
    let game = Arc::new(GameDefinition::from_toml(definition, "mine.toml").unwrap());
    let settings = Settings::default();
    let geometry = GameFacts::of_definition(rom, Arc::clone(&game), &settings)
        .unwrap()
        .geometry;
    let mut arcade = Arcade::load_as(rom, game, &settings).unwrap();
    let screen = arcade.screen();
    assert_eq!(screen.len(), WIDTH * usize::from(geometry.height));
    let ends = [&screen[..WIDTH], &screen[screen.len() - WIDTH..]];
    let coloured = ends.map(|row| row.iter().any(|&colour| colour != 0));
    (geometry.first_line, geometry.height, coloured)
}

const WHOLE: &str = "rom = \"mine\"\n[picture]\nwhole = true\n";

#[test]
fn the_whole_picture_has_the_lines_above_and_below_that_a_game_draws() {
    assert_eq!(shown(&rom(20, 244, false), WHOLE), (20, 224, [true, true]));
    assert_eq!(shown(&rom(34, 250, false), WHOLE), (34, 216, [true, true]));
    assert_eq!(shown(&rom(4, 254, false), WHOLE), (4, 250, [true, true]));
    // A smaller picture has the lines that ALE shows.
    assert_eq!(shown(&rom(60, 200, false), WHOLE), (34, 210, [false, false]));
    let television = format!("{WHOLE}tv = \"NTSC\"\n");
    assert_eq!(shown(&rom(20, 250, false), &television), (20, 230, [true, true]));
}

#[test]
fn a_game_that_never_blanks_the_picture_has_256_lines() {
    assert_eq!(shown(&rom(20, 244, true), WHOLE), (3, 256, [true, true]));
}

#[test]
fn other_definitions_show_their_own_lines() {
    let game = rom(4, 254, false);
    assert_eq!(shown(&game, "rom = \"mine\"\n"), (34, 210, [true, true]));
    let lines = "rom = \"mine\"\n[picture]\nfirst_line = 2\nheight = 253\n";
    assert_eq!(shown(&game, lines), (2, 253, [false, false]));
    let both = format!("{lines}whole = true\n");
    assert_eq!(shown(&game, &both), (2, 253, [false, false]));
}

/// A game that colours line 4 after its start, in frames without the inputs that belong to them, and in those that do not count. A line
/// above the window has a colour in the first three frames that count, and one below it in the last three.
fn timed() -> Vec<u8> {
    // LDA colour, STA COLUBK, STA WSYNC, LDA #0, STA COLUBK.
    let line = |colour: u8| [0xA5, colour, 0x85, 0x09, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x09];
    // LDX #0, LDA $80, CMP #from, BCC, CMP #end, BCS, LDX #$44, STX colour: a colour in these frames.
    let within = |from: u8, end: u8, colour: u8| {
        [
            0xA2, 0x00, 0xA5, 0x80, 0xC9, from, 0x90, 0x06, 0xC9, end, 0xB0, 0x02, 0xA2, 0x44, 0x86, colour,
        ]
    };
    let mut code = vec![0xA9, 0x00, 0x85, 0x80, 0x85, 0x81]; // The number of the frame, and whether an input was wrong.
    let [low, high] = (0xF000 + code.len() as u16).to_le_bytes();
    code.extend(VSYNC);
    code.extend([0xE6, 0x80]);
    // $82: 1 with RESET in frames 60 to 63, $80 with FIRE in 4 of 16 frames from 64 on.
    code.extend([
        0xA2, 0x00, 0xA5, 0x80, 0xC9, 64, 0xB0, 0x08, 0xC9, 60, 0x90, 0x0E, 0xA2, 0x01, 0xD0, 0x0A,
    ]);
    code.extend([0xE9, 64, 0x29, 0x0F, 0xC9, 0x04, 0xB0, 0x02, 0xA2, 0x80, 0x86, 0x82]);
    // INPT4 and SWCHB have 0 where something is pressed.
    code.extend([
        0xA5, 0x0C, 0x49, 0x80, 0x29, 0x80, 0x85, 0x83, 0xAD, 0x82, 0x02, 0x49, 0x01, 0x29, 0x01,
    ]);
    code.extend([0x05, 0x83, 0x45, 0x82, 0x05, 0x81, 0x85, 0x81]);
    code.extend(within(20, 23, 0x85));
    code.extend(within(121, 124, 0x86));
    // $84: a colour before frame 20, from frame 124 on, and after a wrong input.
    code.extend([
        0xA2, 0x44, 0xA5, 0x81, 0xD0, 0x0C, 0xA5, 0x80, 0xC9, 20, 0x90, 0x06, 0xC9, 124, 0xB0, 0x02,
    ]);
    code.extend([0xA2, 0x00, 0x86, 0x84]);
    code.extend(wait(2));
    code.extend(line(0x84));
    code.extend(wait(20));
    code.extend(line(0x85));
    code.extend(wait(220));
    code.extend(line(0x86));
    code.extend(wait(8));
    code.extend([0x4C, low, high]);
    rom_of(&code)
}

#[test]
fn lines_count_from_frame_20_to_123_of_which_some_have_reset_and_fire() {
    let game = Arc::new(GameDefinition::from_toml(WHOLE, "mine.toml").unwrap());
    let geometry = GameFacts::of_definition(&timed(), game, &Settings::default())
        .unwrap()
        .geometry;
    assert_eq!((geometry.first_line, geometry.height), (24, 222));
}
