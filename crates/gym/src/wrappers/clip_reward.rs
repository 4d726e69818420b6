//! `ClipReward`: a reward as its sign, or cut to the range from -1 to 1.

use gym2600_arcade::Drawing;

use super::Env;
use crate::spec::Clip;
use crate::transition::Transition;

/// Clips the rewards of steps.
pub(crate) struct RewardClipper {
    clip: Clip,
}

impl RewardClipper {
    pub(crate) fn new(clip: Clip) -> Self {
        Self { clip }
    }

    pub(crate) fn step(&self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let transition = inner.step(action, drawing);
        let reward = match self.clip {
            Clip::Sign if transition.reward == 0.0 => 0.0,
            Clip::Sign => transition.reward.signum(),
            Clip::Range => transition.reward.clamp(-1.0, 1.0),
        };
        Transition { reward, ..transition }
    }
}
