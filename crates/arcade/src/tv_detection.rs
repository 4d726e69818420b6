//! Detects the television that a game was made for, by the number of lines of its idle frames.

use gym2600_vcs::{Console, Drawing, Input, Switches, TvFormat};

use crate::checkpoint::{IDLE_FRAMES, Idle, IdleRecorder};
use crate::definition::GameDefinition;

/// The lines of the last 30 idle frames decide which television a game was made for, as in ALE.
const COUNTED_FRAMES: u32 = 30;
/// A frame with more lines is a PAL frame.
const NTSC_LINES: i32 = 285;

/// Detects the television of a console that has just been reset. Also returns the idle frames that a reset with this television would
/// play.
pub(crate) fn detect_tv(console: &mut Console, game: &GameDefinition) -> (TvFormat, Vec<Idle>) {
    let switches = Switches {
        left_difficulty_a: game.left_difficulty_a,
        right_difficulty_a: game.right_difficulty_a,
        ..Switches::default()
    };
    let input = Input {
        switches,
        ..Input::default()
    };
    let mut long_frames = 0;
    let mut recorder = IdleRecorder::new(game);
    for frame in 1..=IDLE_FRAMES {
        console.run_frame(&input, Drawing::OnDemand);
        recorder.note(console, frame);
        if frame > IDLE_FRAMES - COUNTED_FRAMES && console.scanlines() > NTSC_LINES {
            long_frames += 1;
        }
    }
    // The second start needs one frame more. The clone leaves the console at the end of its idle frames.
    let mut later = console.clone();
    later.run_frame(&input, Drawing::OnDemand);
    recorder.note(&mut later, IDLE_FRAMES + 1);
    let tv = if 2 * long_frames >= COUNTED_FRAMES {
        TvFormat::Pal
    } else {
        TvFormat::Ntsc
    };
    (tv, recorder.finish())
}
