//! Reads ROMs, definitions and options, and makes consoles, for all commands.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use gym2600_arcade::definition::{Position, RawDefinition, RawMapper, RawPicture};
use gym2600_arcade::{Arcade, GameDefinition, LoadError, Settings, WALLOP};
use gym2600_gym::GameOptions;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;

use crate::error::CliError;

/// Most bytes of a file that is read, because a device may have no end.
const MAX_INPUT: u64 = 512 << 20;
/// Most bytes of a text.
const MAX_TEXT: u64 = 64 << 20;
/// Most bytes of a ROM, more than any cartridge has.
const MAX_ROM: u64 = 1 << 20;

/// The bytes of a file.
pub(crate) fn bytes(path: &str) -> Result<Vec<u8>, CliError> {
    read(path, File::open(path), MAX_INPUT)
}

/// The bytes of an opened file, at most `most`.
fn read(path: &str, file: io::Result<impl Read>, most: u64) -> Result<Vec<u8>, CliError> {
    let path = path.to_owned();
    let mut bytes = Vec::new();
    match file.and_then(|file| file.take(most + 1).read_to_end(&mut bytes)) {
        Ok(size) if size as u64 <= most => Ok(bytes),
        Ok(_) => Err(CliError::InputSize { path, most }),
        Err(source) => Err(CliError::Read { path, source }),
    }
}

/// The bytes of the ROM file.
pub(crate) fn rom(path: &str) -> Result<Vec<u8>, CliError> {
    let bytes = read(path, File::open(path), MAX_ROM)?;
    if bytes.is_empty() {
        return Err(CliError::EmptyRom { path: path.to_owned() });
    }
    Ok(bytes)
}

/// The bytes of the ROM file, or of the game that comes with the program.
pub(crate) fn rom_or_wallop(path: Option<&str>) -> Result<Vec<u8>, CliError> {
    path.map_or_else(|| Ok(WALLOP.to_vec()), rom)
}

/// The text of a file; `-` is the standard input.
pub(crate) fn text(path: &str) -> Result<String, CliError> {
    let bytes = match path {
        "-" => read(path, Ok(io::stdin()), MAX_TEXT)?,
        _ => read(path, File::open(path), MAX_TEXT)?,
    };
    String::from_utf8(bytes).map_err(|error| CliError::Read {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()),
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

/// The options of an environment: from `--options` or from `--preset`, with the definition from `--game` and the mapper from
/// `--mapper`.
pub(crate) fn environment(
    options: Option<&str>,
    preset: Option<&str>,
    game: Option<&str>,
    mapper: Option<RawMapper>,
) -> Result<GameOptions, CliError> {
    let options = match options {
        Some(text) => self::options(text)?,
        None => GameOptions {
            preset: preset.map(str::to_owned),
            ..GameOptions::default()
        },
    };
    let definition = game.map(definition).transpose()?;
    Ok(GameOptions {
        game: definition.or(options.game),
        mapper: mapper.or(options.mapper),
        ..options
    })
}

/// The probability of `--sticky`.
pub(crate) fn probability(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// The mapper of `--mapper`.
pub(crate) fn mapper(name: &str) -> Result<RawMapper, NameError> {
    RawMapper::deserialize(name.into_deserializer())
}

/// Calls `make`. A mistake of the definition in the file `game` that shows only then has its place in the file.
pub(crate) fn placed<T>(game: Option<&str>, make: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
    make().map_err(|error| {
        let details = error.details();
        let (Some(file), Some(path), Some(reason), None) = (game, details.path, details.reason, details.line) else {
            return error;
        };
        let Some(key) = path.strip_prefix("game.") else {
            return error;
        };
        let Ok(text) = text(file) else { return error };
        let keys: Vec<&str> = key.split('.').collect();
        let Position { line, column } = RawDefinition::position_of(&text, &keys);
        CliError::Placed {
            file: file.to_owned(),
            line,
            column,
            reason,
        }
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
    let of_rom = |source| CliError::Rom {
        path: rom_path.unwrap_or("WALLOP").to_owned(),
        source,
    };
    placed(definition, || match definition {
        Some(path) => {
            let game = GameDefinition::from_toml(&text(path)?, path)?;
            Arcade::load_as(&bytes, Arc::new(game), settings).map_err(of_rom)
        }
        None => Arcade::load(&bytes, settings).map_err(of_rom),
    })
}

/// The same without a definition for a ROM that the catalogue does not have: the game has no rules then, and all lines that it draws are shown.
pub(crate) fn arcade_of_any(
    rom_path: Option<&str>,
    definition: Option<&str>,
    settings: &Settings,
) -> Result<Arcade, CliError> {
    match arcade(rom_path, definition, settings) {
        Err(CliError::Rom {
            path,
            source: LoadError::UnknownRom { .. },
        }) => {
            let picture = RawPicture {
                whole: Some(true),
                ..RawPicture::default()
            };
            let raw = RawDefinition {
                rom: "unknown".to_owned(),
                picture: Some(picture),
                ..RawDefinition::default()
            };
            let game = GameDefinition::new(&raw)?;
            Arcade::load_as(&rom(&path)?, Arc::new(game), settings).map_err(|source| CliError::Rom { path, source })
        }
        loaded => loaded,
    }
}

/// ALE's seed: a signed or unsigned number of 32 bits. -1 selects the time in ALE and is refused here.
pub(crate) fn seed(value: i64) -> Result<u32, CliError> {
    if value == -1 {
        return Err(CliError::SeedOfTheDay);
    }
    Ok(value as u32)
}
