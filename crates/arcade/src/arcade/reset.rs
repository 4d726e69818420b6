//! The life-cycle of a reset, played, remembered or both.

use std::sync::Arc;

use gym2600_vcs::Picture;

use super::memory::Start;
use super::recording::Recording;
use super::switches::Switches;
use super::{Arcade, Button, PADDLE_MIN, run_rules};
use crate::action::Action;
use crate::definition::StartingInput;
use crate::idle::{COMPARED_AFTER, IDLE_FRAMES};

/// Frames for which the RESET switch is held.
const SOFT_RESET_FRAMES: u32 = 4;

impl Arcade {
    /// Starts an episode: power-on, 60 idle frames, RESET, the mode, RESET again, and what the game needs to begin. A reset that
    /// depends on nothing that was not so at an earlier one is not played again: what came of that is remembered.
    pub fn reset_game(&mut self) {
        self.episode_frame = 0;
        self.paddles = [i32::midpoint(PADDLE_MIN, self.game.paddle_max as i32); 2];
        let random = &mut self.system_random;
        self.console.reset(&mut || random.next_u32());
        if !self.settings.remember_resets {
            self.play_reset();
            return;
        }
        let start = Start {
            mode: self.mode,
            difficulty: self.difficulty,
            sources: self.console.sources(),
            variables: self.variables.clone(),
        };
        if self.recall(&start) {
            return;
        }
        if let Some(depth) = self.memory.wants() {
            let recording = Recording::new(start, self.console.trace(), depth);
            self.recording = Some(Box::new(recording));
        }
        self.play_reset();
        if let Some(recording) = self.recording.take() {
            self.remember(*recording);
        }
    }

    /// What a reset does after power-on.
    fn play_reset(&mut self) {
        self.leave_alone(COMPARED_AFTER);
        if self.meet() {
            return;
        }
        let left = self.go_on();
        self.leave_alone(left);
        self.soft_reset();
        match &mut self.recording {
            None => self.game.rules.reset(&mut self.variables),
            Some(recording) => recording.reset(&self.game.rules, &mut self.variables),
        }
        self.select_mode();
        self.soft_reset();
        let game = Arc::clone(&self.game);
        for &(pressed, frames) in &game.starting_actions {
            let (action, button) = match pressed {
                StartingInput::Action(action) => (action, Button::None),
                StartingInput::Reset => (Action::Noop, Button::Reset),
            };
            for _ in 0..frames {
                self.emulate(action, 1.0, button, Picture::OnDemand);
            }
        }
    }

    /// Presses nothing.
    fn leave_alone(&mut self, frames: u32) {
        for _ in 0..frames {
            self.emulate(Action::Noop, 1.0, Button::None, Picture::OnDemand);
        }
    }

    /// Where the console goes on as it did when its television was told, has it be left alone until then. Gives for how many frames it
    /// is still to be left alone.
    fn go_on(&mut self) -> u32 {
        let to_come = IDLE_FRAMES - COMPARED_AFTER;
        let followed = self.recording.as_deref().is_some_and(Recording::is_following);
        if followed || self.difficulty != self.game.default_difficulty {
            return to_come;
        }
        let known = self.memory.lock().idles_as(&mut self.console);
        let Some((idle, ahead)) = known else {
            return to_come;
        };
        for ram in idle.rams(ahead) {
            run_rules(&self.game, &mut self.variables, &mut self.recording, ram);
        }
        let taken = idle.take_to_end(&mut self.console, ahead);
        debug_assert_eq!(taken, Ok(()), "the end is that of a console like this one");
        self.shortened += 1;
        ahead as u32
    }

    /// Holds the RESET switch, and forgets the last action.
    pub(super) fn soft_reset(&mut self) {
        for _ in 0..SOFT_RESET_FRAMES {
            self.emulate(Action::Noop, 1.0, Button::Reset, Picture::OnDemand);
        }
        self.last_action = Action::Noop;
        self.last_strength = 1.0;
    }

    fn select_mode(&mut self) {
        let game = Arc::clone(&self.game);
        if let Some(program) = &game.mode_select {
            let mode = self.mode;
            let result = program.run(&mut Switches::of(self), mode);
            self.mode_error = result.err();
        }
    }
}
