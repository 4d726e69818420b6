//! Resets: power-on, idle frames, RESET, the mode, RESET again, and the actions that begin a game.
//!
//! A reset's first frames are always played. What follows is looked up in the [`ResetCache`] before it is played.
//!
//! [`ResetCache`]: crate::reset_cache::ResetCache

use std::sync::Arc;

use gym2600_vcs::Drawing;

use super::Arcade;
use super::mode_selector::ModeSelector;
use crate::action::{Action, Control, NO_CONTROLS};
use crate::checkpoint::{CHECKPOINT_FRAMES, Destination, IDLE_FRAMES};
use crate::definition::StartingInput;
use crate::episode::Episode;
use crate::random::Mt19937;
use crate::reset_cache::Found;
use crate::rules::{Budget, ModeError, SOFT_RESET_FRAMES};
use crate::switches::ConsoleSwitches;

/// How many resets were played and how many were taken from the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResetCounts {
    /// Resets of which only the first frames were played.
    pub cached: u64,
    /// Resets of which more was played.
    pub played: u64,
    /// Played resets whose idle frames were taken from the cache.
    pub idle_cached: u64,
}

/// The mode and difficulty of the next reset, its generator, and the result of the last one.
#[derive(Clone, Debug)]
pub(super) struct Resetter {
    /// Draws the RAM noise of power-on.
    pub(super) power_on_random: Mt19937,
    pub(super) mode: u32,
    pub(super) difficulty: u32,
    pub(super) mode_error: Option<ModeError>,
    pub(super) counts: ResetCounts,
    /// Numbers that the reset in progress has drawn from the generator of sticky actions.
    draws: u32,
    /// The reset in progress depends on what these numbers were.
    depends_on_draws: bool,
}

impl Resetter {
    pub(super) fn new(mode: u32, difficulty: u32, power_on_random: Mt19937) -> Self {
        Self {
            power_on_random,
            mode,
            difficulty,
            mode_error: None,
            counts: ResetCounts::default(),
            draws: 0,
            depends_on_draws: false,
        }
    }

    /// Starts a reset.
    fn start(&mut self) {
        self.mode_error = None;
        self.draws = 0;
        self.depends_on_draws = false;
    }

    /// Notes that numbers are drawn whose values make no difference.
    pub(super) fn draw(&mut self, count: u32) {
        self.draws += count;
    }

    /// Notes that the reset depends on numbers that are drawn.
    pub(super) fn depend_on_draws(&mut self) {
        self.depends_on_draws = true;
    }

    /// Whether another reset from the same checkpoint would end the same.
    fn is_cacheable(&self) -> bool {
        !self.depends_on_draws && self.mode_error.is_none()
    }
}

impl Arcade {
    /// Starts an episode: power-on, 60 idle frames, RESET, the mode, RESET again, and what the game needs to begin.
    ///
    /// If the state after the first frames matches a cached reset, the remaining frames are skipped: the game continues from the
    /// cached end. [`Settings::cache_resets`] turns that off.
    ///
    /// [`Settings::cache_resets`]: crate::Settings::cache_resets
    pub fn reset_game(&mut self) {
        self.episode.start(self.cache.game());
        self.reset.start();
        let random = &mut self.reset.power_on_random;
        self.console.reset(&mut || random.next_u32());
        self.play_idle(CHECKPOINT_FRAMES);
        if self.settings.cache_resets {
            self.finish_reset_cached();
        } else {
            self.play_idle(IDLE_FRAMES - CHECKPOINT_FRAMES);
            self.start_game();
        }
    }

    /// Finishes a reset from its checkpoint, with the cache.
    fn finish_reset_cached(&mut self) {
        let Resetter { mode, difficulty, .. } = self.reset;
        let found = self
            .cache
            .find(mode, difficulty, &self.episode.progress, &mut self.console);
        let mark = self.console.mark();
        let before = self.console_frames;
        let checkpoint = match found {
            Found::End(end) => {
                self.go_to(&end);
                self.reset.counts.cached += 1;
                return;
            }
            Found::IdleEnd(end, checkpoint) => {
                self.go_to(&end);
                self.reset.counts.idle_cached += 1;
                checkpoint
            }
            Found::Nothing(checkpoint) => {
                self.play_idle(IDLE_FRAMES - CHECKPOINT_FRAMES);
                checkpoint
            }
        };
        self.start_game();
        self.reset.counts.played += 1;
        if self.reset.is_cacheable() {
            let frames = self.console_frames - before;
            let end = Destination::of(
                &mut self.console,
                mark,
                &self.episode.progress,
                frames,
                self.reset.draws,
            );
            self.cache.keep(mode, checkpoint, end);
        }
    }

    fn go_to(&mut self, destination: &Destination) {
        self.console
            .continue_from(&destination.snapshot)
            .expect("the cache holds snapshots of this game only");
        let Episode {
            progress,
            sticky,
            total_frames,
        } = &mut self.episode;
        let frames = destination.progress.frame - progress.frame;
        *total_frames = total_frames.saturating_add(frames);
        self.console_frames += destination.console_frames;
        progress.clone_from(&destination.progress);
        for _ in 0..destination.draws {
            sticky.random.next_u32();
        }
    }

    /// Presses RESET after the idle frames, selects the mode, presses RESET again and plays the starting actions, within a budget.
    fn start_game(&mut self) {
        self.soft_reset();
        let game = Arc::clone(self.cache.game());
        game.rules.reset(&mut self.episode.progress.variables);
        let mut budget = Budget::new(game.rules.steps_of_frame());
        if let Some(program) = &game.mode_select {
            let mode = self.reset.mode;
            self.reset.mode_error = program.run(&mut ModeSelector(self), mode, &mut budget).err();
        }
        self.soft_reset();
        for &(pressed, frames) in &game.starting_actions {
            let (action, switches) = match pressed {
                StartingInput::Action(action) => (action, ConsoleSwitches::NONE),
                StartingInput::Reset => (Action::Noop, ConsoleSwitches::RESET),
            };
            for _ in 0..frames {
                if let Err(spent) = budget.spend_frames(1) {
                    self.reset
                        .mode_error
                        .get_or_insert(ModeError::StartingActions { spent });
                    return;
                }
                self.emulate([action.into(), Control::default()], switches, Drawing::OnDemand);
            }
        }
    }

    /// Plays frames in which nothing is pressed.
    fn play_idle(&mut self, frames: u32) {
        for _ in 0..frames {
            self.emulate(NO_CONTROLS, ConsoleSwitches::NONE, Drawing::OnDemand);
        }
    }

    /// Holds the RESET switch, and forgets the last action.
    pub(super) fn soft_reset(&mut self) {
        for _ in 0..SOFT_RESET_FRAMES {
            self.emulate(NO_CONTROLS, ConsoleSwitches::RESET, Drawing::OnDemand);
        }
        self.episode.sticky.forget();
    }

    /// How many resets were played and how many were taken from the cache, for tests and measurements.
    pub fn reset_counts(&self) -> ResetCounts {
        self.reset.counts
    }
}
