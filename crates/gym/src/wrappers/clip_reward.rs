//! `ClipReward`: a reward as its sign, or cut to the range from -1 to 1.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::transition::Transition;

/// Clips rewards to the range from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipReward {
    /// How a reward is clipped; both ways agree on whole rewards.
    #[cfg_attr(test, ts(optional = nullable))]
    pub to: Clip,
}

/// How [`ClipReward`] clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Clip {
    /// The reward's sign.
    #[default]
    Sign,
    /// The nearest number from -1 to 1.
    Range,
}

impl WrapperKind for ClipReward {
    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(ClipRewardLayer { clip: self.to })))
    }
}

/// Clips the rewards of steps.
#[derive(Clone)]
struct ClipRewardLayer {
    clip: Clip,
}

impl Layer for ClipRewardLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let transition = inner.step(action, drawing);
        let reward = match self.clip {
            Clip::Sign if transition.reward == 0.0 => 0.0,
            Clip::Sign => transition.reward.signum(),
            Clip::Range => transition.reward.clamp(-1.0, 1.0),
        };
        Transition { reward, ..transition }
    }
}

fields!(ClipRewardLayer {});
