//! Definitions of games: their schema, their checks and their mistakes.
//!
//! A [`RawDefinition`] is the content of a TOML file, JSON or a JavaScript object. [`GameDefinition::new`] checks it and compiles its
//! rules. The format is described in `docs/games.md`. The catalogue's files and the definitions of users take the same path.
//!
//! The build script includes this module, to check the catalogue's files.

mod check;
mod error;
mod game;
mod raw;
#[cfg(test)]
mod tests;

pub use error::{DefinitionError, DefinitionProblem, PathPart, Place, Position};
pub use game::{GameDefinition, UnknownDifficulty, UnknownMode};
pub use raw::{
    RawActions, RawController, RawControllers, RawDefinition, RawMapper, RawModes, RawPicture, RawRules, RawStart,
    RawSwitch, RawTv, StartingInput,
};
