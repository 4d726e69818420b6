//! What is known about a game and the environment around it, as plain data.

use gym2600_arcade::{Action, Arcade, TvFormat, WIDTH};
use serde::Serialize;

use crate::error::GymError;
use crate::game::Game;
use crate::options::GameOptions;
use crate::spaces::Space;
use crate::spec::Spec;

/// A television standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "UPPERCASE")]
pub enum Television {
    /// 60 frames per second.
    Ntsc,
    /// 50 frames per second.
    Pal,
}

/// The size of the console's picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScreenSize {
    /// Always 160. On a television a pixel is twice as wide as high.
    pub width: usize,
    /// Usually 210.
    pub height: usize,
}

/// A console with a game. Plain data: it can be posted, printed and stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConsoleDescription {
    /// The catalogue's name of the game, such as `breakout`.
    pub rom: String,
    /// The game's title, such as `Breakout`.
    pub title: String,
    /// The television standard that the game was made for.
    pub tv: Television,
    /// The size of the console's picture.
    pub screen: ScreenSize,
    /// The actions that have an effect in this game, in the order of their numbers.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub minimal_actions: Vec<&'static str>,
    /// The actions that reach the game. Others are played as `NOOP`.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub legal_actions: Vec<&'static str>,
    /// The game's modes.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub modes: Vec<u32>,
    /// The game's difficulties. Bit 0 is the left difficulty switch, bit 1 the right one.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub difficulties: Vec<u32>,
}

/// A game and the environment around it. Plain data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameDescription {
    /// The console and its game.
    #[serde(flatten)]
    pub console: ConsoleDescription,
    /// The names of the actions, by their number in the action space, such as `["NOOP", "FIRE", "RIGHT", "LEFT"]`.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub actions: Vec<&'static str>,
    /// The observation's shape and type.
    pub observation: Space,
    /// Whether the next episode starts without a call of reset.
    pub resets_itself: bool,
    /// What the environment was made with. `spec.wrappers` is the resolved list.
    pub spec: Spec,
}

impl ConsoleDescription {
    /// Describes a console.
    pub fn of(arcade: &Arcade) -> Self {
        let game = arcade.game();
        let names = |actions: &[Action]| actions.iter().map(|action| action.name()).collect();
        Self {
            rom: game.rom.clone(),
            title: game.title.clone(),
            tv: match arcade.tv() {
                TvFormat::Ntsc => Television::Ntsc,
                TvFormat::Pal => Television::Pal,
            },
            screen: ScreenSize {
                width: WIDTH,
                height: arcade.height(),
            },
            minimal_actions: names(arcade.minimal_actions()),
            legal_actions: names(arcade.legal_actions()),
            modes: game.modes.clone(),
            difficulties: game.difficulties.clone(),
        }
    }
}

impl GameDescription {
    /// Describes an environment.
    pub fn of(game: &Game) -> Self {
        Self {
            console: ConsoleDescription::of(game.arcade()),
            actions: game.action_names(),
            observation: game.observation_space().clone(),
            resets_itself: game.resets_itself(),
            spec: game.spec().clone(),
        }
    }
}

/// Describes the environment that options make of a ROM.
///
/// # Errors
/// Those of [`Game::new`].
pub fn describe(rom: &[u8], options: &GameOptions) -> Result<GameDescription, GymError> {
    Ok(GameDescription::of(&Game::new(rom, options)?))
}
