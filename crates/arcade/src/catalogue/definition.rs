//! What a definition says of a game.

use super::error::DefinitionError;
use super::parse;
use crate::action::Action;
use crate::rules::{ModeProgram, Rules};
use gym2600_vcs::{Controller, Mapper, TvFormat};

/// What is pressed for a number of frames before an episode starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartingInput {
    /// A player's action.
    Action(Action),
    /// The console's RESET switch.
    Reset,
}

/// All that an environment has to know of a game besides its ROM.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "they are settings that have nothing to do with each other"
)]
pub struct GameDefinition {
    /// The name of the ROM, such as `breakout`.
    pub rom: String,
    /// The name on the box.
    pub title: String,
    /// The Gymnasium environment, such as `ALE/Breakout-v5`; none if there is none.
    pub env_id: Option<String>,
    /// The MD5 that the ROM has to have, in lower case; none if any ROM will do.
    pub md5: Option<String>,
    /// The size of the ROM in bytes, if it is known.
    pub size: Option<usize>,
    /// How the cartridge is banked; none to detect it.
    pub mapper: Option<Mapper>,
    /// The television the game is made for; none to detect it by running 60 frames at load, as ALE does for nearly every ROM.
    pub tv: Option<TvFormat>,
    /// The television that a detection finds, where that is known. It is there to be read: what it says changes nothing.
    pub expected_tv: Option<TvFormat>,
    /// The first line of a frame that is shown.
    pub ystart: u16,
    /// The lines that are shown; 210 stands for 250 on a PAL television.
    pub height: u16,
    /// What player A holds.
    pub left: Controller,
    /// What player B holds.
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
    /// The actions that do something in this game, by number.
    pub minimal_actions: Vec<Action>,
    /// The actions that are passed on to the game; all others are played as [`Action::Noop`].
    pub legal_actions: Vec<Action>,
    /// What is pressed before an episode starts, and for how many frames.
    pub starting_actions: Vec<(StartingInput, u32)>,
    /// The modes that can be asked for.
    pub modes: Vec<u32>,
    /// The mode of a game that is asked for none, one of [`modes`](Self::modes).
    pub default_mode: u32,
    /// The difficulties that can be asked for. Bit 0 is the left switch and bit 1 the right, 1 for A.
    pub difficulties: Vec<u32>,
    /// The difficulty of a game that is asked for none. It need not be among [`difficulties`](Self::difficulties).
    pub default_difficulty: u32,
    /// How a mode is selected; none if a game has nothing to select.
    pub mode_select: Option<ModeProgram>,
    /// How reward, lives and end are read.
    pub rules: Rules,
}

impl GameDefinition {
    /// Reads a definition. `file_name` is what errors call it.
    ///
    /// Everything but the name of the ROM may be left out and is then as for a ROM that ALE does not know: nothing of the cartridge
    /// is known, two joysticks, all actions, one mode, no reward and no end.
    ///
    /// # Errors
    ///
    /// [`DefinitionError`] with the line, the column and the reason of the first mistake.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, DefinitionError> {
        parse::definition(text, file_name).map_err(|mistake| *mistake)
    }

    /// Whether player A turns a paddle.
    pub fn uses_paddles(&self) -> bool {
        self.left == Controller::Paddles
    }
}
