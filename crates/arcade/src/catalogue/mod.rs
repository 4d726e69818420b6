//! What is known of each game: a small data file per game, found by the MD5 of its ROM.
//!
//! The files lie in `games/` and are described in `docs/games.md`. They are part of the library as text, without comments; asking for a
//! game parses that one file. The same parser reads the definitions that users write for ROMs of their own.

mod definition;
mod error;
mod parse;
mod reader;
#[cfg(test)]
mod tests;
mod toml;

pub use definition::{GameDefinition, StartingInput};
pub use error::{DefinitionError, DefinitionProblem};

/// The files, one after the other, without comments.
static FILES: &str = include_str!(concat!(env!("OUT_DIR"), "/catalogue"));

/// A game of the catalogue, before its file is parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name of the ROM, which is also the name of the file.
    pub rom: &'static str,
    /// The name on the box.
    pub title: &'static str,
    /// The Gymnasium environment; none for the ROMs that ALE knows but has no rules for.
    pub env_id: Option<&'static str>,
    /// The MD5 of the ROM, 32 hexadecimal digits in lower case.
    pub md5: &'static str,
    /// The file, without comments and empty lines.
    pub text: &'static str,
}

impl Entry {
    /// Parses the file.
    ///
    /// # Errors
    ///
    /// None: a test parses every file. The type is that of [`GameDefinition::from_toml`].
    pub fn definition(&self) -> Result<GameDefinition, DefinitionError> {
        GameDefinition::from_toml(self.text, self.rom)
    }

    /// Reads the lines before the first table; the build has seen to it that they are there.
    fn of(text: &'static str) -> Self {
        let find = |key: &str| {
            text.lines()
                .take_while(|line| !line.starts_with('['))
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
                .map(|value| value.trim_matches('"'))
        };
        let need = |key: &str| find(key).unwrap_or_default();
        Self {
            rom: need("rom"),
            title: need("title"),
            env_id: find("env_id"),
            md5: need("md5"),
            text,
        }
    }
}

/// All games, by name.
pub fn games() -> impl Iterator<Item = Entry> {
    FILES.split('\0').map(Entry::of)
}

/// The game whose ROM has this MD5, written in hexadecimal digits of either case.
pub fn find_by_md5(md5: &str) -> Option<Entry> {
    games().find(|entry| entry.md5.eq_ignore_ascii_case(md5))
}

/// The game whose ROM has this name, such as `breakout`.
pub fn find_by_name(rom: &str) -> Option<Entry> {
    games().find(|entry| entry.rom == rom)
}
