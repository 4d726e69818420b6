//! Mappers by their usual names (2K, 4K, F8, F8SC, F6, F6SC, E0, FE, DPC), and how to detect one from a ROM.

use std::fmt;
use std::str::FromStr;

/// How a cartridge maps its ROM into 4 KB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Mapper {
    /// 2 KB, mapped twice.
    Rom2K,
    /// 4 KB.
    Rom4K,
    /// 8 KB in two banks.
    F8,
    /// [`Mapper::F8`] with 128 bytes of RAM.
    F8Sc,
    /// 16 KB in four banks.
    F6,
    /// [`Mapper::F6`] with 128 bytes of RAM.
    F6Sc,
    /// 8 KB in eight slices, Parker Brothers.
    E0,
    /// 8 KB banked by address bit 13, Activision.
    Fe,
    /// 8 KB of program, 2 KB of graphics and the Display Processor Chip.
    Dpc,
}

impl Mapper {
    /// All mappers.
    pub const ALL: [Self; 9] = [
        Self::Rom2K,
        Self::Rom4K,
        Self::F8,
        Self::F8Sc,
        Self::F6,
        Self::F6Sc,
        Self::E0,
        Self::Fe,
        Self::Dpc,
    ];

    /// The mapper's usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rom2K => "2K",
            Self::Rom4K => "4K",
            Self::F8 => "F8",
            Self::F8Sc => "F8SC",
            Self::F6 => "F6",
            Self::F6Sc => "F6SC",
            Self::E0 => "E0",
            Self::Fe => "FE",
            Self::Dpc => "DPC",
        }
    }

    /// Sizes in bytes that a ROM of this mapper can have.
    pub const fn sizes(self) -> &'static [usize] {
        match self {
            Self::Rom2K => &[2048],
            Self::Rom4K => &[4096],
            Self::F8 | Self::F8Sc | Self::E0 | Self::Fe => &[8192],
            Self::F6 | Self::F6Sc => &[16384],
            Self::Dpc => &[10240, 10495, 10496],
        }
    }

    /// The mapper of a ROM, by its size and its bytes.
    ///
    /// # Errors
    /// [`CartridgeError::Size`] if no mapper takes this size.
    pub fn detect(rom: &[u8]) -> Result<Self, CartridgeError> {
        let has = |signatures: &[&[u8]]| {
            signatures
                .iter()
                .any(|&bytes| rom.windows(bytes.len()).any(|window| window == bytes))
        };
        Ok(match rom.len() {
            2048 => Self::Rom2K,
            4096 => Self::Rom4K,
            8192 if has_superchip(rom) => Self::F8Sc,
            8192 if has(E0_SIGNATURES) => Self::E0,
            8192 if has(FE_SIGNATURES) => Self::Fe,
            8192 => Self::F8,
            10240 | 10495 | 10496 => Self::Dpc,
            16384 if has_superchip(rom) => Self::F6Sc,
            16384 => Self::F6,
            size => return Err(CartridgeError::Size { size }),
        })
    }

    /// Checks that `rom` has a size that this mapper takes.
    ///
    /// # Errors
    /// [`CartridgeError::MapperSize`] if it has another size.
    pub fn check_size(self, rom: &[u8]) -> Result<(), CartridgeError> {
        if self.sizes().contains(&rom.len()) {
            Ok(())
        } else {
            Err(CartridgeError::MapperSize {
                mapper: self,
                size: rom.len(),
            })
        }
    }
}

/// Stores to and loads from E0's hot spots.
const E0_SIGNATURES: &[&[u8]] = &[
    &[0x8D, 0xE0, 0x1F],
    &[0x8D, 0xE0, 0x5F],
    &[0x8D, 0xE9, 0xFF],
    &[0xAD, 0xE9, 0xFF],
    &[0xAD, 0xED, 0xFF],
    &[0xAD, 0xF3, 0xBF],
];
/// Code of the known FE cartridges around the calls and returns that switch banks.
const FE_SIGNATURES: &[&[u8]] = &[
    &[0x20, 0x00, 0xD0, 0xC6, 0xC5],
    &[0x20, 0xC3, 0xF8, 0xA5, 0x82],
    &[0xD0, 0xFB, 0x20, 0x73, 0xFE],
    &[0x20, 0x00, 0xF0, 0x84, 0xD6],
];

/// Whether the first 256 bytes of every bank are equal: RAM hides the ROM there, and dumps repeat one byte.
fn has_superchip(rom: &[u8]) -> bool {
    rom.chunks(4096)
        .all(|bank| bank[..256].iter().all(|&byte| byte == bank[0]))
}

impl fmt::Display for Mapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mapper {
    type Err = CartridgeError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mapper| mapper.name() == name)
            .ok_or_else(|| CartridgeError::UnknownMapper { name: name.into() })
    }
}

/// Why a ROM cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CartridgeError {
    /// No mapper takes a ROM of this many bytes.
    Size {
        /// Bytes of the ROM.
        size: usize,
    },
    /// The mapper takes ROMs of other sizes.
    MapperSize {
        /// The mapper requested.
        mapper: Mapper,
        /// Bytes of the ROM.
        size: usize,
    },
    /// There is no mapper of this name.
    UnknownMapper {
        /// The name.
        name: String,
    },
}

impl fmt::Display for CartridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { size: 0 } => f.write_str("the ROM is empty"),
            Self::Size { size } => {
                write!(
                    f,
                    "a ROM of {size} bytes is no Atari 2600 cartridge: sizes are 2048, 4096, 8192, 10240, 10495, 10496 and 16384"
                )
            }
            Self::MapperSize { mapper, size } => {
                write!(
                    f,
                    "a ROM of {size} bytes does not fit mapper {mapper}, which takes {:?}",
                    mapper.sizes()
                )
            }
            Self::UnknownMapper { name } => write!(
                f,
                "unknown mapper \"{name}\": mappers are {}",
                Mapper::ALL.map(Mapper::name).join(", ")
            ),
        }
    }
}

impl std::error::Error for CartridgeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_contents_tell_the_mapper() {
        assert_eq!(Mapper::detect(&[1; 2048]), Ok(Mapper::Rom2K));
        assert_eq!(Mapper::detect(&[1; 8192]), Ok(Mapper::F8Sc));
        let mut rom = [0; 8192];
        rom[3] = 1;
        assert_eq!(Mapper::detect(&rom), Ok(Mapper::F8));
        rom[100..103].copy_from_slice(&[0x8D, 0xE0, 0x1F]);
        assert_eq!(Mapper::detect(&rom), Ok(Mapper::E0));
    }

    #[test]
    fn odd_sizes_are_refused_with_their_size() {
        assert_eq!(Mapper::detect(&[]), Err(CartridgeError::Size { size: 0 }));
        assert!(Mapper::detect(&[0; 3072]).is_err_and(|error| error.to_string().contains("3072")));
        assert!(Mapper::F8.check_size(&[0; 4096]).is_err());
        assert!("F9".parse::<Mapper>().is_err());
    }
}
