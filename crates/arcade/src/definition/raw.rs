//! The schema of definitions: what TOML files, JSON and JavaScript objects hold.
//!
//! A [`RawDefinition`] has the right keys and types. Ranges, lists and rules are checked when a
//! [`GameDefinition`](super::GameDefinition) is made from it. `docs/games.md` describes every key.

use gym2600_vcs::{Controller, Mapper, TvFormat};
use serde::de::{self, Deserializer, IntoDeserializer};
use serde::{Deserialize, Serialize, Serializer};

use crate::action::Action;

/// The definition of a game. Every key but `rom` may be left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RawDefinition", optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawDefinition {
    /// The name of the ROM, such as `breakout`.
    pub rom: String,
    /// The name on the box; `rom` by default.
    pub title: Option<String>,
    /// The Gymnasium environment, such as `ALE/Breakout-v5`.
    pub env_id: Option<String>,
    /// The MD5 of the ROM: 32 hexadecimal digits in lower case. Other ROMs are refused.
    pub md5: Option<String>,
    /// The size of the ROM in bytes.
    pub size: Option<i64>,
    /// How the cartridge is banked; detected from the ROM by default.
    pub mapper: Option<RawMapper>,
    /// The television and the lines that are shown.
    pub picture: Option<RawPicture>,
    /// The controllers, and the switches during the detection of the television.
    pub controllers: Option<RawControllers>,
    /// The actions of a player.
    pub actions: Option<RawActions>,
    /// The modes and difficulties, and how a mode is selected.
    pub modes: Option<RawModes>,
    /// How reward, lives and the end of an episode are read from memory.
    pub rules: Option<RawRules>,
}

/// The television and the lines that are shown.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawPicture {
    /// The television; detected by running the ROM for 60 frames by default.
    pub tv: Option<RawTv>,
    /// The television that the detection finds. Documentation only.
    pub expected_tv: Option<RawTv>,
    /// The first line shown, 0 to 64; 34 by default.
    pub first_line: Option<i64>,
    /// The lines shown, 200 to 256; 210 by default, which becomes 250 on PAL.
    pub height: Option<i64>,
    /// Whether HMOVE blanks the start of a line; true by default.
    pub hmove_blanks: Option<bool>,
    /// Whether the lines above and below that the game draws in its first frames are shown too, up to 256 lines; false by default.
    pub whole: Option<bool>,
}

/// The controllers, and the switches during the detection of the television.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawControllers {
    /// Player A's controller; a joystick by default.
    pub left: Option<RawController>,
    /// Player B's controller; a joystick by default.
    pub right: Option<RawController>,
    /// Whether player A's controller is in the right port; false by default.
    pub swap_ports: Option<bool>,
    /// Whether player A turns the second paddle of a pair; false by default.
    pub swap_paddles: Option<bool>,
    /// The highest resistance of a paddle; 790196 by default.
    pub paddle_max: Option<i64>,
    /// The left difficulty switch during the detection of the television; `B` by default.
    pub left_difficulty: Option<RawSwitch>,
    /// The right difficulty switch during the detection of the television; `B` by default.
    pub right_difficulty: Option<RawSwitch>,
}

/// The actions of a player.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawActions {
    /// The actions that have an effect; all 18 by default.
    #[cfg_attr(test, ts(optional, type = "readonly ActionName[]"))]
    pub minimal: Option<Vec<Action>>,
    /// The actions that reach the game, others are played as `NOOP`; all 18 by default.
    #[cfg_attr(test, ts(optional, type = "readonly ActionName[]"))]
    pub legal: Option<Vec<Action>>,
    /// The actions before an episode starts; none by default.
    #[cfg_attr(test, ts(optional, type = "readonly RawStart[]"))]
    pub starting: Option<Vec<RawStart>>,
}

/// An action or switch that is held for a number of frames before an episode starts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawStart {
    /// An action or the RESET switch.
    #[cfg_attr(test, ts(type = "ActionName | \"RESET\""))]
    pub press: StartingInput,
    /// The number of frames, 1 to 10000.
    pub frames: i64,
}

/// The modes and difficulties, and how a mode is selected.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawModes {
    /// The modes that can be selected; mode 0 by default.
    #[cfg_attr(test, ts(optional, type = "readonly number[]"))]
    pub available: Option<Vec<i64>>,
    /// The mode of a game whose user selects none; the first one by default.
    pub default: Option<i64>,
    /// The difficulties that can be selected, 0 to 3; 0 by default. Bit 0 is the left switch, bit 1 the right, 1 for A.
    #[cfg_attr(test, ts(optional, type = "readonly number[]"))]
    pub difficulties: Option<Vec<i64>>,
    /// The difficulty of a game whose user selects none, in the list or not; 0 by default.
    pub default_difficulty: Option<i64>,
    /// The program that selects a mode; nothing is pressed by default.
    pub select: Option<String>,
}

/// How reward, lives and the end of an episode are read from memory.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RawRules {
    /// Variables set once, when the game is loaded.
    pub load: Option<String>,
    /// Variables set whenever an episode starts.
    pub start: Option<String>,
    /// Statements run after every frame.
    pub frame: Option<String>,
    /// The reward of the last frame; the variable `reward` by default, or 0 if there is none.
    pub reward: Option<String>,
    /// Whether the episode is over; the variable `terminal` by default, or false if there is none.
    pub terminal: Option<String>,
    /// The lives left; the variable `lives` by default, or 0 if there is none.
    pub lives: Option<String>,
}

/// An action or a switch of the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartingInput {
    /// A player's action.
    Action(Action),
    /// The console's RESET switch.
    Reset,
}

impl StartingInput {
    const RESET: &str = "RESET";
}

impl Serialize for StartingInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Action(action) => action.name(),
            Self::Reset => Self::RESET,
        })
    }
}

impl<'de> Deserialize<'de> for StartingInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == Self::RESET {
            return Ok(Self::Reset);
        }
        let action: Result<Action, de::value::Error> = Action::deserialize(name.into_deserializer());
        action.map(Self::Action).map_err(de::Error::custom)
    }
}

/// The values of an enum of the console by name, as definitions and descriptions have them.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident for $target:ident { $($word:literal => $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[allow(missing_docs, reason = "the variants are those of the console's type")]
        #[non_exhaustive]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)*
        }

        impl From<$name> for $target {
            fn from(name: $name) -> Self {
                match name {
                    $($name::$variant => Self::$variant,)*
                }
            }
        }
    };
}

names! {
    /// How a cartridge is banked: the usual names of the mappers.
    RawMapper for Mapper {
        "2K" => Rom2K, "4K" => Rom4K, "F8" => F8, "F8SC" => F8Sc, "F6" => F6, "F6SC" => F6Sc, "E0" => E0, "FE" => Fe, "DPC" => Dpc,
        "F4" => F4, "F4SC" => F4Sc, "FA" => Fa, "MB" => Mb, "UA" => Ua, "3F" => ThreeF, "3E" => ThreeE, "CV" => Cv, "E7" => E7, "AR" => Ar,
        "MC" => Mc,
    }
}
names! {
    /// A television standard: `NTSC`, 262 lines and 60 frames a second, or `PAL`, 312 lines and 50.
    RawTv for TvFormat { "NTSC" => Ntsc, "PAL" => Pal }
}
impl From<TvFormat> for RawTv {
    fn from(tv: TvFormat) -> Self {
        match tv {
            TvFormat::Ntsc => Self::Ntsc,
            TvFormat::Pal => Self::Pal,
        }
    }
}
names! {
    /// A controller.
    RawController for Controller { "joystick" => Joystick, "paddles" => Paddles }
}

/// A position of a difficulty switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum RawSwitch {
    /// Difficult.
    A,
    /// Easy.
    B,
}
