//! NoopReset: a random number of NOOP steps after a reset.

use gym2600_arcade::Drawing;

use super::Env;
use crate::base_env::NOOP;
use crate::random::uniform;
use crate::spec::NoopDraw;
use crate::transition::ResetScope;

/// Plays a random number of NOOP steps.
pub(crate) struct NoopStarter {
    pub(crate) max: u32,
    pub(crate) draw: NoopDraw,
    /// Steps subtracted from the number for the press of FIRE before or after.
    pub(crate) fires: u32,
}

impl NoopStarter {
    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
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
