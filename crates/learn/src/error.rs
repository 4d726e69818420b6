//! Everything that the learner refuses.

use gym2600_gym::{ErrorDetails, GymError};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

/// Why something could not be learned, loaded or saved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The environment refused.
    #[error(transparent)]
    Environment(#[from] GymError),
    /// A saved environment was refused.
    #[error("the checkpoint's games: {0}")]
    Game(#[from] gym2600_arcade::StateError),
    /// An option is out of its range, or there is none of its name.
    #[error("{option}: {reason}")]
    Option {
        /// The option's name.
        option: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Settings that differ from those of the checkpoint to go on from, each with both values.
    #[error("{}", resumed(differences, str::to_owned))]
    Resumed {
        /// What differs.
        differences: Vec<Difference>,
    },
    /// The environment's observations do not fit the net.
    #[error("a net sees stacked grey pictures of bytes: {reason}")]
    Observation {
        /// What is wrong with them.
        reason: String,
    },
    /// The game gives no rewards.
    #[error(
        "{game} has no rule for rewards, so there is nothing to learn from: describe its score in a game definition, as \
         docs/games.md says"
    )]
    NoRewards {
        /// The game's name.
        game: String,
    },
    /// The weights were made for something else.
    #[error("the weights are of {what} {theirs}, not of {ours}")]
    Misfit {
        /// What differs: the net, the actions, the preset, the ROM or a tensor's shape.
        what: String,
        /// As the file has it.
        theirs: String,
        /// As it would have to be.
        ours: String,
    },
    /// The file is no weights or checkpoint.
    #[error("this is no file of {what}: {reason}")]
    File {
        /// What was expected.
        what: &'static str,
        /// What is wrong with the bytes.
        reason: String,
    },
    /// A game of an evaluation goes on and on.
    #[error(
        "a game has not ended after {steps} steps: the environment needs a limit (maxFramesPerEpisode) or a rule that ends its games"
    )]
    Endless {
        /// The steps played.
        steps: u64,
    },
    /// There is no graphics card to compute on, or it was lost.
    #[error("device gpu: {reason}")]
    Gpu {
        /// Why not.
        reason: String,
    },
    /// A call before the one that it follows.
    #[error("{call} follows {after}")]
    Order {
        /// The call.
        call: &'static str,
        /// What has to come before it.
        after: &'static str,
    },
    /// A policy's outputs are not finite numbers, though its weights are.
    #[error("the net's outputs for an observation are not finite numbers: its weights are too large")]
    NotFiniteOutput,
    /// A loss, a gradient or a weight was not a number, or infinite.
    #[error(
        "{what} is not a finite number in update {update}: the run cannot go on but from a checkpoint of an update before"
    )]
    NotFinite {
        /// What was not.
        what: &'static str,
        /// The update, counted from 1.
        update: u64,
    },
}

/// An option with two values, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The option's name, as `num_envs`, `hyper_parameters.gamma` or `options.mode`.
    pub option: String,
    /// The value of the run or of the weights; `null` where it was left out.
    pub theirs: Value,
    /// The value that was asked for.
    pub ours: Value,
}

/// The most bytes of a value in a message.
const LONGEST_SHOWN: usize = 80;

impl Difference {
    /// A value in a message. A list or a table may be long.
    pub fn shown(value: &Value) -> String {
        let json = value.to_string();
        let end = json.floor_char_boundary(LONGEST_SHOWN);
        let rest = if end < json.len() { "..." } else { "" };
        format!("{}{rest}", &json[..end])
    }
}

fn resumed(differences: &[Difference], name: impl Fn(&str) -> String) -> String {
    let differences = differences.iter().map(|Difference { option, theirs, ours }| {
        let [theirs, ours] = [theirs, ours].map(Difference::shown);
        format!("{} {theirs}, but {ours} was asked for", name(option))
    });
    let differences: Vec<String> = differences.collect();
    format!(
        "the checkpoint has {}: a resumed run keeps its settings",
        differences.join("; ")
    )
}

impl LearnError {
    /// The message with the names that options have in another interface.
    pub fn message(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            Self::Option { option, reason } => format!("{}: {reason}", name(option)),
            Self::Resumed { differences } => resumed(differences, name),
            _ => self.to_string(),
        }
    }

    /// What went wrong, by one of the names that JavaScript and Python know.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Environment(error) => error.code(),
            Self::NoRewards { .. } | Self::Endless { .. } => "bad-game",
            Self::Game(_) => "bad-saved-state",
            Self::Order { .. } => "bad-state",
            Self::Option { .. } | Self::Resumed { .. } | Self::Observation { .. } | Self::Gpu { .. } => "bad-option",
            Self::Misfit { .. } | Self::File { .. } => "bad-weights",
            Self::NotFinite { .. } | Self::NotFiniteOutput => "not-finite",
        }
    }

    /// Where the error is and why.
    pub fn details(&self) -> ErrorDetails {
        match self {
            Self::Environment(error) => error.details(),
            Self::Option { option, reason } => ErrorDetails::of_option(option, reason),
            Self::NoRewards { .. } => ErrorDetails {
                path: Some("game.rules".to_owned()),
                ..ErrorDetails::of_option("game", self.to_string())
            },
            _ => ErrorDetails::default(),
        }
    }

    /// Refuses weights that differ in `what`.
    pub(crate) fn misfit(what: &str, theirs: String, ours: String) -> Result<(), Self> {
        if theirs == ours {
            return Ok(());
        }
        Err(Self::Misfit {
            what: what.to_owned(),
            theirs,
            ours,
        })
    }

    pub(crate) fn option(option: &str, reason: impl Into<String>) -> Self {
        Self::Option {
            option: option.to_owned(),
            reason: reason.into(),
        }
    }
}
