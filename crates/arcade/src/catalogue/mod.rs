//! The catalogue: the games that are known by the MD5 of their ROM.
//!
//! Each game has a file in `games/`; `docs/games.md` describes the format. The build script checks the files and writes a table with
//! each [`RawDefinition`] in postcard's format and the identity of its ROM.

use serde::Serialize;

use crate::definition::{DefinitionError, DefinitionProblem, GameDefinition, Place, RawDefinition};

#[cfg(test)]
mod tests;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// A game of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    /// The name of the ROM, which is also the name of the file.
    pub rom: &'static str,
    /// The name on the box.
    pub title: &'static str,
    /// The Gymnasium environment; none for the ROMs that ALE has no rules for.
    pub env_id: Option<&'static str>,
    /// The MD5 of the ROM, 32 hexadecimal digits in lower case.
    pub md5: &'static str,
    /// The [`RawDefinition`], by postcard.
    #[serde(skip)]
    definition: &'static [u8],
}

impl CatalogueEntry {
    /// Decodes the definition and compiles its rules.
    ///
    /// # Errors
    /// Never: the build script checks every file. [`GameDefinition::new`] has this type of error.
    pub fn definition(&self) -> Result<GameDefinition, DefinitionError> {
        let raw: RawDefinition = postcard::from_bytes(self.definition).map_err(|error| DefinitionError {
            place: Place::Key {
                path: Vec::new(),
                within: None,
            },
            problem: DefinitionProblem::Schema(error.to_string()),
        })?;
        Ok(GameDefinition {
            digest: None,
            ..GameDefinition::new(&raw)?
        })
    }
}

/// All games, by name.
pub fn games() -> impl Iterator<Item = CatalogueEntry> {
    ENTRIES.iter().copied()
}

/// The game whose ROM has this MD5, written in hexadecimal digits of either case.
pub fn find_by_md5(md5: &str) -> Option<CatalogueEntry> {
    games().find(|entry| entry.md5.eq_ignore_ascii_case(md5))
}

/// The game whose ROM has this name, such as `breakout`.
pub fn find_by_name(rom: &str) -> Option<CatalogueEntry> {
    games().find(|entry| entry.rom == rom)
}
