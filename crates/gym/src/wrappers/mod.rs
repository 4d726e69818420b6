//! The layers of an environment: wrappers with their state.
//!
//! Each file has the name of its kind of [`crate::spec::Wrapper`]. `StickyActions` and `FrameBlending` have none: they are settings of
//! the arcade. Several kinds use `layout`, `max_pool` and [`Env`].
//!
//! An [`Env`] is the base environment and the layers around it up to one of them. Stepping or resetting it calls its outermost
//! layer, which calls the Env inside it as often as it needs. Observations are pulled: after a step or a reset [`Env::view`] makes
//! the observation. Without that call it is not made.

mod auto_reset;
mod clip_reward;
mod episode_statistics;
mod episodic_life;
mod fire_reset;
mod image_preprocessing;
mod layout;
mod max_between_frames;
mod max_pool;
mod noop_reset;
mod queue_frames;
mod scaled_float;
mod skip_frames;
mod start_with_random_actions;
mod time_limit;

use gym2600_arcade::{Drawing, InvalidState, State};

use crate::base_env::BaseEnv;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

pub(crate) use auto_reset::AutoResetter;
pub(crate) use clip_reward::RewardClipper;
pub(crate) use episode_statistics::StatisticsCounter;
pub(crate) use episodic_life::LifeWatch;
pub(crate) use fire_reset::FirePresser;
pub(crate) use image_preprocessing::{Preprocessor, Shader};
pub(crate) use layout::Layout;
pub(crate) use max_between_frames::FramePair;
pub(crate) use max_pool::MaxPool;
pub(crate) use noop_reset::NoopStarter;
pub(crate) use queue_frames::FrameQueue;
pub(crate) use scaled_float::Scaler;
pub(crate) use skip_frames::FrameSkipper;
pub(crate) use start_with_random_actions::RandomStarter;
pub(crate) use time_limit::StepCounter;

/// A wrapper with its state.
pub(crate) enum Layer {
    EpisodicLife(LifeWatch),
    FireReset(FirePresser),
    NoopReset(NoopStarter),
    StartWithRandomActions(RandomStarter),
    MaxBetweenFrames(FramePair),
    SkipFrames(FrameSkipper),
    ImagePreprocessing(Box<Preprocessor>),
    Shading(Shader),
    QueueFrames(FrameQueue),
    ClipReward(RewardClipper),
    ScaledFloat(Scaler),
    TimeLimit(StepCounter),
    EpisodeStatistics(StatisticsCounter),
    AutoReset(AutoResetter),
}

/// The state of a layer, by shared or mutable reference; none for a layer that has only options.
macro_rules! saved_layer {
    ($layer:expr) => {
        Some(match $layer {
            Layer::EpisodicLife(layer) => layer,
            Layer::FireReset(layer) => layer,
            Layer::StartWithRandomActions(layer) => layer,
            Layer::MaxBetweenFrames(layer) => layer,
            Layer::SkipFrames(layer) => layer,
            Layer::QueueFrames(layer) => layer,
            Layer::ScaledFloat(layer) => layer,
            Layer::TimeLimit(layer) => layer,
            Layer::EpisodeStatistics(layer) => layer,
            Layer::AutoReset(layer) => layer,
            Layer::NoopReset(_) | Layer::ImagePreprocessing(_) | Layer::ClipReward(_) | Layer::Shading(_) => {
                return None;
            }
        })
    };
}

impl Layer {
    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        match self {
            Self::EpisodicLife(layer) => layer.step(inner, action, drawing),
            Self::FireReset(layer) => layer.step(inner, action, drawing),
            Self::NoopReset(_) | Self::Shading(_) => inner.step(action, drawing),
            Self::StartWithRandomActions(layer) => layer.step(inner, action, drawing),
            Self::MaxBetweenFrames(layer) => layer.step(inner, action),
            Self::SkipFrames(layer) => layer.step(inner, action, drawing),
            Self::ImagePreprocessing(layer) => layer.step(inner, action, drawing),
            Self::QueueFrames(layer) => layer.step(inner, action),
            Self::ClipReward(layer) => layer.step(inner, action, drawing),
            Self::ScaledFloat(layer) => layer.step(inner, action, drawing),
            Self::TimeLimit(layer) => layer.step(inner, action, drawing),
            Self::EpisodeStatistics(layer) => layer.step(inner, action, drawing),
            Self::AutoReset(layer) => layer.step(inner, action, drawing),
        }
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        match self {
            Self::EpisodicLife(layer) => layer.reset(inner, reset),
            Self::FireReset(layer) => layer.reset(inner, reset),
            Self::NoopReset(layer) => layer.reset(inner, reset),
            Self::StartWithRandomActions(layer) => layer.reset(inner, reset),
            Self::MaxBetweenFrames(layer) => layer.reset(inner, reset),
            Self::SkipFrames(layer) => layer.reset(inner, reset),
            Self::ImagePreprocessing(layer) => layer.reset(inner, reset),
            Self::QueueFrames(layer) => layer.reset(inner, reset),
            Self::ClipReward(_) | Self::Shading(_) => inner.reset(reset),
            Self::ScaledFloat(layer) => layer.reset(inner, reset),
            Self::TimeLimit(layer) => layer.reset(inner, reset),
            Self::EpisodeStatistics(layer) => layer.reset(inner, reset),
            Self::AutoReset(layer) => layer.reset(inner, reset),
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
            Self::Shading(layer) => layer.view(inner),
            Self::FireReset(layer) => layer.view(inner),
            Self::MaxBetweenFrames(layer) => layer.view(),
            Self::SkipFrames(layer) => layer.view(inner),
            Self::ImagePreprocessing(layer) => layer.view(inner),
            Self::QueueFrames(layer) => layer.view(),
            Self::ScaledFloat(layer) => layer.view(inner),
        }
    }

    fn state(&self) -> Option<&dyn State> {
        saved_layer!(self)
    }

    fn state_mut(&mut self) -> Option<&mut dyn State> {
        saved_layer!(self)
    }

    /// Drops the caches of the layer. Called after a state is loaded.
    pub(crate) fn restored(&mut self) {
        match self {
            Self::AutoReset(layer) => layer.restored(),
            Self::ImagePreprocessing(layer) => layer.restored(),
            _ => {}
        }
    }

    /// Tells the layer that the caller resets an environment that resets itself.
    pub(crate) fn leave_game(&mut self) {
        if let Self::EpisodicLife(layer) = self {
            layer.leave_game();
        }
    }

    /// Resets the layer to its initial state.
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
            | Self::Shading(_)
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

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.state_mut().map_or(Ok(()), |state| state.load(bytes))
    }
}

/// The base environment and the layers around it, innermost first.
pub(crate) struct Env<'a> {
    pub(crate) base: &'a mut BaseEnv,
    pub(crate) layers: &'a mut [Layer],
}

impl<'a> Env<'a> {
    /// Steps the outermost layer. `drawing` tells when the pixels of its last frame are drawn.
    pub(crate) fn step(&mut self, action: u32, drawing: Drawing) -> Transition {
        match self.layers.split_last_mut() {
            None => self.base.step(action, drawing),
            Some((outer, layers)) => outer.step(
                &mut Env {
                    base: self.base,
                    layers,
                },
                action,
                drawing,
            ),
        }
    }

    /// Resets the outermost layer.
    pub(crate) fn reset(&mut self, reset: ResetScope) {
        match self.layers.split_last_mut() {
            None => self.base.reset(reset),
            Some((outer, layers)) => outer.reset(
                &mut Env {
                    base: self.base,
                    layers,
                },
                reset,
            ),
        }
    }

    /// [`Env::reset`] with a limit on the cycles that it takes.
    pub(crate) fn limited_reset(&mut self, reset: ResetScope) {
        self.base.limit_start();
        self.reset(reset);
        self.base.end_start();
    }

    /// The observation of the outermost layer after its last step or reset.
    pub(crate) fn into_view(self) -> View<'a> {
        match self.layers.split_last_mut() {
            None => self.base.view(),
            Some((outer, layers)) => outer.view(Env {
                base: self.base,
                layers,
            }),
        }
    }

    /// [`Env::into_view`] of a borrowed environment.
    pub(crate) fn view(&mut self) -> View<'_> {
        Env {
            base: self.base,
            layers: self.layers,
        }
        .into_view()
    }

    pub(crate) fn lives(&self) -> i32 {
        self.base.lives()
    }
}
