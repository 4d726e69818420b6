//! What the commands share: reading the ROM, choosing its game, making the console.

use std::fs;
use std::sync::Arc;

use gym2600_arcade::{Arcade, GameDefinition, Settings};

use crate::error::CliError;

/// The bytes of the ROM file.
pub(crate) fn rom(path: &str) -> Result<Vec<u8>, CliError> {
    let bytes = fs::read(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })?;
    if bytes.is_empty() {
        return Err(CliError::EmptyRom { path: path.to_owned() });
    }
    Ok(bytes)
}

/// The text of a game definition file.
pub(crate) fn definition_text(path: &str) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// The console with the ROM in it: as the definition file says if there is one, else as the catalogue does.
pub(crate) fn arcade(rom_path: &str, definition: Option<&str>, settings: &Settings) -> Result<Arcade, CliError> {
    let bytes = rom(rom_path)?;
    let loaded = match definition {
        Some(path) => {
            let game = GameDefinition::from_toml(&definition_text(path)?, path)?;
            Arcade::load_as(&bytes, Arc::new(game), settings)
        }
        None => Arcade::load(&bytes, settings),
    };
    loaded.map_err(|source| CliError::Rom {
        path: rom_path.to_owned(),
        source,
    })
}

/// The seed as ALE takes it: a signed or unsigned number of 32 bits, of which -1 means the time.
pub(crate) fn seed(value: i64) -> Result<u32, CliError> {
    if value == -1 {
        return Err(CliError::SeedOfTheDay);
    }
    Ok(value as u32)
}
