//! Sealed states: bytes that can be stored, with a version, the game and a checksum.
//!
//! A sealed state is `G2600`, a version, a kind, the ROM's MD5, a checksum and the payload, compressed with DEFLATE. All of these are checked
//! before the payload is read.
//!
//! Invariant: the bytes are a function of kind, MD5 and payload, the same on every platform.

use gym2600_vcs::InvalidState;

use crate::md5::{digest, hexadecimal};

/// The first bytes of every sealed state.
const MAGIC: &[u8; 5] = b"G2600";
/// Version of seal and payload. It changes with the saved fields and their order.
const VERSION: u8 = 9;
/// Magic, version, kind, MD5, checksum.
const HEADER: usize = 5 + 1 + 1 + 16 + 4;
/// DEFLATE's fastest level.
const LEVEL: u8 = 1;
/// The largest length of a payload. All states are smaller.
const MAX_LENGTH: usize = 16 << 20;

/// The kind of object that a state belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum StateKind {
    /// An [`Arcade`](crate::Arcade) without the generator of its sticky actions and the last action.
    Arcade = 1,
    /// An [`Arcade`](crate::Arcade) with both.
    ArcadeWithGenerators = 2,
    /// An environment with its wrappers.
    Environment = 3,
}

/// The reason why bytes cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The bytes are no state, or too short.
    #[error("these {size} bytes are no saved state")]
    Foreign {
        /// The number of bytes.
        size: usize,
    },
    /// The state has another version.
    #[error("the state is of version {found}, and only version {VERSION} can be restored")]
    Version {
        /// The version of the bytes.
        found: u8,
    },
    /// The state has another kind.
    #[error("the state is of kind {found}, expected kind {expected}")]
    Kind {
        /// The kind of the bytes.
        found: u8,
        /// The expected kind.
        expected: u8,
    },
    /// The state belongs to another game.
    #[error("the state is of the ROM with MD5 {found}, this game's is {expected}")]
    OtherRom {
        /// MD5 of the ROM in the bytes.
        found: String,
        /// MD5 of the loaded ROM.
        expected: String,
    },
    /// The checksum is wrong.
    #[error("the state is damaged: its checksum is {found:08x}, expected {expected:08x}")]
    Altered {
        /// Checksum of the payload.
        found: u32,
        /// Checksum in the bytes.
        expected: u32,
    },
    /// The state belongs to the same game with another definition, wrappers or options.
    #[error("the state does not fit: it was saved from a game with another definition or other wrappers")]
    Misfit,
}

impl From<InvalidState> for StateError {
    fn from(_: InvalidState) -> Self {
        Self::Misfit
    }
}

/// Seals a payload.
pub fn seal(kind: StateKind, md5: [u8; 16], state: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(state, LEVEL);
    let mut bytes = Vec::with_capacity(HEADER + packed.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[VERSION, kind as u8]);
    bytes.extend_from_slice(&md5);
    bytes.extend_from_slice(&checksum(&packed).to_le_bytes());
    bytes.extend_from_slice(&packed);
    bytes
}

/// The payload of a state that [`seal`] made for the same kind and ROM.
///
/// # Errors
/// [`StateError`] for any other bytes.
pub fn unseal(kind: StateKind, md5: [u8; 16], bytes: &[u8]) -> Result<Vec<u8>, StateError> {
    let foreign = StateError::Foreign { size: bytes.len() };
    let Some((header, packed)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(foreign);
    };
    let (magic, rest) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(foreign);
    }
    let [version, found_kind, rest @ ..] = rest else {
        return Err(foreign);
    };
    if *version != VERSION {
        return Err(StateError::Version { found: *version });
    }
    if *found_kind != kind as u8 {
        return Err(StateError::Kind {
            found: *found_kind,
            expected: kind as u8,
        });
    }
    let Some((found_md5, rest)) = rest.split_first_chunk::<16>() else {
        return Err(foreign);
    };
    check_rom(*found_md5, md5)?;
    let Some(&saved) = rest.first_chunk::<4>() else {
        return Err(foreign);
    };
    let (expected, found) = (u32::from_le_bytes(saved), checksum(packed));
    if expected != found {
        return Err(StateError::Altered { found, expected });
    }
    miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_LENGTH).map_err(|_| foreign)
}

/// Checks that a state of the ROM with the MD5 `found` belongs to the ROM with the MD5 `expected`.
pub(crate) fn check_rom(found: [u8; 16], expected: [u8; 16]) -> Result<(), StateError> {
    if found == expected {
        return Ok(());
    }
    Err(StateError::OtherRom {
        found: hexadecimal(&found),
        expected: hexadecimal(&expected),
    })
}

/// A checksum: the first four bytes of the MD5, which the catalogue needs too.
fn checksum(bytes: &[u8]) -> u32 {
    let [a, b, c, d, ..] = digest(bytes);
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_comes_back() {
        let state: Vec<u8> = (0..5000_u32).map(|n| (n / 100) as u8).collect();
        let sealed = seal(StateKind::Arcade, [7; 16], &state);
        assert!(sealed.len() < state.len());
        assert_eq!(unseal(StateKind::Arcade, [7; 16], &sealed), Ok(state));
    }

    #[test]
    fn anything_else_is_refused() {
        let sealed = seal(StateKind::Arcade, [7; 16], &[1, 2, 3]);
        let open = |bytes: &[u8]| unseal(StateKind::Arcade, [7; 16], bytes).unwrap_err();
        for length in 0..sealed.len() {
            let error = open(&sealed[..length]);
            assert!(
                matches!(error, StateError::Foreign { .. } | StateError::Altered { .. }),
                "{length}: {error}"
            );
        }
        for position in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[position] ^= 0x10;
            open(&altered);
        }
        assert!(matches!(
            unseal(StateKind::Environment, [7; 16], &sealed),
            Err(StateError::Kind { .. })
        ));
        assert!(matches!(
            unseal(StateKind::Arcade, [8; 16], &sealed),
            Err(StateError::OtherRom { .. })
        ));
    }
}
