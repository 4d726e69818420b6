//! Finds the definition of a ROM.

use std::sync::Arc;

use gym2600_vcs::{CartridgeError, Mapper};

use crate::archive::ArchiveError;
use crate::catalogue;
use crate::definition::{DefinitionError, GameDefinition};
use crate::md5::{digest, hexadecimal};
use crate::rules::ModeError;

/// Why a ROM cannot be loaded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are a zip file without one ROM.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The bytes are not a cartridge.
    #[error(transparent)]
    Cartridge(#[from] CartridgeError),
    /// The ROM is not in the catalogue.
    #[error(
        "unknown ROM of {size} bytes with MD5 {md5}: it is none of the catalogue's games. \
         Use a dump that ALE knows, or describe the game in a definition of your own"
    )]
    UnknownRom {
        /// MD5 of the bytes, in hexadecimal.
        md5: String,
        /// Number of bytes.
        size: usize,
    },
    /// The definition names another ROM.
    #[error("the definition of \"{rom}\" is for the ROM with MD5 {expected}, and this one has {md5}")]
    OtherRom {
        /// The definition's name.
        rom: String,
        /// The MD5 it names.
        expected: String,
        /// MD5 of the bytes.
        md5: String,
    },
    /// The settings' least reward is above the greatest.
    #[error("reward_min, {min}, is above reward_max, {max}")]
    RewardLimits {
        /// The least reward.
        min: i32,
        /// The greatest reward.
        max: i32,
    },
    /// The settings' probability that an action is repeated is none.
    #[error("repeat_action_probability, {probability}, is not from 0 to 1")]
    Probability {
        /// The probability.
        probability: f32,
    },
    /// The first reset did not reach the start of the game.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// The definition is wrong.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
}

/// A ROM's MD5 and the catalogue's definition.
///
/// # Errors
/// [`LoadError::Cartridge`] for bytes that are not a cartridge, [`LoadError::UnknownRom`] for a cartridge that is not in the catalogue.
pub(crate) fn definition_of(rom: &[u8], mapper: Option<Mapper>) -> Result<([u8; 16], Arc<GameDefinition>), LoadError> {
    match mapper {
        Some(mapper) => mapper.check_size(rom)?,
        None => drop(Mapper::detect(rom)?),
    }
    let digest = digest(rom);
    let md5 = hexadecimal(&digest);
    match catalogue::find_by_md5(&md5) {
        Some(entry) => Ok((digest, with_mapper(Arc::new(entry.definition()?), mapper))),
        None => Err(LoadError::UnknownRom { md5, size: rom.len() }),
    }
}

/// The definition with another mapper. Its hash is another one too, because a state is that of a cartridge.
pub(crate) fn with_mapper(game: Arc<GameDefinition>, mapper: Option<Mapper>) -> Arc<GameDefinition> {
    let Some(mapper) = mapper.filter(|_| game.mapper != mapper) else {
        return game;
    };
    let mut bytes = game.digest.unwrap_or_default().to_vec();
    bytes.extend_from_slice(mapper.name().as_bytes());
    Arc::new(GameDefinition {
        digest: Some(digest(&bytes)),
        mapper: Some(mapper),
        ..Arc::unwrap_or_clone(game)
    })
}

/// A ROM's MD5. Refuses a definition of another ROM.
pub(crate) fn check(rom: &[u8], game: &GameDefinition) -> Result<[u8; 16], LoadError> {
    let digest = digest(rom);
    if let Some(expected) = &game.md5 {
        let md5 = hexadecimal(&digest);
        if *expected != md5 {
            return Err(LoadError::OtherRom {
                rom: game.rom.clone(),
                expected: expected.clone(),
                md5,
            });
        }
    }
    Ok(digest)
}
