//! Reads ROMs, definitions and options, and makes consoles, for all commands.

use std::fs;
use std::sync::Arc;

use gym2600_arcade::definition::RawDefinition;
use gym2600_arcade::{Arcade, GameDefinition, Settings, WALLOP};
use gym2600_gym::GameOptions;

use crate::error::CliError;

/// The bytes of a file.
pub(crate) fn bytes(path: &str) -> Result<Vec<u8>, CliError> {
    fs::read(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// The bytes of the ROM file.
pub(crate) fn rom(path: &str) -> Result<Vec<u8>, CliError> {
    let bytes = bytes(path)?;
    if bytes.is_empty() {
        return Err(CliError::EmptyRom { path: path.to_owned() });
    }
    Ok(bytes)
}

/// The bytes of the ROM file, or of the game that comes with the program.
pub(crate) fn rom_or_wallop(path: Option<&str>) -> Result<Vec<u8>, CliError> {
    path.map_or_else(|| Ok(WALLOP.to_vec()), rom)
}

/// The text of a file.
pub(crate) fn text(path: &str) -> Result<String, CliError> {
    fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Options of an environment: JSON, or a file with it.
pub(crate) fn options(json_or_path: &str) -> Result<GameOptions, CliError> {
    let (source_name, json) = if json_or_path.trim_start().starts_with('{') {
        ("--options", json_or_path.to_owned())
    } else {
        (json_or_path, text(json_or_path)?)
    };
    // Editors of Windows begin a file with a byte order mark.
    serde_json::from_str(json.trim_start_matches('\u{feff}')).map_err(|error| CliError::Options {
        source_name: source_name.to_owned(),
        error,
    })
}

/// The options of an environment: from `--options`, from `--preset`, or `base`; with the definition from `--game`.
pub(crate) fn environment(
    options: Option<&str>,
    preset: Option<&str>,
    game: Option<&str>,
    base: GameOptions,
) -> Result<GameOptions, CliError> {
    let options = match (options, preset) {
        (Some(text), _) => self::options(text)?,
        (None, Some(preset)) => GameOptions {
            preset: Some(preset.to_owned()),
            ..GameOptions::default()
        },
        (None, None) => base,
    };
    let definition = game.map(definition).transpose()?;
    Ok(GameOptions {
        game: definition.or(options.game),
        ..options
    })
}

/// The definition in a TOML file.
pub(crate) fn definition(path: &str) -> Result<RawDefinition, CliError> {
    Ok(RawDefinition::from_toml(&text(path)?, path)?)
}

/// A console with the ROM, by the definition file if there is one, else by the catalogue.
pub(crate) fn arcade(
    rom_path: Option<&str>,
    definition: Option<&str>,
    settings: &Settings,
) -> Result<Arcade, CliError> {
    let bytes = rom_or_wallop(rom_path)?;
    let loaded = match definition {
        Some(path) => {
            let game = GameDefinition::from_toml(&text(path)?, path)?;
            Arcade::load_as(&bytes, Arc::new(game), settings)
        }
        None => Arcade::load(&bytes, settings),
    };
    loaded.map_err(|source| CliError::Rom {
        path: rom_path.unwrap_or("WALLOP").to_owned(),
        source,
    })
}

/// ALE's seed: a signed or unsigned number of 32 bits. -1 selects the time in ALE and is refused here.
pub(crate) fn seed(value: i64) -> Result<u32, CliError> {
    if value == -1 {
        return Err(CliError::SeedOfTheDay);
    }
    Ok(value as u32)
}
