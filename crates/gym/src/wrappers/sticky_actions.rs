//! `StickyActions`: ALE's sticky actions, a setting of the arcade.

use serde::{Deserialize, Serialize};

use super::{Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;

/// ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StickyActions {
    /// Probability from 0 to 1; 0.25 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub probability: f32,
}

impl Default for StickyActions {
    fn default() -> Self {
        Self { probability: 0.25 }
    }
}

impl WrapperKind for StickyActions {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        if !place.before().is_empty() {
            return Err("it is a setting of the console and has to come first".into());
        }
        if !(0.0..=1.0).contains(&self.probability) {
            return Err(format!("probability {} is not from 0 to 1", self.probability));
        }
        Ok(())
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(None)
    }
}
