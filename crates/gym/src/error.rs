//! Everything that an environment refuses.

use gym2600_arcade::rules::ModeError;
use gym2600_arcade::{LoadError, UnknownDifficulty, UnknownMode};
use thiserror::Error;

use crate::image::ResizeError;

/// Why an environment could not be made, reset or stepped. Nothing has changed when one is returned, but for
/// [`GymError::ModeNotReached`].
#[derive(Debug, Error)]
pub enum GymError {
    /// The ROM was not accepted.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The text of a game definition was not accepted.
    #[error(transparent)]
    Definition(#[from] gym2600_arcade::definition::DefinitionError),
    /// The game has no such mode.
    #[error(transparent)]
    Mode(#[from] UnknownMode),
    /// The game has no such difficulty.
    #[error(transparent)]
    Difficulty(#[from] UnknownDifficulty),
    /// A reset did not reach the game's mode; only the definition of a game that the caller brought can ask for such a one.
    #[error(transparent)]
    ModeNotReached(#[from] ModeError),
    /// No preset has this name.
    #[error("there is no preset {name:?}; there are {}", crate::preset::names())]
    UnknownPreset {
        /// The name asked for.
        name: String,
    },
    /// Both a preset and a list of wrappers were given.
    #[error("preset {preset:?} and a list of wrappers were both given; give one of them")]
    PresetAndWrappers {
        /// The preset asked for.
        preset: String,
    },
    /// A wrapper cannot stand where it stands, or with what it was given.
    #[error("wrapper {position}, {wrapper}: {reason}")]
    Wrapper {
        /// Place in the list, counted from 1.
        position: usize,
        /// The wrapper's name.
        wrapper: &'static str,
        /// Why not.
        reason: String,
    },
    /// An option is out of its range.
    #[error("option {option}: {reason}")]
    Option {
        /// The option's name.
        option: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// An action number that the game does not have.
    #[error("action {action} is out of range: this environment has {count} actions, 0 to {}", count - 1)]
    Action {
        /// The action given.
        action: u32,
        /// Actions there are.
        count: usize,
    },
    /// A buffer of the wrong size.
    #[error("the observation buffer has {given} bytes; an observation here has {needed}")]
    Buffer {
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// A step before the first reset.
    #[error("reset the environment before its first step")]
    ResetNeeded,
    /// A step after the end of an episode, in an environment that does not reset by itself.
    #[error("the episode has ended: reset the environment before the next step")]
    EpisodeEnded,
    /// A batch of the wrong size.
    #[error("{given} {what} were given for {lanes} environments")]
    Batch {
        /// What was counted.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many environments there are.
        lanes: usize,
    },
    /// One environment of a batch failed.
    #[error("environment {lane}: {error}")]
    Lane {
        /// Its number, from 0.
        lane: usize,
        /// What it said.
        error: Box<GymError>,
    },
}

impl GymError {
    /// A wrapper refused at `index` of its list.
    pub(crate) fn wrapper(index: usize, wrapper: &'static str, reason: impl Into<String>) -> Self {
        Self::Wrapper {
            position: index + 1,
            wrapper,
            reason: reason.into(),
        }
    }

    /// A wrapper refused at `index` because of a resize.
    pub(crate) fn resize(index: usize, wrapper: &'static str, error: ResizeError) -> Self {
        Self::wrapper(index, wrapper, error.to_string())
    }
}
