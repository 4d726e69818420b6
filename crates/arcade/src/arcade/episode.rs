//! What an episode changes besides the console.

use gym2600_vcs::Joystick;

use crate::action::Action;
use crate::definition::GameDefinition;
use crate::random::Mt19937;
use crate::rules::Variables;
use crate::settings::Settings;

/// The least resistance of a paddle.
const PADDLE_MIN: i32 = 27_450;
/// Change of a paddle's resistance in a frame, at full strength.
const PADDLE_DELTA: f64 = 23_000.0;

/// The progress of an episode, besides the console's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Episode {
    pub(crate) variables: Variables,
    /// Resistances.
    pub(super) paddles: [i32; 2],
    /// Frames played since the last reset.
    pub(super) frame: u32,
}

impl Episode {
    /// The first episode of a game that has just been loaded.
    pub(crate) fn new(game: &GameDefinition) -> Self {
        let mut episode = Self {
            variables: game.rules.initial(),
            paddles: [0; 2],
            frame: 0,
        };
        episode.start(game);
        episode
    }

    /// Starts the next episode. The rules' variables keep their values until the rules are reset.
    pub(super) fn start(&mut self, game: &GameDefinition) {
        self.paddles = [i32::midpoint(PADDLE_MIN, game.paddle_max as i32); 2];
        self.frame = 0;
    }

    /// Turns the first paddle as far as a frame with this joystick does.
    pub(super) fn turn_paddles(&mut self, joystick: Joystick, strength: f32, game: &GameDefinition) {
        let delta = (PADDLE_DELTA * f64::from(strength.abs())) as i32;
        if joystick.right {
            self.paddles[0] = self.paddles[0].wrapping_sub(delta);
        }
        if joystick.left {
            self.paddles[0] = self.paddles[0].wrapping_add(delta);
        }
        let maximum = (game.paddle_max as i32).max(PADDLE_MIN);
        self.paddles = self.paddles.map(|paddle| paddle.clamp(PADDLE_MIN, maximum));
    }
}

/// The action that sticks, and the generator that decides whether it does.
#[derive(Clone, Debug)]
pub(super) struct StickyActions {
    pub(super) random: Mt19937,
    threshold: f64,
    pub(super) action: Action,
    pub(super) strength: f32,
}

impl StickyActions {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            random: Mt19937::new(settings.random_seed),
            threshold: settings.sticky_threshold(),
            action: Action::Noop,
            strength: 1.0,
        }
    }

    /// Draws whether the last action is repeated, and takes the new one if it is not. The second draw is the second player's.
    pub(super) fn draw(&mut self, action: Action, strength: f32) {
        if self.random.next_f64() >= self.threshold {
            self.action = action;
            self.strength = strength;
        }
        self.random.next_u32();
    }

    /// Forgets the last action.
    pub(super) fn forget(&mut self) {
        self.action = Action::Noop;
        self.strength = 1.0;
    }
}
