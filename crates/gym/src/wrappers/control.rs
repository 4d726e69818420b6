//! Wrappers of rewards and ends: ClipReward, TimeLimit, EpisodeStatistics, AutoReset.

use gym2600_arcade::Drawing;
use gym2600_arcade::fields;

use super::Env;
use super::layout::Layout;
use crate::image::Colours;
use crate::record::{EpisodeSummary, Info};
use crate::spec::{AtLimit, AutoResetMode, Clip, TimeLimit};
use crate::transition::{ResetScope, Transition};

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

/// Sums the rewards and counts the steps of an episode.
#[derive(Default)]
pub(crate) struct StatisticsCounter {
    episode: EpisodeSummary,
}

impl StatisticsCounter {
    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let mut transition = inner.step(action, drawing);
        self.episode.reward += transition.reward;
        self.episode.length = self.episode.length.saturating_add(1);
        if transition.ended() {
            transition.episode = Some(self.episode);
        }
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.episode = EpisodeSummary::default();
    }
}

/// Starts the next episode by itself.
pub(crate) struct AutoResetter {
    mode: AutoResetMode,
    ended: bool,
    /// The info at the end of the episode that the last step ended, if the step also started the next one.
    last_info: Option<Info>,
    last_observation: Option<LastObservation>,
}

/// A buffer for the final observation, if final observations are kept.
struct LastObservation {
    colours: &'static Colours,
    row_len: usize,
    bytes: Vec<u8>,
}

impl AutoResetter {
    pub(crate) fn new(mode: AutoResetMode) -> Self {
        Self {
            mode,
            ended: false,
            last_info: None,
            last_observation: None,
        }
    }

    fn is_valid(&self) -> bool {
        !self.ended || self.mode == AutoResetMode::NextStep
    }

    /// Keeps the final observations of episodes, which have this layout.
    pub(crate) fn keep_final_observations(&mut self, layout: &Layout, colours: &'static Colours) {
        if self.mode == AutoResetMode::SameStep && self.last_observation.is_none() {
            self.last_observation = Some(LastObservation {
                colours,
                row_len: layout.row_len(),
                bytes: vec![0; layout.space.len()],
            });
        }
    }

    pub(crate) fn final_info(&self) -> Option<Info> {
        self.last_info
    }

    pub(crate) fn final_observation(&self) -> Option<&[u8]> {
        self.last_info?;
        Some(&self.last_observation.as_ref()?.bytes)
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        if self.ended {
            self.reset(inner, ResetScope::AGAIN);
            return Transition::default();
        }
        self.last_info = None;
        let transition = inner.step(action, drawing);
        if transition.ended() {
            match self.mode {
                AutoResetMode::NextStep => self.ended = true,
                AutoResetMode::SameStep => {
                    self.last_info = Some(inner.base.info());
                    if let Some(last) = &mut self.last_observation {
                        inner.view().write(last.colours, last.row_len, &mut last.bytes);
                    }
                    inner.reset(ResetScope::AGAIN);
                }
            }
        }
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.ended = false;
        self.last_info = None;
    }

    pub(crate) fn renew(&mut self) {
        self.ended = false;
    }

    /// Drops the final info: a loaded state has none.
    pub(crate) fn restored(&mut self) {
        self.last_info = None;
    }
}

fields!(StepCounter { steps });
fields!(StatisticsCounter { episode });
fields!(AutoResetter { ended } where is_valid);
