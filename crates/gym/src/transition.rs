//! The result of a step between wrappers, and the kinds of resets.
//!
//! This file imports only the records, so that both the base environment and the wrappers can use it.

use crate::record::EpisodeSummary;

/// The result of a step of the base environment or of a layer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Transition {
    pub(crate) reward: f64,
    /// The reward before any wrapper clipped it.
    pub(crate) raw_reward: f64,
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
    /// Whether the game itself ended, if a wrapper distinguishes that from a lost life.
    pub(crate) real_done: Option<bool>,
    /// Whether the step is truncated and must not be terminated too.
    pub(crate) only_truncated: bool,
    /// Whether a wrapper ended the episode because a life was lost.
    pub(crate) life_lost: bool,
    /// The game that this step ended, once it is counted.
    pub(crate) episode: Option<EpisodeSummary>,
}

impl Transition {
    pub(crate) fn ended(&self) -> bool {
        self.terminated || self.truncated
    }

    /// Whether the game itself ended.
    pub(crate) fn is_real_done(&self) -> bool {
        self.real_done.unwrap_or(self.ended())
    }
}

/// The part of an environment that a reset restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResetScope {
    /// The game and all wrappers.
    Game {
        /// The seed for the generators.
        seed: Option<u64>,
    },
    /// The wrappers only. The game continues.
    Wrappers,
}

impl ResetScope {
    /// A reset of the game that does not seed the generators.
    pub(crate) const AGAIN: Self = Self::Game { seed: None };

    /// The scope of the reset that follows if the game ended during this one: always the whole game.
    pub(crate) fn repeated(self) -> Self {
        match self {
            Self::Game { .. } => self,
            Self::Wrappers => Self::AGAIN,
        }
    }
}
