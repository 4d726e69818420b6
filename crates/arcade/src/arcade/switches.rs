//! The console's switches, as the programs that select modes press them.

use gym2600_vcs::Picture;

use super::{Arcade, Button, ConsoleMemory, SOFT_RESET_FRAMES};
use crate::action::Action;
use crate::rules::{Memory, ModeMachine, Variables};

impl Memory for Arcade {
    fn ram(&self, address: u8) -> u8 {
        ConsoleMemory(&self.console).ram(address)
    }

    fn cart_ram(&self, index: u8) -> u8 {
        ConsoleMemory(&self.console).cart_ram(index)
    }
}

impl ModeMachine for Arcade {
    fn press_select(&mut self, frames: u32) {
        for _ in 0..frames {
            self.run_console(Action::Noop, 1.0, Button::Select, Picture::OnDemand);
        }
        self.emulate(Action::Noop, 1.0, Button::None, Picture::OnDemand);
        self.count_frame();
    }

    fn soft_reset(&mut self) {
        for _ in 0..SOFT_RESET_FRAMES {
            self.emulate(Action::Noop, 1.0, Button::Reset, Picture::OnDemand);
        }
        self.last_action = Action::Noop;
        self.last_strength = 1.0;
    }

    fn act(&mut self, action: Action) {
        Self::act(self, action, Picture::OnDemand);
    }

    fn random(&mut self) -> u32 {
        self.random.next_u32()
    }

    fn variables(&self) -> &Variables {
        &self.variables
    }

    fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }
}
