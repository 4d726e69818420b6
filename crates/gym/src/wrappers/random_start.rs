//! StartWithRandomActions: a random number of random actions at the start of a real episode.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use crate::chain::{Env, Outcome, Reset};
use crate::random::randint;

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

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        let outcome = inner.step(action, picture);
        self.real_done = outcome.real_done.unwrap_or(true);
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: Reset) {
        inner.reset(reset);
        if !self.real_done {
            return;
        }
        let steps = randint(&mut inner.console.generators.twister, self.max + 1);
        let actions = inner.console.actions().len() as u32;
        for _ in 0..steps {
            let action = inner.console.generators.action_space.integers(0, actions);
            inner.step(action, Picture::OnDemand);
        }
        self.real_done = false;
    }

    pub(crate) fn renew(&mut self) {
        self.real_done = true;
    }
}

fields!(RandomStarter { real_done });
