//! `TimeLimit`: truncates an episode after a number of steps.

use gym2600_arcade::{Drawing, fields};

use super::Env;
use crate::spec::{AtLimit, TimeLimit};
use crate::transition::{ResetScope, Transition};

/// Counts steps against a limit.
pub(crate) struct StepCounter {
    options: TimeLimit,
    steps: u32,
}

impl StepCounter {
    pub(crate) fn new(options: TimeLimit) -> Self {
        Self { options, steps: 0 }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
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

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        // A game that continues keeps its count.
        if reset != ResetScope::Wrappers {
            self.steps = 0;
        }
    }
}

fields!(StepCounter { steps });
