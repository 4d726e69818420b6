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

// The files, one after the other and without comments, and the length of each.
include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

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

    /// Reads the first lines; the build has seen to it that they are there, in this order.
    fn of(text: &'static str) -> Self {
        let mut lines = text.lines();
        let mut line = lines.next();
        let mut find = |key| {
            let value = line?.strip_prefix(key)?.trim_matches('"');
            line = lines.next();
            Some(value)
        };
        let md5 = find("md5 = ").unwrap_or_default();
        Self {
            rom: find("rom = ").unwrap_or_default(),
            title: find("title = ").unwrap_or_default(),
            env_id: find("env_id = "),
            md5,
            text,
        }
    }
}

/// The files.
fn files() -> impl Iterator<Item = &'static str> {
    LENGTHS.iter().scan(FILES, |rest, &length| {
        let (file, others) = rest.split_at_checked(length.into())?;
        *rest = others;
        Some(file)
    })
}

/// All games, by name.
pub fn games() -> impl Iterator<Item = Entry> {
    files().map(Entry::of)
}

/// The game whose ROM has this MD5, written in hexadecimal digits of either case.
pub fn find_by_md5(md5: &str) -> Option<Entry> {
    // Right after the first quote: nothing else is read of the others.
    let written = |file: &str| {
        file.as_bytes()
            .get(7..39)
            .is_some_and(|found| md5.as_bytes().eq_ignore_ascii_case(found))
    };
    files().find(|file| written(file)).map(Entry::of)
}

/// The game whose ROM has this name, such as `breakout`.
pub fn find_by_name(rom: &str) -> Option<Entry> {
    games().find(|entry| entry.rom == rom)
}
