//! Games that draw above and below ALE's window.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use gym2600_arcade::{Arcade, GameDefinition, GameFacts, Settings, WIDTH};

/// Lines of a frame after VSYNC.
const LINES: u8 = 255;

/// A game that colours the lines from `first` to `end`, and begins a frame of 262 lines with VSYNC. Where the colour stays, all lines have it.
fn rom(first: u8, end: u8, stays: bool) -> Vec<u8> {
    let wait = |lines: u8| [0xA2, lines, 0x85, 0x02, 0xCA, 0xD0, 0xFB];
    let colour = |value: u8| [0xA9, value, 0x85, 0x09];
    let mut code = vec![
        0xA9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x00,
    ];
    code.extend(wait(first));
    code.extend(colour(0x44));
    code.extend(wait(end - first));
    code.extend(colour(if stays { 0x44 } else { 0 }));
    code.extend(wait(LINES - end));
    code.extend(wait(4));
    code.extend([0x4C, 0x00, 0xF0]);
    let mut rom = vec![0xEA; 4096];
    rom[..code.len()].copy_from_slice(&code);
    rom[4092..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    rom
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
