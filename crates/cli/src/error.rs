//! Errors of the command line. Each names the argument or file at fault.

use std::io;
use std::path::Path;

use gym2600_arcade as arcade;
use gym2600_gym::{ErrorDetails, GymError};
use gym2600_learn::LearnError;

use crate::WRONG_COMMAND_LINE;
use crate::train::option_of;

/// A failure of the program. The message names the file, the line or the value at fault.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },

    #[error("{path} has more than {most} bytes")]
    InputSize { path: String, most: u64 },

    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },

    #[error("{path} is in use by another run")]
    InUse { path: String },

    #[error("{option}: {path} is there already; --force replaces it{}", if *resumable { format!(", and --resume {path} goes on with its run") } else { String::new() })]
    OtherRun {
        option: &'static str,
        path: String,
        /// Whether it may be a checkpoint to go on from.
        resumable: bool,
    },

    #[error("{option} {path}: {reason}")]
    Usage {
        option: &'static str,
        path: String,
        reason: String,
    },

    /// A mistake of a definition that shows when its game is played.
    #[error("{file}:{line}:{column}: {reason}")]
    Placed {
        file: String,
        line: usize,
        column: usize,
        reason: String,
    },

    #[error("{first} and {second} are the same file, {path}: one would be lost")]
    SameFile {
        first: &'static str,
        second: &'static str,
        path: String,
    },

    /// Several failures, each with its message.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\ngym2600: "))]
    Several(Vec<CliError>),

    /// What ended a run, with its results written.
    #[error("{name} ended the run after {steps} steps: {}", resume_advice(checkpoint.as_deref()))]
    Stopped {
        name: &'static str,
        exit_code: u8,
        steps: u64,
        checkpoint: Option<String>,
    },

    #[error("cannot write the standard output: {0}")]
    Output(#[from] io::Error),

    #[error("{path} is empty: a ROM has 2048 bytes or more")]
    EmptyRom { path: String },

    #[error("{path}: {source}{}", rom_advice(source))]
    Rom { path: String, source: arcade::LoadError },

    #[error("{0}")]
    Definition(#[from] arcade::definition::DefinitionError),

    #[error("{source_name}: {error}")]
    Options {
        source_name: String,
        error: serde_json::Error,
    },

    #[error("{0}")]
    Mode(#[from] arcade::UnknownMode),

    #[error("{0}")]
    Difficulty(#[from] arcade::UnknownDifficulty),

    #[error("{path}, line {line}: {text:?} is no action: expected a number from 0 to {last}")]
    Action {
        path: String,
        line: usize,
        text: String,
        last: usize,
    },

    #[error(
        "{path}: {actions} actions cannot be dealt to {environments} environments: {actions} is no multiple of {environments}"
    )]
    UnevenDeal {
        path: String,
        actions: usize,
        environments: usize,
    },

    #[error("seed -1 stands for the time of day in ALE, so it gives no play that can be repeated; use another number")]
    SeedOfTheDay,

    #[error("{0}{advice}", advice = environment_advice(.0))]
    Environment(#[from] GymError),

    #[error("{}{advice}", .0.message(option_name), advice = learner_advice(.0))]
    Learn(#[from] LearnError),

    #[error("{path}: {source}{}", weights_advice(path))]
    Weights { path: String, source: LearnError },

    #[error("{source}{}", kept.as_ref().map_or_else(String::new, |path| format!("; the last good checkpoint is in {path}")))]
    TrainingStopped { source: LearnError, kept: Option<String> },

    #[error("the weights of update {update} are in {}", paths.join(", "))]
    WeightsKept { update: u64, paths: Vec<String> },

    #[error("{path}: {source}")]
    State { path: String, source: arcade::StateError },

    #[error("line {line} was asked for, but the output has {lines} lines")]
    NoSuchLine { line: usize, lines: usize },
}

impl CliError {
    /// Several failures as one.
    pub(crate) fn all(mut failures: Vec<Self>) -> Option<Self> {
        match failures.len() {
            0 | 1 => failures.pop(),
            _ => Some(Self::Several(failures)),
        }
    }

    /// Whether the reader of the output has closed it, as `head` does. This is no failure.
    pub(crate) fn is_closed_output(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit code: that of a shell for a program that a signal ended, and 1 for any other failure.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Stopped { exit_code, .. } => *exit_code,
            Self::Usage { .. } => WRONG_COMMAND_LINE,
            _ => 1,
        }
    }

    /// Where the failure is and why, if a definition of a game may be at fault.
    pub(crate) fn details(&self) -> ErrorDetails {
        match self {
            Self::Environment(error) => error.details(),
            Self::Learn(error) => error.details(),
            Self::Rom { source, .. } => GymError::from(source.clone()).details(),
            _ => ErrorDetails::default(),
        }
    }

    /// A failure of work with a file of weights or a checkpoint. It names the file, if that is at fault.
    pub(crate) fn of_weights(path: &str, source: LearnError) -> Self {
        match source {
            LearnError::File { .. } | LearnError::Misfit { .. } => Self::Weights {
                path: path.to_owned(),
                source,
            },
            _ => source.into(),
        }
    }
}

/// How to go on with a run that was stopped.
fn resume_advice(checkpoint: Option<&str>) -> String {
    match checkpoint {
        Some(path) => format!("the same command with --resume {path} goes on"),
        None => "without --checkpoint FILE it cannot go on".to_owned(),
    }
}

/// What to do about a file of weights that was refused.
fn weights_advice(path: &str) -> &'static str {
    if Path::new(path).extension().is_some_and(|ending| ending == "onnx") {
        " (safetensors are read, and ONNX is only written)"
    } else {
        ""
    }
}

/// What to do about a ROM that was refused, if this program has an option for it.
fn rom_advice(error: &arcade::LoadError) -> &'static str {
    match error {
        arcade::LoadError::UnknownRom { .. } => " (--game FILE; docs/games.md says what is in it)",
        _ => "",
    }
}

fn environment_advice(error: &GymError) -> &'static str {
    match error {
        GymError::Load(error) => rom_advice(error),
        GymError::Lane { error, .. } => environment_advice(error),
        _ => "",
    }
}

fn learner_advice(error: &LearnError) -> &'static str {
    match error {
        LearnError::Environment(error) => environment_advice(error),
        LearnError::NoRewards { .. } => " (--game FILE)",
        _ => "",
    }
}

/// A setting of a run as the command line calls it.
fn option_name(name: &str) -> String {
    let name = name.strip_prefix("hyper_parameters.").unwrap_or(name);
    match name {
        "num_envs" => "--envs".to_owned(),
        "algorithm" | "net" | "seed" => format!("--{name}"),
        _ => match (name.strip_prefix("options."), option_of(name)) {
            (Some(option), _) => format!("--options {option}"),
            (None, Some(option)) => option,
            (None, None) => format!("--set {name}"),
        },
    }
}
