//! Finds the lines that a game draws.
//!
//! A console plays the game's first frames: idle ones, and then some in which RESET and FIRE are pressed. A line counts if it has a colour in
//! several of them, so that a single wild frame does not. The lines of the definition are always shown.

use gym2600_vcs::{Console, Drawing, FrameGeometry, Input, Joystick, Switches, WIDTH};

use crate::random::Mt19937;

/// Idle frames. Those before the first that counts may show what memory held.
const IDLE: u32 = 60;
const FIRST_COUNTED: u32 = 20;
/// Frames with RESET, and frames of play after them.
const RESET: u32 = 4;
const PLAY: u32 = 60;
/// The number of frames in which a line has to have a colour.
const LEAST: u32 = 3;
/// More lines than a frame has.
const LINES: u16 = 350;
/// The most lines that are shown.
const MOST: u16 = 256;

/// The geometry with the lines that the game draws above and below. `console` is switched on, and `random` gives its noise.
pub(crate) fn whole_picture(console: &Console, geometry: FrameGeometry, mut random: Mt19937) -> FrameGeometry {
    let mut console = console.clone();
    console.set_geometry(FrameGeometry {
        first_line: 0,
        height: LINES,
        ..geometry
    });
    console.reset(&mut || random.next_u32());
    let mut drawn = [0_u32; LINES as usize];
    for frame in 0..IDLE + RESET + PLAY {
        console.run_frame(&input(frame), Drawing::Immediate);
        if frame < FIRST_COUNTED {
            continue;
        }
        // Rows below are those of earlier frames.
        let lines = usize::try_from(console.scanlines()).unwrap_or(0);
        for (row, count) in console.screen().chunks_exact(WIDTH).zip(&mut drawn).take(lines) {
            *count += u32::from(row.iter().any(|&colour| colour != 0));
        }
    }
    let is_drawn = |&count: &u32| count >= LEAST;
    let mut first = geometry.first_line;
    let mut end = first + geometry.height;
    if let (Some(top), Some(bottom)) = (drawn.iter().position(is_drawn), drawn.iter().rposition(is_drawn)) {
        first = first.min(top as u16);
        end = end.max(bottom as u16 + 1);
    }
    // A game that never blanks the picture has more lines than a television shows.
    let excess = (end - first).saturating_sub(MOST);
    FrameGeometry {
        first_line: first + excess / 2,
        height: end - first - excess,
        ..geometry
    }
}

fn input(frame: u32) -> Input {
    let played = frame.checked_sub(IDLE + RESET);
    let fire = Joystick {
        fire: played.is_some_and(|frame| frame % 16 < 4),
        ..Joystick::default()
    };
    Input {
        joysticks: [fire, Joystick::default()],
        switches: Switches {
            reset: (IDLE..IDLE + RESET).contains(&frame),
            ..Switches::default()
        },
        ..Input::default()
    }
}
