//! Mappers by their usual names, such as F8SC, and how to detect one from a ROM.

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
    /// 32 KB in eight banks.
    F4,
    /// [`Mapper::F4`] with 128 bytes of RAM.
    F4Sc,
    /// 12 KB in three banks with 256 bytes of RAM, CBS.
    Fa,
    /// 64 KB in 16 banks that follow each other, Dynacom's Megaboy.
    Mb,
    /// 8 KB in two banks, with hot spots outside of the cartridge's addresses, UA Limited.
    Ua,
    /// Banks of 2 KB, selected by a write to page 0, Tigervision.
    ThreeF,
    /// [`Mapper::ThreeF`] with banks of RAM.
    ThreeE,
}

impl Mapper {
    /// All mappers.
    pub const ALL: [Self; 16] = [
        Self::Rom2K,
        Self::Rom4K,
        Self::F8,
        Self::F8Sc,
        Self::F6,
        Self::F6Sc,
        Self::E0,
        Self::Fe,
        Self::Dpc,
        Self::F4,
        Self::F4Sc,
        Self::Fa,
        Self::Mb,
        Self::Ua,
        Self::ThreeF,
        Self::ThreeE,
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
            Self::F4 => "F4",
            Self::F4Sc => "F4SC",
            Self::Fa => "FA",
            Self::Mb => "MB",
            Self::Ua => "UA",
            Self::ThreeF => "3F",
            Self::ThreeE => "3E",
        }
    }

    /// Sizes in bytes that a ROM of this mapper can have.
    pub const fn sizes(self) -> &'static [usize] {
        match self {
            Self::Rom2K => &[2048],
            Self::Rom4K => &[4096],
            Self::F8 | Self::F8Sc | Self::E0 | Self::Fe | Self::Ua => &[8192],
            Self::F6 | Self::F6Sc => &[16384],
            Self::F4 | Self::F4Sc => &[32768],
            Self::Fa => &[12288],
            Self::Mb => &[65536],
            Self::ThreeF | Self::ThreeE => &[8192, 16384, 32768, 65536, 131_072, 262_144, 524_288],
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
        let count = |bytes: &[u8]| rom.windows(bytes.len()).filter(|&window| window == bytes).count();
        Ok(match rom.len() {
            2048 => Self::Rom2K,
            4096 => Self::Rom4K,
            8192 if has_superchip(rom) => Self::F8Sc,
            16384 if has_superchip(rom) => Self::F6Sc,
            32768 if has_superchip(rom) => Self::F4Sc,
            // Both banks are the same: no hot spot matters.
            8192 if rom[..4096] == rom[4096..] => Self::F8,
            8192 if has(E0_SIGNATURES) => Self::E0,
            8192 | 16384 | 32768 | 65536 | 131_072 | 262_144 | 524_288 if has(THREE_E_SIGNATURES) => Self::ThreeE,
            8192 | 16384 | 32768 | 65536 | 131_072 | 262_144 | 524_288 if count(THREE_F_SIGNATURE) >= 2 => Self::ThreeF,
            8192 if has(UA_SIGNATURES) => Self::Ua,
            8192 if has(FE_SIGNATURES) => Self::Fe,
            8192 => Self::F8,
            10240 | 10495 | 10496 => Self::Dpc,
            12288 => Self::Fa,
            16384 => Self::F6,
            32768 => Self::F4,
            65536 => Self::Mb,
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

/// A store to 3E's RAM register, then a load of zero.
const THREE_E_SIGNATURES: &[&[u8]] = &[&[0x85, 0x3E, 0xA9, 0x00]];
/// A store to 3F's register, which programs have at least twice.
const THREE_F_SIGNATURE: &[u8] = &[0x85, 0x3F];
/// Accesses to UA's hot spots.
const UA_SIGNATURES: &[&[u8]] = &[&[0x8D, 0x40, 0x02], &[0xAD, 0x40, 0x02], &[0xBD, 0x1F, 0x02]];
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
                    "gym2600 knows no cartridge format of {size} bytes: known sizes are 2048, 4096, 8192, 10240, 10495, 10496, 12288, 16384, 32768 and 65536, and 131072 to 524288 for 3F and 3E"
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
