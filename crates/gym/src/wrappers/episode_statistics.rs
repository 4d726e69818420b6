//! `EpisodeStatistics`: the reward and the length of episodes.

use gym2600_arcade::{Drawing, fields};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::record::EpisodeSummary;
use crate::transition::{ResetScope, Transition};

/// The wrapper, which has no options.
pub(crate) struct EpisodeStatistics;

impl WrapperKind for EpisodeStatistics {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        place.is_only_once()
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(EpisodeStatisticsLayer::default())))
    }
}

/// Sums the rewards and counts the steps of an episode.
#[derive(Default)]
pub(crate) struct EpisodeStatisticsLayer {
    episode: EpisodeSummary,
}

impl Layer for EpisodeStatisticsLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let mut transition = inner.step(action, drawing);
        self.episode.reward += transition.reward;
        self.episode.length = self.episode.length.saturating_add(1);
        if transition.ended() {
            transition.episode = Some(self.episode);
        }
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.episode = EpisodeSummary::default();
    }
}

fields!(EpisodeStatisticsLayer { episode });
