//! Errors of environments.

use gym2600_arcade::rules::ModeError;
use gym2600_arcade::{LoadError, UnknownDifficulty, UnknownMode};
use thiserror::Error;

/// Why an environment could not be made, reset or stepped. Except after [`GymError::ModeNotReached`], nothing has changed.
#[derive(Debug, Error)]
pub enum GymError {
    /// The ROM was not accepted.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The definition of a game was not accepted.
    #[error(transparent)]
    Definition(#[from] gym2600_arcade::definition::DefinitionError),
    /// The game has no such mode.
    #[error(transparent)]
    Mode(#[from] UnknownMode),
    /// The game has no such difficulty.
    #[error(transparent)]
    Difficulty(#[from] UnknownDifficulty),
    /// A reset did not reach the game's mode. Only a definition of the caller can have such a mode.
    #[error(transparent)]
    ModeNotReached(#[from] ModeError),
    /// No preset has this name.
    #[error("there is no preset {name:?}; there are {}", crate::preset::names())]
    UnknownPreset {
        /// The given name.
        name: String,
    },
    /// Both a preset and a list of wrappers were given.
    #[error("preset {preset:?} and a list of wrappers were both given; give one of them")]
    PresetAndWrappers {
        /// The given preset.
        preset: String,
    },
    /// A wrapper cannot be at its place in the list, or has an invalid option.
    #[error("wrapper {position}, {wrapper}: {reason}")]
    Wrapper {
        /// Place in the list, counted from 1.
        position: usize,
        /// The wrapper's name.
        wrapper: &'static str,
        /// The reason.
        reason: String,
    },
    /// An option is out of its range.
    #[error("option {option}: {reason}")]
    Option {
        /// The option's name.
        option: &'static str,
        /// The error in its value.
        reason: String,
    },
    /// An action number that the game does not have.
    #[error("action {action} is out of range: this environment has {count} actions, 0 to {}", count - 1)]
    Action {
        /// The given action.
        action: u32,
        /// The number of actions.
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
        /// The kind of values, such as "actions".
        what: &'static str,
        /// The given number.
        given: usize,
        /// The number of environments.
        lanes: usize,
    },
    /// One environment of a batch failed.
    #[error("environment {lane}: {error}")]
    Lane {
        /// Its number, from 0.
        lane: usize,
        /// Its error.
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
}
