//! MaxBetweenFrames: the maximum of this observation and the one before it.

use gym2600_arcade::Drawing;
use gym2600_arcade::fields;

use super::Env;
use super::max_pool::MaxPool;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Keeps this observation and the one before it.
pub(crate) struct FramePair {
    frames: MaxPool,
    latest: usize,
}

impl FramePair {
    pub(crate) fn new(frames: MaxPool) -> Self {
        Self { frames, latest: 0 }
    }

    fn is_valid(&self) -> bool {
        self.latest < 2
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32) -> Transition {
        // Drawn at once, although this step's picture may not be read: the next step pools the frame too.
        let transition = inner.step(action, Drawing::Immediate);
        self.latest = 1 - self.latest;
        self.frames.keep(self.latest, inner.view());
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.frames.keep(0, inner.view());
        self.frames.copy_first();
    }

    pub(crate) fn view(&mut self) -> View<'_> {
        self.frames.view()
    }
}

fields!(FramePair { frames, latest } where is_valid);
