//! SkipFrames: repeats an action for several frames, and makes one observation of them.

use gym2600_arcade::Drawing;
use gym2600_arcade::{InvalidState, State};

use super::Env;
use super::max_pool::MaxPool;
use crate::spec::{Shows, SkipFrames, StopsAt};
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Repeats an action and keeps the frames that are shown.
pub(crate) struct FrameSkipper {
    options: SkipFrames,
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

impl FrameSkipper {
    pub(crate) fn new(options: SkipFrames, frames: Option<MaxPool>) -> Self {
        Self {
            options,
            frames,
            shown: Shown::Inner,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        let n = match self.options.below {
            Some(below) => inner.base.generators.environment.integers(self.options.n, below),
            None => self.options.n,
        };
        let (mut reward, mut raw_reward) = (0.0, 0.0);
        let mut transition = Transition::default();
        for frame in 0..n {
            let drawing = match self.frames {
                Some(_) if frame + 2 >= n => Drawing::Immediate,
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
            if frame + 1 == n && self.options.shows == Shows::MaxOrFirstBuffer {
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

    /// Keeps a frame if the rule needs it.
    fn keep(&mut self, inner: &mut Env<'_>, frame: u32, ends: bool) {
        let Some(frames) = &mut self.frames else { return };
        let Some(slot) = (frame + 2).checked_sub(self.options.n) else {
            return;
        };
        match self.options.shows {
            Shows::Last => {}
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
        match (&mut self.frames, self.options.shows) {
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
        self.shown = match self.options.shows {
            _ if self.frames.is_none() => Shown::Inner,
            Shows::Last => Shown::Inner,
            Shows::MaxOfLastTwo | Shows::MaxOfTwoBuffers => Shown::Max,
            Shows::LastWithoutEndingFrame | Shows::MaxOrFirstBuffer => Shown::First,
            Shows::MaxWithoutEndingFrame => {
                self.pool();
                Shown::First
            }
        };
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.shown = Shown::Inner;
        if let Some(frames) = &mut self.frames {
            match self.options.shows {
                Shows::MaxWithoutEndingFrame => {
                    frames.keep(0, inner.view());
                    frames.clear(1);
                }
                Shows::LastWithoutEndingFrame | Shows::MaxOrFirstBuffer => frames.keep(0, inner.view()),
                Shows::Last | Shows::MaxOfLastTwo | Shows::MaxOfTwoBuffers => {}
            }
        }
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        match (&mut self.frames, self.shown) {
            (Some(frames), Shown::Max) => frames.view(),
            (Some(frames), Shown::First) => frames.view_first(),
            _ => inner.into_view(),
        }
    }

    pub(crate) fn renew(&mut self) {
        if let Some(frames) = &mut self.frames {
            frames.clear(0);
            frames.clear(1);
        }
        self.shown = Shown::Inner;
    }
}

impl State for FrameSkipper {
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
