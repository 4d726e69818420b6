//! FireReset: presses FIRE after a reset.

use gym2600_arcade::{Drawing, InvalidState, State};

use super::Env;
use super::layout::{Frame, Layout};
use crate::image::Colours;
use crate::spec::FirePlays;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Presses FIRE.
pub(crate) struct FirePresser {
    plays: FirePlays,
    fire: u32,
    /// The observation of the second step, which is shown even if the game was reset after it.
    held: Option<Frame>,
    holds: bool,
}

impl FirePresser {
    pub(crate) fn new(plays: FirePlays, fire: u32, inner: &Layout, colours: &'static Colours) -> Self {
        Self {
            plays,
            fire,
            held: (plays == FirePlays::FireAndSecond).then(|| Frame::like(inner, colours)),
            holds: false,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.holds = false;
        inner.step(action, drawing)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
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

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        match &self.held {
            Some(held) if self.holds => held.view(),
            _ => inner.into_view(),
        }
    }
}

impl State for FirePresser {
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
