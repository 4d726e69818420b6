//! MaxBetweenFrames: the brighter of this observation and the one before it.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use super::brighter::Brighter;
use crate::chain::{Env, Outcome, Reset, View};
use crate::console::Console;

/// Keeps this observation and the one before it.
pub(crate) struct FramePair {
    frames: Brighter,
    latest: usize,
}

impl FramePair {
    pub(crate) fn new(frames: Brighter) -> Self {
        Self { frames, latest: 0 }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32) -> Outcome {
        // Wanted even where nobody looks at this step: the next one shows this frame too.
        let outcome = inner.step(action, Picture::Wanted);
        self.latest = 1 - self.latest;
        self.frames.keep(self.latest, inner.view());
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: Reset) {
        inner.reset(reset);
        self.frames.keep(0, inner.view());
        self.frames.copy_first();
    }

    pub(crate) fn view<'a>(&'a mut self, console: &'a mut Console) -> View<'a> {
        self.frames.view(console)
    }
}

fields!(FramePair { frames, latest });
