//! `EpisodicLife`: a lost life ends an episode.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::transition::{ResetScope, Transition};

/// The first action of the set, as in Python's wrappers: NOOP, except in Backgammon and Video Checkers, where no lives are lost.
const FIRST_ACTION: u32 = 0;

/// Ends an episode when a life is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EpisodicLife {
    /// The number of lives to compare with: that after the previous step, or at the episode's start.
    #[cfg_attr(test, ts(optional = nullable))]
    pub compare: LivesBaseline,
    /// Which losses end an episode: those that leave lives, or all.
    #[cfg_attr(test, ts(optional = nullable))]
    pub ends: EndingLoss,
    /// What the reset after a lost life does.
    #[cfg_attr(test, ts(optional = nullable))]
    pub restart: Restart,
}

/// The number of lives that [`EpisodicLife`] compares with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum LivesBaseline {
    /// The lives after the step before.
    #[default]
    PreviousStep,
    /// The lives at the episode's start: losing a life that was won during the episode does not end it.
    EpisodeStart,
}

/// Which losses [`EpisodicLife`] turns into an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum EndingLoss {
    /// A loss that leaves lives. The last life ends the episode only if the game ends with it.
    #[default]
    LivesLeft,
    /// Every loss, the last life included.
    Any,
}

/// What the reset after a lost life does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Restart {
    /// The game continues after one step of NOOP.
    #[default]
    NoopStep,
    /// The game continues. The inner wrappers reset around it, with their steps of NOOP and their presses of FIRE. An inner
    /// time limit keeps its count. As in EnvPool, a reset by the caller starts the game where ends are followed by resets of
    /// their own.
    Continue,
    /// The whole game starts again.
    FullReset,
}

impl WrapperKind for EpisodicLife {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        place.is_only_once()
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(EpisodicLifeLayer {
            options: *self,
            lives: 0,
            real_done: true,
        })))
    }
}

/// Watches the number of lives.
#[derive(Clone)]
struct EpisodicLifeLayer {
    options: EpisodicLife,
    lives: i32,
    /// Whether the last step ended the game itself.
    real_done: bool,
}

impl Layer for EpisodicLifeLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
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

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
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

    fn leave_game(&mut self) {
        self.real_done |= self.options.restart == Restart::Continue;
    }

    fn renew(&mut self) {
        self.lives = 0;
        self.real_done = true;
    }
}

fields!(EpisodicLifeLayer { lives, real_done });
