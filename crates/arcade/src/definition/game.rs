//! A checked definition, as an environment uses it.

use gym2600_vcs::{Controller, Mapper, TvFormat};

use super::raw::StartingInput;
use crate::action::Action;
use crate::rules::{Bounds, ModeProgram, Rules};

/// Everything about a game that an environment needs besides its ROM.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the settings are independent of each other"
)]
pub struct GameDefinition {
    /// A hash of a caller's definition; none for the catalogue's. Saved states with another hash are refused.
    pub digest: Option<[u8; 16]>,
    /// The name of the ROM, such as `breakout`.
    pub rom: String,
    /// The name on the box.
    pub title: String,
    /// The Gymnasium environment, such as `ALE/Breakout-v5`, if there is one.
    pub env_id: Option<String>,
    /// The MD5 that the ROM must have, in lower case; none to accept any ROM.
    pub md5: Option<String>,
    /// The size of the ROM in bytes, if it is known.
    pub size: Option<usize>,
    /// How the cartridge is banked; none to detect it.
    pub mapper: Option<Mapper>,
    /// The television the game is made for; none to detect it by running 60 frames at load, as ALE does for nearly every ROM.
    pub tv: Option<TvFormat>,
    /// The television that a detection finds, where that is known. Documentation only: it changes nothing.
    pub expected_tv: Option<TvFormat>,
    /// The first line of a frame that is shown.
    pub first_line: u16,
    /// The lines that are shown; 210 becomes 250 on a PAL television.
    pub height: u16,
    /// Whether the lines above and below that the game draws in its first frames are shown too.
    pub whole_picture: bool,
    /// Player A's controller.
    pub left: Controller,
    /// Player B's controller.
    pub right: Controller,
    /// Whether player A's controller is plugged into the right port.
    pub swap_ports: bool,
    /// Whether player A's paddle is the second of the pair.
    pub swap_paddles: bool,
    /// Whether HMOVE blanks the start of a line, as the hardware does.
    pub hmove_blanks: bool,
    /// Whether the left difficulty switch is at A while the television is detected.
    pub left_difficulty_a: bool,
    /// Whether the right difficulty switch is at A while the television is detected.
    pub right_difficulty_a: bool,
    /// The highest resistance of a paddle.
    pub paddle_max: u32,
    /// The actions that have an effect in this game, by number.
    pub minimal_actions: Vec<Action>,
    /// The actions that are passed on to the game; all others are played as [`Action::Noop`].
    pub legal_actions: Vec<Action>,
    /// The inputs before an episode starts, each with its number of frames.
    pub starting_actions: Vec<(StartingInput, u32)>,
    /// The modes that can be selected.
    pub modes: Vec<u32>,
    /// The mode unless another is selected, one of [`modes`](Self::modes).
    pub default_mode: u32,
    /// The difficulties that can be selected. Bit 0 is the left switch and bit 1 the right, 1 for A.
    pub difficulties: Vec<u32>,
    /// The difficulty unless another is selected. It need not be among [`difficulties`](Self::difficulties).
    pub default_difficulty: u32,
    /// How a mode is selected; none if a game has nothing to select.
    pub mode_select: Option<ModeProgram>,
    /// How reward, lives and end are read.
    pub rules: Rules,
}

impl GameDefinition {
    /// Whether player A turns a paddle.
    pub fn uses_paddles(&self) -> bool {
        self.left == Controller::Paddles
    }

    /// The least and the greatest value of each variable of the rules, in the order of their names.
    pub fn variable_bounds(&self) -> Vec<Bounds> {
        self.rules.variable_bounds(self.mode_select.as_ref())
    }
}

/// The game has no such mode.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown mode {mode} of {rom}: its modes are {modes:?}")]
pub struct UnknownMode {
    /// The given mode.
    pub mode: u32,
    /// The game.
    pub rom: String,
    /// Its modes.
    pub modes: Vec<u32>,
}

/// The game has no such difficulty.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown difficulty {difficulty} of {rom}: its difficulties are {difficulties:?}")]
pub struct UnknownDifficulty {
    /// The given difficulty.
    pub difficulty: u32,
    /// The game.
    pub rom: String,
    /// Its difficulties.
    pub difficulties: Vec<u32>,
}

impl GameDefinition {
    /// Refuses a mode that the game does not have.
    ///
    /// # Errors
    /// [`UnknownMode`]
    pub fn check_mode(&self, mode: u32) -> Result<(), UnknownMode> {
        if self.modes.contains(&mode) {
            return Ok(());
        }
        Err(UnknownMode {
            mode,
            rom: self.rom.clone(),
            modes: self.modes.clone(),
        })
    }

    /// Refuses a difficulty that the game does not have.
    ///
    /// # Errors
    /// [`UnknownDifficulty`]
    pub fn check_difficulty(&self, difficulty: u32) -> Result<(), UnknownDifficulty> {
        if self.difficulties.contains(&difficulty) {
            return Ok(());
        }
        Err(UnknownDifficulty {
            difficulty,
            rom: self.rom.clone(),
            difficulties: self.difficulties.clone(),
        })
    }
}
