//! The points of a reset between which the cache skips.

use gym2600_vcs::{Console, Mark, Snapshot};

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
    /// How often the generator of sticky actions was drawn. The numbers made no difference.
    pub(crate) draws: u32,
}

impl Destination {
    /// The present state of console and progress. `mark` is the console's at the checkpoint.
    pub(crate) fn of(console: &mut Console, mark: Mark, progress: &Progress, draws: u32) -> Self {
        Self {
            snapshot: console.snapshot(mark),
            progress: progress.clone(),
            draws,
        }
    }
}
