//! `SkipFrames`: repeats an action for several frames, and makes one observation of them.

use gym2600_arcade::{Drawing, InvalidState, State};
use serde::{Deserialize, Serialize};

use super::max_pool::MaxPool;
use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Repeats an action for several frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SkipFrames {
    /// Frames (steps of the inner wrapper) per step; 4 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub n: u32,
    /// If given, each step has a random number of frames: `n` to `below - 1`, from the environment's generator, as in Gymnasium's
    /// `frameskip=(n, below)`. The observation is then the last frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub below: Option<u32>,
    /// Which of the frames make the observation: the maximum of the last two, if they are pictures of bytes and `below` is not given,
    /// otherwise the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub shows: Option<Shows>,
    /// The ends that cut a step short.
    #[cfg_attr(test, ts(optional = nullable))]
    pub stops_at: StopsAt,
}

impl Default for SkipFrames {
    fn default() -> Self {
        Self {
            n: 4,
            below: None,
            shows: None,
            stops_at: StopsAt::default(),
        }
    }
}

/// Which frames of a [`SkipFrames`] step make its observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Shows {
    /// The last frame that was played.
    Last,
    /// As ALE's vector environment does it without max-pooling: the last of `n` frames. A step that ends an episode shows the picture
    /// of the step before.
    LastWithoutEndingFrame,
    /// The maximum of the last two frames that were played, or the only frame if the first one ended the step.
    MaxOfLastTwo,
    /// The maximum of all frames that were played. Objects that a game draws in one frame of four, in turn with others, are in it too.
    /// Every frame has to be drawn, so a step takes longer than with the last two.
    MaxOfAll,
    /// The maximum of two buffers, which the last two of `n` frames fill. A step cut short leaves older frames in them,
    /// and so does a reset.
    MaxOfTwoBuffers,
    /// As Gymnasium and ALE's vector environment do it: the pooled picture replaces the newer buffer, and the frame that
    /// ends an episode never reaches either, so that an early end shows the picture of the step before.
    MaxWithoutEndingFrame,
    /// As EnvPool does it: the maximum if the step was not cut short, else the first buffer, which may hold an older frame.
    MaxOrFirstBuffer,
}

/// The ends that cut a step of [`SkipFrames`] short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum StopsAt {
    /// Any end that the wrappers below report.
    #[default]
    EpisodeEnd,
    /// Only an end for a lost life; a game that is over idles through the rest of the step.
    LostLife,
}

impl WrapperKind for SkipFrames {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        self.check_frames()?;
        place.multiply_step(self.most_frames())
    }

    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        let shows = self.shows.unwrap_or(Shows::Last);
        if self.n == 1 && shows == Shows::MaxOrFirstBuffer {
            return Err("n is 1, and only two frames fill the first of its buffers".into());
        }
        let keeps_frames = match shows {
            Shows::Last => false,
            Shows::MaxOfLastTwo | Shows::MaxOfAll => self.n > 1,
            // A step that ends an episode may show an older frame, even if `n` is 1.
            Shows::LastWithoutEndingFrame
            | Shows::MaxOfTwoBuffers
            | Shows::MaxWithoutEndingFrame
            | Shows::MaxOrFirstBuffer => true,
        };
        let frames = if keeps_frames {
            Some(MaxPool::of(game, shows)?)
        } else {
            None
        };
        Ok(Some(Box::new(SkipFramesLayer {
            options: *self,
            shows,
            frames,
            shown: Shown::Inner,
        })))
    }
}

impl SkipFrames {
    /// Sets what an observation shows, if that was left out. `pictures` tells whether the frames are pictures of bytes.
    pub(crate) fn resolve_shows(&mut self, pictures: bool) {
        let default = if pictures && self.below.is_none() {
            Shows::MaxOfLastTwo
        } else {
            Shows::Last
        };
        self.shows.get_or_insert(default);
    }

    /// The most frames of a step.
    pub(crate) fn most_frames(&self) -> u32 {
        self.below.map_or(self.n, |below| below - 1)
    }

    /// The frames of a step that no end cuts short, or their mean.
    pub(crate) fn mean_frames(&self) -> f64 {
        f64::from(self.n).midpoint(self.most_frames().into())
    }

    fn check_frames(&self) -> Result<(), String> {
        let Self { n, below, shows, .. } = *self;
        if n == 0 {
            return Err("n is 0; a step has at least 1 frame".into());
        }
        let Some(below) = below else { return Ok(()) };
        if below <= n {
            return Err(format!("below is {below}; it has to be above n, which is {n}"));
        }
        if shows.is_some_and(|shows| shows != Shows::Last) {
            return Err("with below, a step shows its last frame; leave out shows".into());
        }
        Ok(())
    }
}

/// Repeats an action and keeps the frames that are shown.
#[derive(Clone)]
struct SkipFramesLayer {
    options: SkipFrames,
    shows: Shows,
    /// The kept frames; none if the last frame is the observation.
    frames: Option<MaxPool>,
    /// The present observation.
    shown: Shown,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Inner,
    Max,
    First,
}

impl SkipFramesLayer {
    /// Keeps a frame if the rule needs it.
    fn keep(&mut self, inner: &mut Env<'_>, frame: u32, ends: bool) {
        let Some(frames) = &mut self.frames else { return };
        if self.shows == Shows::MaxOfAll {
            frames.keep(usize::from(frame > 0), inner.view());
            if frame > 0 {
                frames.pool_into_first();
            }
            return;
        }
        let Some(slot) = (frame + 2).checked_sub(self.options.n) else {
            return;
        };
        match self.shows {
            Shows::Last | Shows::MaxOfAll => {}
            Shows::LastWithoutEndingFrame => {
                if slot == 1 && !ends {
                    frames.keep(0, inner.view());
                }
            }
            Shows::MaxOfLastTwo | Shows::MaxOfTwoBuffers | Shows::MaxOrFirstBuffer => {
                frames.keep(slot as usize, inner.view());
            }
            Shows::MaxWithoutEndingFrame => {
                if !ends {
                    frames.keep(1 - slot as usize, inner.view());
                }
            }
        }
    }

    /// Applies the rule of `shows` to the frame that cuts a step short.
    fn cut_short(&mut self, inner: &mut Env<'_>, frame: u32) {
        let last = self.options.n - 1;
        match (&mut self.frames, self.shows) {
            (Some(frames), Shows::MaxOfLastTwo) if frame < last => {
                frames.keep(0, inner.view());
                frames.copy_first();
            }
            (Some(_), Shows::MaxOrFirstBuffer) if frame == last => self.pool(),
            _ => {}
        }
    }

    fn pool(&mut self) {
        if let Some(frames) = &mut self.frames {
            frames.pool_into_first();
        }
    }

    fn show(&mut self) {
        self.shown = match self.shows {
            _ if self.frames.is_none() => Shown::Inner,
            Shows::Last => Shown::Inner,
            Shows::MaxOfLastTwo | Shows::MaxOfTwoBuffers => Shown::Max,
            Shows::LastWithoutEndingFrame | Shows::MaxOfAll | Shows::MaxOrFirstBuffer => Shown::First,
            Shows::MaxWithoutEndingFrame => {
                self.pool();
                Shown::First
            }
        };
    }
}

impl Layer for SkipFramesLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let n = match self.options.below {
            Some(below) => inner.base.generators.environment.integers(self.options.n, below),
            None => self.options.n,
        };
        let (mut reward, mut raw_reward) = (0.0, 0.0);
        let mut transition = Transition::default();
        for frame in 0..n {
            let drawing = match self.frames {
                Some(_) if frame + 2 >= n || self.shows == Shows::MaxOfAll => Drawing::Immediate,
                None if frame + 1 == n => drawing,
                _ => Drawing::OnDemand,
            };
            transition = inner.step(action, drawing);
            reward += transition.reward;
            raw_reward += transition.raw_reward;
            let stops = match self.options.stops_at {
                StopsAt::EpisodeEnd => transition.ended(),
                StopsAt::LostLife => transition.life_lost,
            };
            self.keep(inner, frame, transition.ended());
            if stops {
                self.cut_short(inner, frame);
                break;
            }
            if frame + 1 == n && self.shows == Shows::MaxOrFirstBuffer {
                self.pool();
            }
        }
        self.show();
        Transition {
            reward,
            raw_reward,
            ..transition
        }
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.shown = Shown::Inner;
        if let Some(frames) = &mut self.frames {
            match self.shows {
                Shows::MaxWithoutEndingFrame => {
                    frames.keep(0, inner.view());
                    frames.clear(1);
                }
                Shows::LastWithoutEndingFrame | Shows::MaxOrFirstBuffer => frames.keep(0, inner.view()),
                Shows::Last | Shows::MaxOfLastTwo | Shows::MaxOfAll | Shows::MaxOfTwoBuffers => {}
            }
        }
    }

    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        match (&mut self.frames, self.shown) {
            (Some(frames), Shown::Max) => frames.view(),
            (Some(frames), Shown::First) => frames.view_first(),
            _ => inner.into_view(),
        }
    }

    fn renew(&mut self) {
        if let Some(frames) = &mut self.frames {
            frames.clear(0);
            frames.clear(1);
        }
        self.shown = Shown::Inner;
    }
}

impl State for SkipFramesLayer {
    fn save(&self, bytes: &mut Vec<u8>) {
        if let Some(frames) = &self.frames {
            frames.save(bytes);
        }
        self.shown.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        if let Some(frames) = &mut self.frames {
            frames.load(bytes)?;
        }
        self.shown.load(bytes)?;
        if self.shown != Shown::Inner && self.frames.is_none() {
            return Err(InvalidState);
        }
        Ok(())
    }
}

impl State for Shown {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self as u8).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut shown = 0_u8;
        shown.load(bytes)?;
        *self = match shown {
            0 => Self::Inner,
            1 => Self::Max,
            2 => Self::First,
            _ => return Err(InvalidState),
        };
        Ok(())
    }
}
