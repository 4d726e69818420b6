//! ROMs in zip files.
//!
//! A zip file stands for the one ROM inside. Its other files are ignored, and none of them is decompressed. The bytes come from outside, so what the
//! file says of itself is checked: the ROM's size before it is decompressed, size and checksum after.

use std::borrow::Cow;

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive, ZipVerification};

/// How zip files begin. The second is that of one without files.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// How the names of ROMs end, in small letters.
const ENDINGS: [&str; 3] = [".a26", ".bin", ".rom"];
/// The most bytes of a ROM.
const MOST: u64 = 1 << 20;
/// The most characters of a name that an error shows.
const SHOWN: usize = 100;

/// Why no ROM can be taken out of a zip file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// No file of the archive is a ROM.
    #[error("the zip file has no ROM among its {files} files: the name of a ROM ends with .a26, .bin or .rom")]
    NoRom {
        /// Files of the archive.
        files: usize,
    },
    /// It is not certain which one is meant.
    #[error("the zip file has several ROMs, \"{first}\" and \"{second}\" among them: it has to have one")]
    SeveralRoms {
        /// The name of the first.
        first: String,
        /// The name of the second.
        second: String,
    },
    /// The ROM needs a password.
    #[error("\"{name}\" in the zip file is encrypted")]
    Encrypted {
        /// The ROM's name.
        name: String,
    },
    /// The ROM is compressed by another method than DEFLATE.
    #[error(
        "\"{name}\" in the zip file is compressed by method {method}, which gym2600 does not read: it reads 0 and 8, DEFLATE"
    )]
    Method {
        /// The ROM's name.
        name: String,
        /// The method's number.
        method: u16,
    },
    /// The ROM is larger than any cartridge.
    #[error("\"{name}\" in the zip file has {size} bytes, and no ROM has more than {most}", most = MOST)]
    Size {
        /// The ROM's name.
        name: String,
        /// Bytes of the ROM as the zip file says.
        size: u64,
    },
    /// The file is no whole zip file.
    #[error("the zip file is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
}

impl From<rawzip::Error> for ArchiveError {
    fn from(error: rawzip::Error) -> Self {
        Self::Damaged {
            reason: error.to_string(),
        }
    }
}

/// The ROM in the bytes of a file: the one inside of a zip file, or the bytes themselves.
///
/// # Errors
/// [`ArchiveError`] for a zip file that does not have one ROM of at most a megabyte, stored or compressed by DEFLATE, without a password.
pub fn rom_of(file: &[u8]) -> Result<Cow<'_, [u8]>, ArchiveError> {
    if !BEGINNINGS.iter().any(|beginning| file.starts_with(beginning)) {
        return Ok(Cow::Borrowed(file));
    }
    let archive = ZipArchive::from_slice(file)?;
    let mut entries = archive.entries();
    let mut rom: Option<ZipFileHeaderRecord<'_>> = None;
    let mut files = 0;
    while let Some(entry) = entries.next_entry()? {
        files += usize::from(!entry.is_dir());
        if !is_rom(&entry) {
            continue;
        }
        if let Some(first) = &rom {
            return Err(ArchiveError::SeveralRoms {
                first: name(first),
                second: name(&entry),
            });
        }
        rom = Some(entry);
    }
    let rom = rom.ok_or(ArchiveError::NoRom { files })?;
    decompressed(&archive, &rom)
}

/// Whether a file's name says that it is a ROM. macOS adds a file `._NAME` of its own for each.
fn is_rom(entry: &ZipFileHeaderRecord<'_>) -> bool {
    let path = entry.file_path();
    let path = String::from_utf8_lossy(path.as_bytes()).to_lowercase();
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    !file.starts_with("._") && ENDINGS.iter().any(|ending| file.ends_with(ending))
}

/// The name as an error shows it.
fn name(entry: &ZipFileHeaderRecord<'_>) -> String {
    let path = entry.file_path();
    let text = String::from_utf8_lossy(path.as_bytes());
    text.chars().take(SHOWN).flat_map(char::escape_debug).collect()
}

fn decompressed<'a>(
    archive: &ZipSliceArchive<&'a [u8]>,
    rom: &ZipFileHeaderRecord<'_>,
) -> Result<Cow<'a, [u8]>, ArchiveError> {
    let name = name(rom);
    if rom.flags().is_encrypted() {
        return Err(ArchiveError::Encrypted { name });
    }
    let size = rom.uncompressed_size_hint();
    if size > MOST {
        return Err(ArchiveError::Size { name, size });
    }
    let entry = archive.get_entry(rom.wayfinder())?;
    let bytes = match rom.compression_method() {
        CompressionMethod::STORE => entry.data().to_vec(),
        CompressionMethod::DEFLATE => {
            let limit = size as usize;
            decompress_to_vec_with_limit(entry.data(), limit).map_err(|error| ArchiveError::Damaged {
                reason: format!("\"{name}\": {error}"),
            })?
        }
        method => {
            let method = method.as_u16();
            return Err(ArchiveError::Method { name, method });
        }
    };
    entry.claim_verifier().valid(ZipVerification {
        crc: rawzip::crc32(&bytes),
        uncompressed_size: bytes.len() as u64,
    })?;
    Ok(Cow::Owned(bytes))
}
