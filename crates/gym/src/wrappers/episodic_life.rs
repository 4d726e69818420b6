//! EpisodicLife: a lost life ends an episode.

use gym2600_arcade::Drawing;
use gym2600_arcade::fields;

use super::Env;
use crate::spec::{EndingLoss, EpisodicLife, LivesBaseline, Restart};
use crate::transition::{ResetScope, Transition};

/// The first action of the set, as in Python's wrappers: NOOP, except in Backgammon and Video Checkers, where no lives are lost.
const FIRST_ACTION: u32 = 0;

/// Watches the number of lives.
pub(crate) struct LifeWatch {
    options: EpisodicLife,
    lives: i32,
    /// Whether the last step ended the game itself.
    real_done: bool,
}

impl LifeWatch {
    pub(crate) fn new(options: EpisodicLife) -> Self {
        Self {
            options,
            lives: 0,
            real_done: true,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let mut transition = inner.step(action, drawing);
        self.real_done = transition.ended();
        let lives = inner.lives();
        let counts = match self.options.ends {
            EndingLoss::LivesLeft => lives > 0,
            EndingLoss::Any => true,
        };
        if counts && lives < self.lives {
            transition.terminated = !transition.only_truncated;
            transition.life_lost = true;
        }
        // If every end is followed by a new game, a lost life ends the game.
        let restarts = self.options.restart == Restart::FullReset && transition.ended();
        transition.real_done = Some(self.real_done || restarts);
        if self.options.compare == LivesBaseline::PreviousStep {
            self.lives = lives;
        }
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        if self.real_done {
            inner.reset(reset);
        } else {
            match self.options.restart {
                Restart::FullReset => inner.reset(reset),
                Restart::Continue => inner.reset(ResetScope::Wrappers),
                Restart::NoopStep => {
                    inner.step(FIRST_ACTION, Drawing::OnDemand);
                }
            }
        }
        self.lives = inner.lives();
    }

    /// Makes the next reset start the game, where otherwise it would continue.
    pub(crate) fn leave_game(&mut self) {
        self.real_done |= self.options.restart == Restart::Continue;
    }

    pub(crate) fn renew(&mut self) {
        self.lives = 0;
        self.real_done = true;
    }
}

fields!(LifeWatch { lives, real_done });
