//! Detects the television that a game was made for, by the number of lines of its idle frames.

use std::sync::Arc;

use gym2600_vcs::{Console, Drawing, Input, Mark, Switches, TvFormat};

use crate::checkpoint::{CHECKPOINT_FRAMES, Checkpoint, Destination, IDLE_FRAMES};
use crate::console_ram::ConsoleRam;
use crate::definition::GameDefinition;
use crate::episode::Progress;

/// The lines of the last 30 idle frames decide which television a game was made for, as in ALE.
const COUNTED_FRAMES: u32 = 30;
/// A frame with more lines is a PAL frame.
const NTSC_LINES: i32 = 285;

/// Idle frames that were played: the checkpoint at which they began and where they ended.
pub(crate) type Idle = (Checkpoint, Arc<Destination>);

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

/// Records idle frames for the reset cache while the television is detected: from the frame of a reset's checkpoint and from the next
/// frame: at power-on RAM holds noise, and some programs then take a frame longer than in a reset.
struct IdleRecorder<'a> {
    game: &'a GameDefinition,
    progress: Progress,
    starts: Vec<(Checkpoint, Mark)>,
    ends: Vec<Arc<Destination>>,
}

impl<'a> IdleRecorder<'a> {
    fn new(game: &'a GameDefinition) -> Self {
        Self {
            game,
            progress: Progress::new(game),
            starts: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Notes the console after an idle frame, the first being 1.
    fn note(&mut self, console: &mut Console, frame: u32) {
        let Self { game, progress, .. } = self;
        game.rules.update(&mut progress.variables, &ConsoleRam(console));
        if (CHECKPOINT_FRAMES..=CHECKPOINT_FRAMES + 1).contains(&frame) {
            let checkpoint = Checkpoint::of(game.default_difficulty, progress, console, Vec::new());
            self.starts.push((checkpoint, console.mark()));
        }
        if let Some(start) = frame.checked_sub(IDLE_FRAMES)
            && let Some((_, mark)) = self.starts.get(start as usize)
        {
            self.ends.push(Arc::new(Destination::of(console, *mark, progress, 0)));
        }
    }

    /// The idle frames, if the controls are the same in a reset.
    fn finish(self) -> Vec<Idle> {
        let Self { game, starts, ends, .. } = self;
        let difficulty = u32::from(game.left_difficulty_a) | u32::from(game.right_difficulty_a) << 1;
        if game.uses_paddles() || game.default_difficulty & 3 != difficulty {
            return Vec::new();
        }
        let starts = starts.into_iter().map(|(checkpoint, _)| checkpoint);
        starts.zip(ends).collect()
    }
}
