//! The reward and the length of games, and of episodes where a list has `EpisodeStatistics`.

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

/// Sums the rewards and counts the steps and their frames of an episode, at its place in the list.
#[derive(Clone, Default)]
pub(crate) struct EpisodeStatisticsLayer {
    episode: EpisodeSummary,
}

impl Layer for EpisodeStatisticsLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let before = inner.base.summary().frames;
        let mut transition = inner.step(action, drawing);
        let frames = inner.base.summary().frames.saturating_sub(before);
        self.episode.frames = self.episode.frames.saturating_add(frames);
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

/// Counts the agent's steps and reports each game's summary at its end. A list without [`EpisodeStatistics`] has it next to the agent.
#[derive(Clone)]
pub(crate) struct GameStatisticsLayer;

impl Layer for GameStatisticsLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let mut transition = inner.step(action, drawing);
        inner.base.count_step();
        if transition.is_real_done() {
            transition.episode = Some(inner.base.summary());
        }
        transition
    }
}

fields!(GameStatisticsLayer {});
