//! StartWithRandomActions: a random number of random actions at the start of a real episode.

use gym2600_arcade::Drawing;
use gym2600_arcade::fields;

use super::Env;
use crate::random::randint;
use crate::transition::{ResetScope, Transition};

/// Plays random actions.
pub(crate) struct RandomStarter {
    max: u32,
    /// Whether the last step ended the game itself.
    real_done: bool,
}

impl RandomStarter {
    pub(crate) fn new(max: u32) -> Self {
        Self { max, real_done: true }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let transition = inner.step(action, drawing);
        self.real_done = transition.real_done.unwrap_or(true);
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        if !self.real_done {
            return;
        }
        let steps = randint(&mut inner.base.generators.twister, self.max + 1);
        let actions = inner.base.actions().len() as u32;
        for _ in 0..steps {
            let action = inner.base.generators.action_space.integers(0, actions);
            inner.step(action, Drawing::OnDemand);
        }
        self.real_done = false;
    }

    pub(crate) fn renew(&mut self) {
        self.real_done = true;
    }
}

fields!(RandomStarter { real_done });
