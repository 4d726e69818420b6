//! Errors of environments.

use gym2600_arcade::definition::{DefinitionError, Place};
use gym2600_arcade::rules::ModeError;
use gym2600_arcade::search::DefineError;
use gym2600_arcade::{CartridgeError, LoadError, UnknownDifficulty, UnknownMode};
use serde::Serialize;
use thiserror::Error;

use crate::data::Mistake;

/// Why an environment could not be made, reset or stepped. Except after [`GymError::ModeNotReached`], nothing has changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GymError {
    /// The ROM was not accepted.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The definition of a game was not accepted.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// Options that are no such data as they have to be.
    #[error(transparent)]
    Data(#[from] Mistake),
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
    /// A strength of a paddle that is not from 0 to 1.
    #[error("paddleStrength: {0} is not from 0 to 1")]
    Strength(f32),
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

/// Where an error is and why, as values for callers in other languages. Each is there where the error has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// The option at fault, such as `mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The path of the value at fault, beginning with the option: `wrappers[1].n`, `game.rules.frame`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether the path ends in a key that there is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_key: Option<bool>,
    /// The line of the text at `path`, or of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The type of the wrapper at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<String>,
    /// The reason, without the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ErrorDetails {
    /// Those of an error in an option's whole value.
    pub fn of_option(option: &str, reason: impl Into<String>) -> Self {
        Self {
            option: Some(option.to_owned()),
            path: Some(option.to_owned()),
            reason: Some(reason.into()),
            ..Self::default()
        }
    }

    fn of_definition(error: &DefinitionError) -> Self {
        let (path, position) = match &error.place {
            Place::Key { path, within } => (Some(path), *within),
            Place::File { position, .. } => (None, Some(*position)),
        };
        Self {
            path: path.map(|path| {
                path.iter()
                    .fold("game".to_owned(), |start, part| format!("{start}{part}"))
            }),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            ..Self::of_option("game", error.problem.to_string())
        }
    }

    /// Those of a reset that does not reach the start of a game. The message begins with the key.
    fn of_start(error: ModeError) -> Self {
        let key = match error {
            ModeError::Unreachable { .. } => "modes.select",
            ModeError::StartingActions { .. } => "actions.starting",
            _ => "modes",
        };
        Self {
            path: Some(format!("game.{key}")),
            ..Self::of_option("game", error.to_string())
        }
    }

    fn of_data(mistake: &Mistake) -> Self {
        let path = match mistake.path_in_game() {
            Some(path) => format!("game{path}"),
            None => mistake.path.trim_start_matches('.').to_owned(),
        };
        let option = path
            .split(['.', '['])
            .next()
            .expect("a text has a first part")
            .to_owned();
        Self {
            option: Some(option).filter(|option| !option.is_empty()),
            path: Some(path).filter(|path| !path.is_empty()),
            unknown_key: mistake.unknown_key.then_some(true),
            wrapper: mistake.wrapper.clone(),
            reason: Some(mistake.reason.clone()),
            ..Self::default()
        }
    }
}

impl From<DefineError> for GymError {
    fn from(error: DefineError) -> Self {
        match error {
            DefineError::Load(error) => error.into(),
            error => Self::Option {
                option: "cells",
                reason: error.to_string(),
            },
        }
    }
}

impl GymError {
    /// What went wrong, by one of the names that JavaScript and Python know.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Load(LoadError::Archive(_)) => "bad-rom",
            Self::Load(LoadError::Cartridge(CartridgeError::Unplayable { .. })) => "unplayable-rom",
            Self::Load(LoadError::Cartridge(_)) => "bad-rom-size",
            Self::Load(LoadError::UnknownRom { .. }) => "unknown-rom",
            Self::Data(mistake) if mistake.path_in_game().is_some() => "bad-game",
            Self::Data(_)
            | Self::Mode(_)
            | Self::Difficulty(_)
            | Self::UnknownPreset { .. }
            | Self::PresetAndWrappers { .. }
            | Self::Wrapper { .. }
            | Self::Load(LoadError::RewardLimits { .. } | LoadError::Probability { .. })
            | Self::Option { .. } => "bad-option",
            Self::Action { .. } | Self::Strength(_) | Self::Batch { .. } => "bad-action",
            Self::Buffer { .. } => "bad-buffer",
            Self::ResetNeeded | Self::EpisodeEnded => "bad-state",
            Self::Lane { error, .. } => error.code(),
            // The errors of a load that are left are those of the definition.
            Self::Definition(_) | Self::ModeNotReached(_) | Self::Load(_) => "bad-game",
        }
    }

    /// Where the error is and why.
    pub fn details(&self) -> ErrorDetails {
        match self {
            Self::Definition(error) | Self::Load(LoadError::Definition(error)) => ErrorDetails::of_definition(error),
            Self::ModeNotReached(error) | Self::Load(LoadError::Mode(error)) => ErrorDetails::of_start(*error),
            Self::Data(mistake) => ErrorDetails::of_data(mistake),
            Self::Mode(error) => ErrorDetails::of_option("mode", error.to_string()),
            Self::Difficulty(error) => ErrorDetails::of_option("difficulty", error.to_string()),
            Self::UnknownPreset { .. } | Self::PresetAndWrappers { .. } => {
                ErrorDetails::of_option("preset", self.to_string())
            }
            Self::Option { option, reason } => ErrorDetails::of_option(option, reason),
            Self::Wrapper {
                position,
                wrapper,
                reason,
            } => ErrorDetails {
                path: Some(format!("wrappers[{}]", position - 1)),
                wrapper: Some((*wrapper).to_owned()),
                ..ErrorDetails::of_option("wrappers", reason)
            },
            Self::Lane { error, .. } => error.details(),
            Self::Load(LoadError::OtherRom { .. }) => ErrorDetails {
                path: Some("game.md5".to_owned()),
                ..ErrorDetails::of_option("game", self.to_string())
            },
            Self::Load(_)
            | Self::Action { .. }
            | Self::Strength(_)
            | Self::Buffer { .. }
            | Self::ResetNeeded
            | Self::EpisodeEnded
            | Self::Batch { .. } => ErrorDetails::default(),
        }
    }

    /// A wrapper refused at `index` of its list.
    pub(crate) fn wrapper(index: usize, wrapper: &'static str, reason: impl Into<String>) -> Self {
        Self::Wrapper {
            position: index + 1,
            wrapper,
            reason: reason.into(),
        }
    }
}
