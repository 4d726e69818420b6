//! FireReset: presses FIRE after a reset.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use super::picture::{Frame, Shape};
use crate::chain::{Env, Outcome, View};
use crate::spec::FirePlays;

/// Presses FIRE.
pub(crate) struct FirePresser {
    plays: FirePlays,
    fire: u32,
    /// The second step's observation, where the game was reset after it and it has to be shown all the same.
    held: Frame,
    holds: bool,
}

impl FirePresser {
    pub(crate) fn new(plays: FirePlays, fire: u32, inner: &Shape) -> Self {
        Self {
            plays,
            fire,
            held: Frame::like(inner),
            holds: false,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        self.holds = false;
        inner.step(action, picture)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        self.holds = false;
        inner.reset(seed);
        match self.plays {
            FirePlays::Fire => {
                inner.step(self.fire, Picture::OnDemand);
            }
            FirePlays::FireAndSecond => {
                if inner.step(self.fire, Picture::OnDemand).ended() {
                    inner.reset(seed);
                }
                if inner.step(self.fire + 1, Picture::OnDemand).ended() {
                    self.held.keep(inner.view());
                    self.holds = true;
                    inner.reset(seed);
                }
            }
        }
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        if self.holds {
            self.held.view()
        } else {
            inner.into_view()
        }
    }
}

fields!(FirePresser { held, holds });
