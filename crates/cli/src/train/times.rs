//! How long the parts of a run take.

#![allow(clippy::cast_precision_loss, reason = "steps are small numbers")]

use std::time::Duration;

/// How long the parts of an update took.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) playing: Duration,
    pub(super) learning: Duration,
}

impl Times {
    pub(super) fn steps_per_second(self, steps: u64) -> f64 {
        steps as f64 / (self.playing + self.learning).as_secs_f64().max(1e-9)
    }
}
