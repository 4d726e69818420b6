//! The wrappers at work: each file is one of [`crate::spec::Wrapper`]'s kinds with its state.

mod control;
mod episodic_life;
mod fire_reset;
mod image_preprocessing;
mod max_between_frames;
mod noop_reset;
mod picture;
mod queue_frames;
mod random_start;
mod scaled_float;
mod skip_frames;

use gym2600_arcade::{Picture, State, WrongLength};

use crate::chain::{Env, Outcome, View};
use crate::spec::Clip;

pub(crate) use control::{AutoResetter, StatisticsCounter, StepCounter};
pub(crate) use episodic_life::LifeWatch;
pub(crate) use fire_reset::FirePresser;
pub(crate) use image_preprocessing::Preprocessor;
pub(crate) use max_between_frames::FramePair;
pub(crate) use noop_reset::NoopStarter;
pub(crate) use picture::{Brighter, Shape};
pub(crate) use queue_frames::FrameQueue;
pub(crate) use random_start::RandomStarter;
pub(crate) use scaled_float::Scaler;
pub(crate) use skip_frames::FrameSkipper;

/// A wrapper with its state.
pub(crate) enum Layer {
    EpisodicLife(LifeWatch),
    FireReset(FirePresser),
    NoopReset(NoopStarter),
    StartWithRandomActions(RandomStarter),
    MaxBetweenFrames(FramePair),
    SkipFrames(FrameSkipper),
    ImagePreprocessing(Box<Preprocessor>),
    QueueFrames(FrameQueue),
    ClipReward(Clip),
    ScaledFloat(Scaler),
    TimeLimit(StepCounter),
    EpisodeStatistics(StatisticsCounter),
    AutoReset(AutoResetter),
}

impl Layer {
    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        match self {
            Self::EpisodicLife(layer) => layer.step(inner, action, picture),
            Self::FireReset(layer) => layer.step(inner, action, picture),
            Self::NoopReset(_) => inner.step(action, picture),
            Self::StartWithRandomActions(layer) => layer.step(inner, action, picture),
            Self::MaxBetweenFrames(layer) => layer.step(inner, action),
            Self::SkipFrames(layer) => layer.step(inner, action, picture),
            Self::ImagePreprocessing(layer) => layer.step(inner, action, picture),
            Self::QueueFrames(layer) => layer.step(inner, action),
            Self::ClipReward(clip) => {
                let outcome = inner.step(action, picture);
                Outcome {
                    reward: control::clip(*clip, outcome.reward),
                    ..outcome
                }
            }
            Self::ScaledFloat(layer) => layer.step(inner, action, picture),
            Self::TimeLimit(layer) => layer.step(inner, action, picture),
            Self::EpisodeStatistics(layer) => layer.step(inner, action, picture),
            Self::AutoReset(layer) => layer.step(inner, action, picture),
        }
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        match self {
            Self::EpisodicLife(layer) => layer.reset(inner, seed),
            Self::FireReset(layer) => layer.reset(inner, seed),
            Self::NoopReset(layer) => layer.reset(inner, seed),
            Self::StartWithRandomActions(layer) => layer.reset(inner, seed),
            Self::MaxBetweenFrames(layer) => layer.reset(inner, seed),
            Self::SkipFrames(layer) => layer.reset(inner, seed),
            Self::ImagePreprocessing(layer) => layer.reset(inner, seed),
            Self::QueueFrames(layer) => layer.reset(inner, seed),
            Self::ClipReward(_) => inner.reset(seed),
            Self::ScaledFloat(layer) => layer.reset(inner, seed),
            Self::TimeLimit(layer) => layer.reset(inner, seed),
            Self::EpisodeStatistics(layer) => layer.reset(inner, seed),
            Self::AutoReset(layer) => layer.reset(inner, seed),
        }
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        match self {
            Self::EpisodicLife(_)
            | Self::NoopReset(_)
            | Self::StartWithRandomActions(_)
            | Self::ClipReward(_)
            | Self::TimeLimit(_)
            | Self::EpisodeStatistics(_)
            | Self::AutoReset(_) => inner.into_view(),
            Self::FireReset(layer) => layer.view(inner),
            Self::MaxBetweenFrames(layer) => layer.view(),
            Self::SkipFrames(layer) => layer.view(inner),
            Self::ImagePreprocessing(layer) => layer.view(inner),
            Self::QueueFrames(layer) => layer.view(),
            Self::ScaledFloat(layer) => layer.view(inner),
        }
    }

    /// What the wrapper remembers from step to step; none where it remembers nothing.
    fn state(&self) -> Option<&dyn State> {
        Some(match self {
            Self::EpisodicLife(layer) => layer,
            Self::FireReset(layer) => layer,
            Self::StartWithRandomActions(layer) => layer,
            Self::MaxBetweenFrames(layer) => layer,
            Self::SkipFrames(layer) => layer,
            Self::ImagePreprocessing(layer) => layer,
            Self::QueueFrames(layer) => layer,
            Self::ScaledFloat(layer) => layer,
            Self::TimeLimit(layer) => layer,
            Self::EpisodeStatistics(layer) => layer,
            Self::AutoReset(layer) => layer,
            Self::NoopReset(_) | Self::ClipReward(_) => return None,
        })
    }

    fn state_mut(&mut self) -> Option<&mut dyn State> {
        Some(match self {
            Self::EpisodicLife(layer) => layer,
            Self::FireReset(layer) => layer,
            Self::StartWithRandomActions(layer) => layer,
            Self::MaxBetweenFrames(layer) => layer,
            Self::SkipFrames(layer) => layer,
            Self::ImagePreprocessing(layer) => layer,
            Self::QueueFrames(layer) => layer,
            Self::ScaledFloat(layer) => layer,
            Self::TimeLimit(layer) => layer,
            Self::EpisodeStatistics(layer) => layer,
            Self::AutoReset(layer) => layer,
            Self::NoopReset(_) | Self::ClipReward(_) => return None,
        })
    }

    /// Forgets every episode so far, as if the wrapper had just been made.
    pub(crate) fn renew(&mut self) {
        match self {
            Self::EpisodicLife(layer) => layer.renew(),
            Self::StartWithRandomActions(layer) => layer.renew(),
            Self::SkipFrames(layer) => layer.renew(),
            Self::AutoReset(layer) => layer.renew(),
            Self::FireReset(_)
            | Self::NoopReset(_)
            | Self::MaxBetweenFrames(_)
            | Self::ImagePreprocessing(_)
            | Self::QueueFrames(_)
            | Self::ClipReward(_)
            | Self::ScaledFloat(_)
            | Self::TimeLimit(_)
            | Self::EpisodeStatistics(_) => {}
        }
    }
}

impl State for Layer {
    fn save(&self, bytes: &mut Vec<u8>) {
        if let Some(state) = self.state() {
            state.save(bytes);
        }
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.state_mut().map_or(Ok(()), |state| state.load(bytes))
    }
}
