#![doc = include_str!("../README.md")]
//!
//! The facts of the games are data: [`catalogue`] finds a game by the MD5 of its ROM, [`definition`] is the schema of a game,
//! [`rules`] are the expressions that read score and lives from RAM, and [`search`] finds where in RAM they are.

pub mod catalogue;
pub mod definition;
pub mod rules;
pub mod search;

mod action;
mod arcade;
mod archive;
mod averaging;
mod checkpoint;
mod console_ram;
mod episode;
mod load;
mod md5;
mod palette;
mod power_on;
mod random;
mod reset_cache;
mod settings;
mod state;
mod switches;
#[cfg(feature = "toml")]
mod text;
mod tv_detection;
#[cfg(test)]
mod typescript;
mod whole_picture;

pub use action::{Action, Control, UnknownAction};
pub use arcade::{Arcade, GameFacts, Generators, ResetCounts};
pub use archive::{ArchiveError, rom_of};
pub use definition::{GameDefinition, UnknownDifficulty, UnknownMode};
pub use gym2600_vcs::{
    CartridgeError, Drawing, FrameGeometry, InvalidState, Mapper, SOUND_SAMPLES, State, TvFormat, Unplayable, WIDTH,
    fields,
};
pub use load::LoadError;
pub use md5::{digest, hexadecimal, md5};
pub use palette::Palette;
pub use random::Mt19937;
pub use settings::Settings;
pub use state::{StateError, StateKind, seal, unseal};
pub use switches::ConsoleSwitches;

/// The ROM of WALLOP, the game that comes with gym2600. Its source is in `roms/wallop` of the repository.
pub const WALLOP: &[u8] = include_bytes!("../games/wallop.bin");
