//! `TimeLimit`: truncates an episode after a number of steps.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::transition::{ResetScope, Transition};

/// Truncates an episode after a number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TimeLimit {
    /// Steps after which an episode is truncated; 27000 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub steps: u32,
    /// Whether the last step may also be terminated.
    #[cfg_attr(test, ts(optional = nullable))]
    pub at_limit: AtLimit,
}

impl Default for TimeLimit {
    fn default() -> Self {
        Self {
            steps: 27_000,
            at_limit: AtLimit::default(),
        }
    }
}

/// The flags of the step at which a [`TimeLimit`] ends an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum AtLimit {
    /// Truncated, and terminated if the episode ends at that very step anyway.
    #[default]
    Truncated,
    /// Truncated and nothing else, as in EnvPool.
    TruncatedOnly,
    /// Truncated, unless the episode is terminated at that very step, as in ALE's vector environment.
    UnlessTerminated,
}

impl WrapperKind for TimeLimit {
    fn check(&self, _place: &mut Place<'_>) -> Result<(), String> {
        if self.steps == 0 {
            return Err("steps is 0; an episode has at least 1".into());
        }
        Ok(())
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(TimeLimitLayer {
            options: *self,
            steps: 0,
        })))
    }
}

/// Counts steps against a limit.
#[derive(Clone)]
struct TimeLimitLayer {
    options: TimeLimit,
    steps: u32,
}

impl Layer for TimeLimitLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let mut transition = inner.step(action, drawing);
        self.steps = self.steps.saturating_add(1);
        if self.steps >= self.options.steps {
            match self.options.at_limit {
                AtLimit::Truncated => transition.truncated = true,
                AtLimit::UnlessTerminated => transition.truncated |= !transition.terminated,
                AtLimit::TruncatedOnly => {
                    transition.truncated = true;
                    transition.terminated = false;
                    transition.only_truncated = true;
                }
            }
        }
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        // A game that continues keeps its count.
        if reset != ResetScope::Wrappers {
            self.steps = 0;
        }
    }
}

fields!(TimeLimitLayer { steps });
