//! `MaxBetweenFrames`: the maximum of this observation and the one before it.

use gym2600_arcade::{Drawing, fields};

use super::max_pool::MaxPool;
use super::{Env, Layer, Shows, WrapperKind};
use crate::builder::Builder;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// The wrapper, which has no options.
pub(crate) struct MaxBetweenFrames;

impl WrapperKind for MaxBetweenFrames {
    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(MaxBetweenFramesLayer {
            frames: MaxPool::of(game, Shows::MaxOfTwoBuffers)?,
            latest: 0,
        })))
    }
}

/// Keeps this observation and the one before it.
#[derive(Clone)]
struct MaxBetweenFramesLayer {
    frames: MaxPool,
    latest: usize,
}

impl MaxBetweenFramesLayer {
    fn is_valid(&self) -> bool {
        self.latest < 2
    }
}

impl Layer for MaxBetweenFramesLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, _drawing: Drawing) -> Transition {
        // Drawn at once, although this step's picture may not be read: the next step pools the frame too.
        let transition = inner.step(action, Drawing::Immediate);
        self.latest = 1 - self.latest;
        self.frames.keep(self.latest, inner.view());
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.frames.keep(0, inner.view());
        self.frames.copy_first();
    }

    fn view<'a>(&'a mut self, _inner: Env<'a>) -> View<'a> {
        self.frames.view()
    }
}

fields!(MaxBetweenFramesLayer { frames, latest } where is_valid);
