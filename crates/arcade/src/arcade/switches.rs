//! The console's switches, as the programs that select modes press them.

use std::cell::Cell;

use gym2600_vcs::Picture;

use super::{Arcade, Button, ConsoleMemory};
use crate::action::Action;
use crate::rules::{Memory, ModeMachine, Origin, Variables};

/// An arcade whose mode is being selected. While its reset is recorded, what the program looks at is noted.
pub(super) struct Switches<'a> {
    arcade: &'a mut Arcade,
    read: Cell<Origin>,
}

impl<'a> Switches<'a> {
    pub(super) fn of(arcade: &'a mut Arcade) -> Self {
        Self {
            arcade,
            read: Cell::default(),
        }
    }

    /// Reads memory; what is read decides what is pressed.
    fn look(&self, read: impl FnOnce(&dyn Memory) -> u8) -> u8 {
        let memory = ConsoleMemory(&self.arcade.console);
        let Some(recording) = &self.arcade.recording else {
            return read(&memory);
        };
        let noting = recording.noting(&memory);
        let byte = read(&noting);
        self.read.set(self.read.get().or(noting.read()));
        byte
    }

    /// Tells the recording what was looked at before the console goes on.
    fn tell(&mut self) {
        let read = self.read.take();
        if let Some(recording) = &mut self.arcade.recording {
            recording.look(read);
        }
    }
}

impl Memory for Switches<'_> {
    fn ram(&self, address: u8) -> u8 {
        self.look(|memory| memory.ram(address))
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.look(|memory| memory.cart_ram(index))
    }
}

impl ModeMachine for Switches<'_> {
    fn press_select(&mut self, frames: u32) {
        self.tell();
        let arcade = &mut *self.arcade;
        for _ in 0..frames {
            arcade.run_console(Action::Noop, 1.0, Button::Select, Picture::OnDemand);
        }
        arcade.emulate(Action::Noop, 1.0, Button::None, Picture::OnDemand);
        arcade.count_frame();
    }

    fn soft_reset(&mut self) {
        self.tell();
        self.arcade.soft_reset();
    }

    fn act(&mut self, action: Action) {
        self.tell();
        let arcade = &mut *self.arcade;
        if let Some(recording) = &mut arcade.recording {
            // If the action is the one that may stick, it is all the same whether it does. More than one frame may end the
            // episode on the way.
            let sticks = (action, 1.0) == (arcade.last_action, arcade.last_strength);
            if !sticks || arcade.settings.frame_skip > 1 || arcade.settings.sound_obs {
                recording.lose();
            }
            recording.draw(2);
        }
        arcade.act(action, Picture::OnDemand);
    }

    fn random(&mut self) -> u32 {
        if let Some(recording) = &mut self.arcade.recording {
            recording.lose();
        }
        self.arcade.random.next_u32()
    }

    fn variables(&self) -> &Variables {
        &self.arcade.variables
    }

    fn variables_mut(&mut self) -> &mut Variables {
        self.tell();
        &mut self.arcade.variables
    }
}

impl Drop for Switches<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}
