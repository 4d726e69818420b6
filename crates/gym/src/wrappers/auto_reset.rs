//! `AutoReset`: starts the next episode without a call of reset.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::layout::Layout;
use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::image::Colours;
use crate::order::Place;
use crate::record::Info;
use crate::transition::{ResetScope, Transition};

/// Starts the next episode without a call of reset. Last in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AutoReset {
    /// When the next episode starts: in the step after an end, by default, or in the step that ends an episode.
    #[cfg_attr(test, ts(optional, type = "Exclude<AutoresetMode, \"disabled\">"))]
    #[cfg_attr(test, schemars(extend("not" = { "const": "disabled" })))]
    pub mode: AutoresetMode,
}

/// When the next episode starts after an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AutoresetMode {
    /// In the step after an end: its action is ignored and its reward is 0.
    #[default]
    NextStep,
    /// In the step that ends an episode: its observation is the next episode's first.
    SameStep,
    /// When the caller resets it. The wrapper [`AutoReset`] does not take this value.
    Disabled,
}

impl WrapperKind for AutoReset {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        if let Some(next) = place.next() {
            return Err(format!("it has to come last, but {} follows", next.name()));
        }
        if self.mode == AutoresetMode::Disabled {
            return Err("mode is disabled; leave the wrapper out instead".into());
        }
        Ok(())
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(AutoResetLayer {
            mode: self.mode,
            ended: false,
            last_info: None,
            last_variables: Vec::new(),
            last_observation: None,
        })))
    }
}

/// Starts the next episode by itself.
#[derive(Clone)]
struct AutoResetLayer {
    mode: AutoresetMode,
    ended: bool,
    /// The info at the end of the episode that the last step ended, if the step also started the next one.
    last_info: Option<Info>,
    /// The variables of the rules at that end. The room is used again.
    last_variables: Vec<i64>,
    last_observation: Option<LastObservation>,
}

/// A buffer for the final observation, if final observations are kept.
#[derive(Clone)]
struct LastObservation {
    colours: &'static Colours,
    row_len: usize,
    bytes: Vec<u8>,
}

impl AutoResetLayer {
    fn is_valid(&self) -> bool {
        !self.ended || self.mode == AutoresetMode::NextStep
    }
}

impl Layer for AutoResetLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.last_info = None;
        if self.ended {
            self.ended = false;
            inner.start_episode(ResetScope::AGAIN);
            return Transition::default();
        }
        let transition = inner.step(action, drawing);
        if transition.ended() {
            match self.mode {
                AutoresetMode::NextStep => self.ended = true,
                AutoresetMode::SameStep => {
                    self.last_info = Some(inner.base.info());
                    self.last_variables.clear();
                    let variables = inner.base.arcade().variables();
                    self.last_variables.extend(variables.map(|(_, value)| value));
                    if let Some(last) = &mut self.last_observation {
                        inner.view().write(last.colours, last.row_len, &mut last.bytes);
                    }
                    inner.start_episode(ResetScope::AGAIN);
                }
                AutoresetMode::Disabled => {}
            }
        }
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        self.ended = false;
        self.last_info = None;
    }

    fn renew(&mut self) {
        self.ended = false;
    }

    /// A loaded state has no final info.
    fn restored(&mut self) {
        self.last_info = None;
    }

    fn keep_final_observations(&mut self, layout: &Layout, colours: &'static Colours) {
        if self.mode == AutoresetMode::SameStep && self.last_observation.is_none() {
            self.last_observation = Some(LastObservation {
                colours,
                row_len: layout.row_len(),
                bytes: vec![0; layout.space.len()],
            });
        }
    }

    fn final_info(&self) -> Option<Info> {
        self.last_info
    }

    fn final_variables(&self) -> Option<&[i64]> {
        self.last_info?;
        Some(&self.last_variables)
    }

    fn final_observation(&self) -> Option<&[u8]> {
        self.last_info?;
        Some(&self.last_observation.as_ref()?.bytes)
    }
}

fields!(AutoResetLayer { ended } where is_valid);
