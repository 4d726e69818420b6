//! `FireReset`: presses FIRE after a reset.

use gym2600_arcade::{Drawing, InvalidState, State};
use serde::{Deserialize, Serialize};

use super::layout::Frame;
use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Presses FIRE after a reset, for games that wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FireReset {
    /// The actions that are played.
    #[cfg_attr(test, ts(optional = nullable))]
    pub plays: FirePlays,
    /// Whether a game without FIRE is refused.
    #[cfg_attr(test, ts(optional = nullable))]
    pub without_fire: WithoutFire,
}

/// The actions that [`FireReset`] plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum FirePlays {
    /// One step of FIRE.
    #[default]
    Fire,
    /// One step of action 1, which must be FIRE, and one of action 2, starting again if either ends the episode. The
    /// observation is the second step's, even if the game was reset after it.
    FireAndSecond,
}

/// Whether [`FireReset`] refuses a game without FIRE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum WithoutFire {
    /// The list is refused.
    #[default]
    Refuse,
    /// The wrapper does nothing.
    PassOn,
}

impl WrapperKind for FireReset {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        place.is_only_once()
    }

    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        let Some(fire) = game.fire() else {
            return match self.without_fire {
                WithoutFire::PassOn => Ok(None),
                WithoutFire::Refuse => Err("this game has no FIRE among its actions".into()),
            };
        };
        let actions = game.actions.len();
        let plays_second = self.plays == FirePlays::FireAndSecond;
        if plays_second && (fire != 1 || actions < 3) {
            return Err(format!(
                "it plays actions 1 and 2 of at least 3, the first of them FIRE; this game has {actions} and FIRE is {fire}"
            ));
        }
        Ok(Some(Box::new(FireResetLayer {
            plays: self.plays,
            fire,
            held: plays_second.then(|| Frame::like(game.layout, game.colours())),
            holds: false,
        })))
    }
}

/// Presses FIRE.
#[derive(Clone)]
struct FireResetLayer {
    plays: FirePlays,
    fire: u32,
    /// The observation of the second step, which is shown even if the game was reset after it.
    held: Option<Frame>,
    holds: bool,
}

impl Layer for FireResetLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.holds = false;
        inner.step(action, drawing)
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        self.holds = false;
        inner.reset(reset);
        match self.plays {
            FirePlays::Fire => {
                inner.step(self.fire, Drawing::OnDemand);
            }
            FirePlays::FireAndSecond => {
                if inner.step(self.fire, Drawing::OnDemand).ended() {
                    inner.reset(reset.repeated());
                }
                if inner.step(self.fire + 1, Drawing::OnDemand).ended() {
                    if let Some(held) = &mut self.held {
                        held.keep(inner.view());
                        self.holds = true;
                    }
                    inner.reset(reset.repeated());
                }
            }
        }
    }

    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        match &self.held {
            Some(held) if self.holds => held.view(),
            _ => inner.into_view(),
        }
    }
}

impl State for FireResetLayer {
    fn save(&self, bytes: &mut Vec<u8>) {
        if let Some(held) = &self.held {
            held.save(bytes);
        }
        self.holds.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        if let Some(held) = &mut self.held {
            held.load(bytes)?;
        }
        self.holds.load(bytes)?;
        if self.holds && self.held.is_none() {
            return Err(InvalidState);
        }
        Ok(())
    }
}
