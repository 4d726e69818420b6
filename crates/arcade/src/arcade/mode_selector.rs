//! The console's switches, as the programs that select modes press them.

use gym2600_vcs::Drawing;

use super::Arcade;
use crate::action::{Action, Control, NO_CONTROLS};
use crate::console_ram::ConsoleRam;
use crate::rules::{ModeHost, ReadRam, Variables};
use crate::switches::ConsoleSwitches;

/// An arcade whose mode is being selected.
pub(super) struct ModeSelector<'a>(pub(super) &'a mut Arcade);

impl ReadRam for ModeSelector<'_> {
    fn ram(&self, address: u8) -> u8 {
        ConsoleRam(&self.0.console).ram(address)
    }

    fn cart_ram(&self, index: u8) -> u8 {
        ConsoleRam(&self.0.console).cart_ram(index)
    }
}

impl ModeHost for ModeSelector<'_> {
    fn hold_select(&mut self) {
        self.0
            .run_console(NO_CONTROLS, ConsoleSwitches::SELECT, Drawing::OnDemand);
    }

    fn release_select(&mut self) {
        let Self(arcade) = self;
        arcade.emulate(NO_CONTROLS, ConsoleSwitches::NONE, Drawing::OnDemand);
        arcade.episode.count_frame();
    }

    fn soft_reset(&mut self) {
        self.0.soft_reset();
    }

    fn act(&mut self, action: Action) {
        let Self(arcade) = self;
        // Where the last action is the same or none is repeated, the numbers drawn make no difference. An act of several frames may
        // end the episode on the way and draw on, and no sound is cached.
        let sticky = &arcade.episode.sticky;
        let is_last = [action.into(), Control::default()] == sticky.controls;
        if (!is_last && sticky.may_stick()) || arcade.settings.frame_skip > 1 || arcade.settings.sound_obs {
            arcade.reset.depend_on_draws();
        }
        arcade.reset.draw(2);
        let controls = [action.into(), Control::default()];
        arcade.act_with(controls, ConsoleSwitches::NONE, Drawing::OnDemand);
    }

    fn frames_of_act(&self) -> u32 {
        self.0.settings.frame_skip.max(1)
    }

    fn random(&mut self) -> u32 {
        self.0.reset.depend_on_draws();
        self.0.episode.sticky.random.next_u32()
    }

    fn variables(&self) -> &Variables {
        &self.0.episode.progress.variables
    }

    fn variables_mut(&mut self) -> &mut Variables {
        &mut self.0.episode.progress.variables
    }
}
