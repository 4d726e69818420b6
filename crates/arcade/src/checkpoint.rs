//! Keys and values of the reset cache.

use std::sync::Arc;

use gym2600_vcs::{Console, Mark, Snapshot};

use crate::console_ram::ConsoleRam;
use crate::definition::GameDefinition;
use crate::episode::Progress;

/// Idle frames after a console's reset.
pub(crate) const IDLE_FRAMES: u32 = 60;
/// Frames of a reset before its checkpoint.
pub(crate) const CHECKPOINT_FRAMES: u32 = 3;

/// The state after the first frames of a reset.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Checkpoint {
    difficulty: u32,
    progress: Progress,
    console: Vec<u8>,
}

impl Checkpoint {
    /// The checkpoint of the present state of console and progress. The console's bytes are written to `buffer`.
    pub(crate) fn of(difficulty: u32, progress: &Progress, console: &mut Console, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        console.save_without_pictures(&mut buffer);
        Self {
            difficulty,
            progress: progress.clone(),
            console: buffer,
        }
    }

    /// Bytes of the console's state.
    pub(crate) fn bytes(&self) -> usize {
        self.console.len()
    }

    /// The buffer that [`Checkpoint::of`] was given.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.console
    }
}

/// The state at the end of a reset, or of its idle frames.
#[derive(Debug)]
pub(crate) struct Destination {
    pub(crate) snapshot: Snapshot,
    pub(crate) progress: Progress,
    /// Frames of the console from the checkpoint on.
    pub(crate) console_frames: u64,
    /// How often the generator of sticky actions was drawn. The numbers made no difference.
    pub(crate) draws: u32,
}

impl Destination {
    /// The present state of console and progress, so many frames after the checkpoint. `mark` is the console's at the checkpoint.
    pub(crate) fn of(console: &mut Console, mark: Mark, progress: &Progress, console_frames: u64, draws: u32) -> Self {
        Self {
            snapshot: console.snapshot(mark),
            progress: progress.clone(),
            console_frames,
            draws,
        }
    }
}

/// Idle frames that were played: the checkpoint at which they began and where they ended.
pub(crate) type Idle = (Checkpoint, Arc<Destination>);

/// Records idle frames for the reset cache while the television is detected. It tries two starts, the checkpoint's frame and the next one,
/// because with the RAM noise of power-on some programs take one frame more than in a reset.
pub(crate) struct IdleRecorder<'a> {
    game: &'a GameDefinition,
    progress: Progress,
    /// The checkpoints, each with the console's mark.
    starts: Vec<(Checkpoint, Mark)>,
    ends: Vec<Arc<Destination>>,
}

impl<'a> IdleRecorder<'a> {
    pub(crate) fn new(game: &'a GameDefinition) -> Self {
        Self {
            game,
            progress: Progress::new(game),
            starts: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Notes the console after an idle frame. The first frame is number 1.
    pub(crate) fn note(&mut self, console: &mut Console, frame: u32) {
        let Self { game, progress, .. } = self;
        game.rules.update(&mut progress.variables, &ConsoleRam(console));
        if (CHECKPOINT_FRAMES..=CHECKPOINT_FRAMES + 1).contains(&frame) {
            let checkpoint = Checkpoint::of(game.default_difficulty, progress, console, Vec::new());
            self.starts.push((checkpoint, console.mark()));
        }
        if let Some(start) = frame.checked_sub(IDLE_FRAMES)
            && let Some((_, mark)) = self.starts.get(start as usize)
        {
            let frames = u64::from(IDLE_FRAMES - CHECKPOINT_FRAMES);
            self.ends
                .push(Arc::new(Destination::of(console, *mark, progress, frames, 0)));
        }
    }

    /// The idle frames, if the controls are the same in a reset.
    pub(crate) fn finish(self) -> Vec<Idle> {
        let Self { game, starts, ends, .. } = self;
        let difficulty = u32::from(game.left_difficulty_a) | u32::from(game.right_difficulty_a) << 1;
        if game.uses_paddles() || game.default_difficulty & 3 != difficulty {
            return Vec::new();
        }
        let starts = starts.into_iter().map(|(checkpoint, _)| checkpoint);
        starts.zip(ends).collect()
    }
}
