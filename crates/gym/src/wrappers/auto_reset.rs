//! `AutoReset`: starts the next episode without a call of reset.

use gym2600_arcade::{Drawing, fields};

use super::Env;
use super::layout::Layout;
use crate::image::Colours;
use crate::record::Info;
use crate::spec::AutoresetMode;
use crate::transition::{ResetScope, Transition};

/// Starts the next episode by itself.
pub(crate) struct AutoResetter {
    mode: AutoresetMode,
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
    pub(crate) fn new(mode: AutoresetMode) -> Self {
        Self {
            mode,
            ended: false,
            last_info: None,
            last_observation: None,
        }
    }

    fn is_valid(&self) -> bool {
        !self.ended || self.mode == AutoresetMode::NextStep
    }

    /// Keeps the final observations of episodes, which have this layout.
    pub(crate) fn keep_final_observations(&mut self, layout: &Layout, colours: &'static Colours) {
        if self.mode == AutoresetMode::SameStep && self.last_observation.is_none() {
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
        self.last_info = None;
        if self.ended {
            self.ended = false;
            inner.limited_reset(ResetScope::AGAIN);
            return Transition::default();
        }
        let transition = inner.step(action, drawing);
        if transition.ended() {
            match self.mode {
                AutoresetMode::NextStep => self.ended = true,
                AutoresetMode::SameStep => {
                    self.last_info = Some(inner.base.info());
                    if let Some(last) = &mut self.last_observation {
                        inner.view().write(last.colours, last.row_len, &mut last.bytes);
                    }
                    inner.limited_reset(ResetScope::AGAIN);
                }
                AutoresetMode::Disabled => {}
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

fields!(AutoResetter { ended } where is_valid);
