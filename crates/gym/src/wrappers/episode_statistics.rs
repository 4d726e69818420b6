//! `EpisodeStatistics`: the reward and the length of episodes.

use gym2600_arcade::{Drawing, fields};

use super::Env;
use crate::record::EpisodeSummary;
use crate::transition::{ResetScope, Transition};

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

fields!(StatisticsCounter { episode });
