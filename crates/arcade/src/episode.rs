//! The progress of an episode and its sticky actions: everything that play changes besides the console.

use crate::action::{Control, NO_CONTROLS};
use crate::definition::GameDefinition;
use crate::random::Mt19937;
use crate::rules::Variables;
use crate::settings::Settings;

/// The least resistance of a paddle.
const PADDLE_MIN: i32 = 27_450;
/// Change of a paddle's resistance in a frame, at full strength.
const PADDLE_DELTA: f64 = 23_000.0;

/// The state of an episode besides that of the console, the generators and the sticky action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    pub(crate) variables: Variables,
    /// Resistances.
    pub(crate) paddles: [i32; 2],
    /// Frames played since the last reset.
    pub(crate) frame: u32,
}

impl Progress {
    /// The first episode of a game that has just been loaded.
    pub(crate) fn new(game: &GameDefinition) -> Self {
        Self {
            variables: game.rules.initial(),
            paddles: centred(game),
            frame: 0,
        }
    }

    /// Turns the players' paddles as far as a frame with these controls does.
    pub(crate) fn turn_paddles(&mut self, controls: [Control; 2], game: &GameDefinition) {
        let maximum = (game.paddle_max as i32).max(PADDLE_MIN);
        for (paddle, Control { action, strength }) in self.paddles.iter_mut().zip(controls) {
            let delta = (PADDLE_DELTA * f64::from(strength.abs())) as i32;
            let joystick = action.joystick();
            if joystick.right {
                *paddle = paddle.wrapping_sub(delta);
            }
            if joystick.left {
                *paddle = paddle.wrapping_add(delta);
            }
            *paddle = (*paddle).clamp(PADDLE_MIN, maximum);
        }
    }
}

/// The resistances of paddles in their middle position.
fn centred(game: &GameDefinition) -> [i32; 2] {
    [i32::midpoint(PADDLE_MIN, game.paddle_max as i32); 2]
}

/// The progress of an episode, with what survives its end.
#[derive(Clone, Debug)]
pub(crate) struct Episode {
    pub(crate) progress: Progress,
    pub(crate) sticky: StickyControls,
    /// Frames played since the ROM was loaded.
    pub(crate) total_frames: u32,
}

impl Episode {
    /// The first episode of a game that has just been loaded.
    pub(crate) fn new(game: &GameDefinition, settings: &Settings) -> Self {
        Self {
            progress: Progress::new(game),
            sticky: StickyControls::new(settings),
            total_frames: 0,
        }
    }

    /// Whether the game can have such an episode.
    pub(crate) fn is_valid(&self, game: &GameDefinition) -> bool {
        let most = game.paddle_max as i32;
        let resistances = PADDLE_MIN.min(most)..=PADDLE_MIN.max(most);
        self.progress.paddles.iter().all(|paddle| resistances.contains(paddle))
            && self.progress.frame <= self.total_frames
            && self
                .sticky
                .controls
                .iter()
                .all(|control| (0.0..=1.0).contains(&control.strength))
    }

    /// Starts the next episode. The rules' variables keep their values until the rules are reset.
    pub(crate) fn start(&mut self, game: &GameDefinition) {
        self.progress.paddles = centred(game);
        self.progress.frame = 0;
        self.sticky.forget();
    }

    pub(crate) fn count_frame(&mut self) {
        self.progress.frame = self.progress.frame.saturating_add(1);
        self.total_frames = self.total_frames.saturating_add(1);
    }
}

/// The players' controls that stick, and the generator that decides whether they do.
#[derive(Clone, Debug)]
pub(crate) struct StickyControls {
    pub(crate) random: Mt19937,
    threshold: f64,
    pub(crate) controls: [Control; 2],
}

impl StickyControls {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            random: Mt19937::new(settings.random_seed),
            threshold: settings.sticky_threshold(),
            controls: NO_CONTROLS,
        }
    }

    /// Draws for each player whether the last control is repeated, and takes the new one if it is not.
    pub(crate) fn draw(&mut self, controls: [Control; 2]) {
        for (last, control) in self.controls.iter_mut().zip(controls) {
            if self.random.next_f64() >= self.threshold {
                *last = control;
            }
        }
    }

    /// Whether a control may be repeated at all.
    pub(crate) fn may_stick(&self) -> bool {
        self.threshold > 0.0
    }

    /// Forgets the last controls.
    pub(crate) fn forget(&mut self) {
        self.controls = NO_CONTROLS;
    }
}
