//! The errors of `train`.

use gym2600_learn::LearnError;

/// Why a run did not start or stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainError {
    #[error("{path} has {name} {theirs}, but {ours} was asked for: a resumed run keeps its settings")]
    Resumed {
        path: String,
        name: &'static str,
        theirs: String,
        ours: String,
    },

    #[error("{source}{}", kept.as_ref().map_or_else(String::new, |path| format!("; the last good checkpoint is in {path}")))]
    Stopped { source: LearnError, kept: Option<String> },
}
