//! Wrappers that only look at rewards and ends: ClipReward, TimeLimit, EpisodeStatistics, AutoReset.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use crate::Episode;
use crate::chain::{Env, Outcome};
use crate::spec::{AutoResetMode, Clip};

/// A clipped reward.
pub(crate) fn clip(clip: Clip, reward: f64) -> f64 {
    match clip {
        Clip::Sign if reward == 0.0 => 0.0,
        Clip::Sign => reward.signum(),
        Clip::Range => reward.clamp(-1.0, 1.0),
    }
}

/// Counts steps against a limit.
pub(crate) struct StepCounter {
    limit: u32,
    steps: u32,
}

impl StepCounter {
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit, steps: 0 }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        let mut outcome = inner.step(action, picture);
        self.steps += 1;
        outcome.truncated |= self.steps >= self.limit;
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        inner.reset(seed);
        self.steps = 0;
    }
}

/// Sums an episode's rewards and counts its steps.
#[derive(Default)]
pub(crate) struct StatisticsCounter {
    episode: Episode,
}

impl StatisticsCounter {
    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        let mut outcome = inner.step(action, picture);
        self.episode.reward += outcome.reward;
        self.episode.length += 1;
        if outcome.ended() {
            outcome.episode = Some(self.episode);
        }
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        inner.reset(seed);
        self.episode = Episode::default();
    }
}

/// Starts the next episode by itself.
pub(crate) struct AutoResetter {
    mode: AutoResetMode,
    ended: bool,
}

impl AutoResetter {
    pub(crate) fn new(mode: AutoResetMode) -> Self {
        Self { mode, ended: false }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        if self.ended {
            self.reset(inner, None);
            return Outcome::default();
        }
        let outcome = inner.step(action, picture);
        if outcome.ended() {
            match self.mode {
                AutoResetMode::NextStep => self.ended = true,
                AutoResetMode::SameStep => inner.reset(None),
            }
        }
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        inner.reset(seed);
        self.ended = false;
    }

    pub(crate) fn renew(&mut self) {
        self.ended = false;
    }
}

fields!(StepCounter { steps });
fields!(StatisticsCounter { episode });
fields!(AutoResetter { ended });
