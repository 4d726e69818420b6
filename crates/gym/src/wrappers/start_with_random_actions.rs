//! `StartWithRandomActions`: a random number of random actions at the start of a real episode.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::random::randint;
use crate::transition::{ResetScope, Transition};

/// Plays a random number of random actions at the start of a real episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StartWithRandomActions {
    /// Largest number of actions, drawn from 0 to `max`; 30 by default. They continue if the game ends during them.
    #[cfg_attr(test, ts(optional = nullable))]
    pub max: u32,
}

impl Default for StartWithRandomActions {
    fn default() -> Self {
        Self { max: 30 }
    }
}

impl WrapperKind for StartWithRandomActions {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        place.is_only_once()?;
        place.add_start(self.max)
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(StartWithRandomActionsLayer {
            max: self.max,
            real_done: true,
        })))
    }
}

/// Plays random actions.
#[derive(Clone)]
struct StartWithRandomActionsLayer {
    max: u32,
    /// Whether the last step ended the game itself.
    real_done: bool,
}

impl Layer for StartWithRandomActionsLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let transition = inner.step(action, drawing);
        self.real_done = transition.real_done.unwrap_or(true);
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        if !self.real_done {
            return;
        }
        let steps = randint(&mut inner.base.generators.twister, self.max + 1);
        let actions = inner.base.actions().len() as u32;
        for _ in 0..steps {
            let action = inner.base.generators.action_space.integers(0, actions);
            inner.step(action, Drawing::OnDemand);
        }
        self.real_done = false;
    }

    fn renew(&mut self) {
        self.real_done = true;
    }
}

fields!(StartWithRandomActionsLayer { real_done });
