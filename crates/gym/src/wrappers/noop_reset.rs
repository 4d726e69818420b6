//! `NoopReset`: a random number of NOOP steps after a reset.

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::base_env::NOOP;
use crate::builder::Builder;
use crate::order::Place;
use crate::random::uniform;
use crate::transition::ResetScope;

/// Plays NOOP for a random number of steps after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NoopReset {
    /// Largest number of steps; 30 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub max: u32,
    /// How their number is drawn.
    #[cfg_attr(test, ts(optional = nullable))]
    pub draw: NoopDraw,
}

impl Default for NoopReset {
    fn default() -> Self {
        Self {
            max: 30,
            draw: NoopDraw::default(),
        }
    }
}

/// How [`NoopReset`] draws its number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NoopDraw {
    /// 1 to `max`, from the environment's NumPy generator.
    #[default]
    Numpy,
    /// 0 to `max - 1` from a Mersenne twister, one less (but not below 0) where a FIRE was pressed.
    AleVector,
    /// 1 to `max` from a Mersenne twister, one less where a FIRE follows.
    Envpool,
}

impl WrapperKind for NoopReset {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        place.is_only_once()?;
        place.add_start(self.max)
    }

    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(Some(Box::new(NoopResetLayer {
            max: self.max,
            draw: self.draw,
            fires: u32::from(game.presses_fire && game.fire().is_some()),
        })))
    }
}

/// Plays a random number of NOOP steps.
#[derive(Clone)]
struct NoopResetLayer {
    max: u32,
    draw: NoopDraw,
    /// Steps subtracted from the number for the press of FIRE before or after.
    fires: u32,
}

impl Layer for NoopResetLayer {
    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
        let steps = if self.max == 0 {
            0
        } else {
            let generators = &mut inner.base.generators;
            match self.draw {
                NoopDraw::Numpy => generators.environment.integers(1, self.max + 1),
                NoopDraw::AleVector => uniform(&mut generators.twister, self.max - 1).saturating_sub(self.fires),
                NoopDraw::Envpool => uniform(&mut generators.twister, self.max - 1) + 1 - self.fires,
            }
        };
        for _ in 0..steps {
            if inner.step(NOOP, Drawing::OnDemand).ended() {
                inner.reset(reset.repeated());
            }
            if inner.base.start_is_over() {
                return;
            }
        }
    }
}

fields!(NoopResetLayer {});
