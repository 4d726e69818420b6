//! Mappers by their usual names, such as F8SC, and how to detect one from a ROM.

use super::supercharger::LOAD;
use super::{megacart, signature};
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
    /// 2 KB with 1 KB of RAM, `CommaVid`. A file of 4 KB has the RAM's first bytes too.
    Cv,
    /// 16 KB in eight banks with 2 KB of RAM, M Network.
    E7,
    /// The Supercharger's tapes, of whole loads of 8,448 bytes.
    Ar,
    /// 128 KB in segments of 1 KB with 32 KB of RAM, the Megacart.
    Mc,
}

impl Mapper {
    /// All mappers.
    pub const ALL: [Self; 20] = [
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
        Self::Cv,
        Self::E7,
        Self::Ar,
        Self::Mc,
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
            Self::Cv => "CV",
            Self::E7 => "E7",
            Self::Ar => "AR",
            Self::Mc => "MC",
        }
    }

    /// Sizes in bytes that a ROM of this mapper can have.
    pub const fn sizes(self) -> Sizes {
        Sizes::OneOf(match self {
            Self::Rom2K => &[2048],
            Self::Rom4K => &[4096],
            Self::F8 | Self::F8Sc | Self::E0 | Self::Fe | Self::Ua => &[8192],
            Self::F6 | Self::F6Sc | Self::E7 => &[16384],
            Self::F4 | Self::F4Sc => &[32768],
            Self::Fa => &[12288],
            Self::Mb => &[65536],
            Self::Mc => &[megacart::SIZE],
            Self::Cv => &[2048, 4096],
            Self::Dpc => &[10240, 10495, 10496],
            Self::ThreeF | Self::ThreeE => return Sizes::From(2048, 1 << 20),
            Self::Ar => return Sizes::MultiplesOf(LOAD),
        })
    }

    /// The mapper of a ROM, by its size and its bytes, as ALE finds it.
    ///
    /// # Errors
    /// [`CartridgeError::Unplayable`] for a format that is known and not played, [`CartridgeError::Size`] if no mapper takes this size.
    pub fn detect(rom: &[u8]) -> Result<Self, CartridgeError> {
        if Self::Ar.check_size(rom).is_ok() {
            return Ok(Self::Ar);
        }
        if let Some(format) = Unplayable::detect(rom) {
            return Err(CartridgeError::Unplayable { format });
        }
        if let Some(mapper) = Self::with_ram_or_chip(rom) {
            return Ok(mapper);
        }
        let size = rom.len();
        let has = |signatures| signature::has(rom, signatures);
        Ok(match size {
            2048 | 4096 if has(signature::CV) => Self::Cv,
            2048 => Self::Rom2K,
            4096 => Self::Rom4K,
            // Both banks are the same: no hot spot matters.
            8192 if rom[..4096] == rom[4096..] => Self::F8,
            8192 if has(signature::E0) => Self::E0,
            16384 if signature::has_e7_ram(rom) => Self::E7,
            2048.. if signature::is_3e(rom) => Self::ThreeE,
            2048.. if signature::is_3f(rom) => Self::ThreeF,
            8192 if has(signature::UA) => Self::Ua,
            8192 if has(signature::FE) => Self::Fe,
            8192 => Self::F8,
            16384 => Self::F6,
            32768 => Self::F4,
            65536 => Self::Mb,
            megacart::SIZE => Self::Mc,
            _ => return Err(CartridgeError::Size { size }),
        })
    }

    /// The mapper that the size alone tells, or the size and the place of a Superchip's RAM.
    fn with_ram_or_chip(rom: &[u8]) -> Option<Self> {
        match rom.len() {
            10240 | 10495 | 10496 => Some(Self::Dpc),
            12288 => Some(Self::Fa),
            8192 if signature::has_superchip(rom) => Some(Self::F8Sc),
            16384 if signature::has_superchip(rom) => Some(Self::F6Sc),
            32768 if signature::has_superchip(rom) => Some(Self::F4Sc),
            _ => None,
        }
    }

    /// Checks that `rom` has a size that this mapper takes.
    ///
    /// # Errors
    /// [`CartridgeError::MapperSize`] if it has another size.
    pub fn check_size(self, rom: &[u8]) -> Result<(), CartridgeError> {
        let size = rom.len();
        if self.sizes().contains(size) {
            Ok(())
        } else {
            Err(CartridgeError::MapperSize { mapper: self, size })
        }
    }
}

/// Sizes in bytes that the ROMs of a mapper can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sizes {
    /// One of these.
    OneOf(&'static [usize]),
    /// Any from the first to the second.
    From(usize, usize),
    /// Any multiple of this.
    MultiplesOf(usize),
}

impl Sizes {
    /// Whether a ROM can have this size.
    pub fn contains(self, size: usize) -> bool {
        match self {
            Self::OneOf(sizes) => sizes.contains(&size),
            Self::From(least, most) => (least..=most).contains(&size),
            Self::MultiplesOf(one) => size > 0 && size.is_multiple_of(one),
        }
    }

    /// The least of them.
    pub const fn least(self) -> usize {
        match self {
            Self::OneOf(sizes) => sizes[0],
            Self::From(least, _) => least,
            Self::MultiplesOf(one) => one,
        }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(sizes) => write!(
                f,
                "{}",
                sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")
            ),
            Self::From(least, most) => write!(f, "{least} to {most}"),
            Self::MultiplesOf(one) => write!(f, "multiples of {one}"),
        }
    }
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

/// A format that is recognised by a file's content or size and not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unplayable {
    /// DPC+, whose ARM processor runs a part of the program.
    DpcPlus,
    /// CDF, CDFJ and CDFJ+, whose ARM processor runs a part of the program.
    Cdf,
    /// 64 KB in 16 banks.
    Ef,
    /// 128 KB in 32 banks.
    Df,
    /// 256 KB in 64 banks.
    Bf,
    /// [`Mapper::ThreeE`] with segments of 1 KB.
    ThreeEPlus,
}

impl Unplayable {
    /// The texts by which authors mark files of a format, and how many of them a file has at least.
    const MARKS: [(Self, &'static [&'static [u8]], usize); 6] = [
        (Self::DpcPlus, &[b"DPC+"], 1),
        (Self::Cdf, &[b"CDF"], 2),
        (Self::Ef, &[b"EFEF", b"EFSC"], 1),
        (Self::Df, &[b"DFDF", b"DFSC"], 1),
        (Self::Bf, &[b"BFBF", b"BFSC"], 1),
        (Self::ThreeEPlus, &[b"TJ3E"], 1),
    ];
    /// The least size of a file whose marks count.
    const LEAST_MARKED: usize = 16 * 1024;

    /// The format of a ROM, if it is one of these.
    fn detect(rom: &[u8]) -> Option<Self> {
        if rom.len() < Self::LEAST_MARKED {
            return None;
        }
        let is_marked = |marks: &[&[u8]], least| marks.iter().any(|mark| signature::count(rom, mark) >= least);
        let marked = Self::MARKS.iter().find(|(_, marks, least)| is_marked(marks, *least))?;
        Some(marked.0)
    }

    /// The format's usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DpcPlus => "DPC+",
            Self::Cdf => "CDF",
            Self::Ef => "EF",
            Self::Df => "DF",
            Self::Bf => "BF",
            Self::ThreeEPlus => "3E+",
        }
    }

    /// Why it is not played.
    const fn reason(self) -> &'static str {
        match self {
            Self::DpcPlus | Self::Cdf => "which needs an ARM processor; gym2600 has none",
            Self::Ef | Self::Df | Self::Bf | Self::ThreeEPlus => "a format that neither ALE nor gym2600 plays",
        }
    }
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if *self == Self::Ef { "an" } else { "a" };
        write!(f, "{article} {} cartridge, {}", self.name(), self.reason())
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
    /// The format is known and not played. A definition's `mapper` plays the ROM as another one.
    Unplayable {
        /// The format.
        format: Unplayable,
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
                    "no cartridge format that gym2600 plays has {size} bytes: sizes are 2048, 4096, 8192, 10240, 10495, 10496, 12288, 16384, 32768, 65536 and 131072, multiples of 8448 for AR, and 2048 to 1048576 for 3F and 3E"
                )
            }
            Self::Unplayable { format } => write!(f, "{format}"),
            Self::MapperSize { mapper, size } => {
                write!(
                    f,
                    "a ROM of {size} bytes does not fit mapper {mapper}, which takes {} bytes",
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

    fn detected(size: usize, parts: &[&[u8]]) -> Result<Mapper, CartridgeError> {
        let mut rom = vec![0xF2; size];
        // Nothing that tells a format apart: no place of RAM and no two halves alike.
        rom.iter_mut().step_by(4096).for_each(|byte| *byte = 0x11);
        rom[1] = 0x12;
        let mut at = 0x300;
        for part in parts {
            rom[at..at + part.len()].copy_from_slice(part);
            at += part.len() + 1;
        }
        Mapper::detect(&rom)
    }

    #[test]
    fn sizes_and_contents_tell_the_mapper() {
        assert_eq!(Mapper::detect(&[1; 2048]), Ok(Mapper::Rom2K));
        assert_eq!(Mapper::detect(&[1; 8192]), Ok(Mapper::F8Sc));
        assert_eq!(detected(8192, &[]), Ok(Mapper::F8));
        assert_eq!(detected(8192, &[&[0x8D, 0xE0, 0x1F]]), Ok(Mapper::E0));
        assert_eq!(detected(2 * LOAD, &[]), Ok(Mapper::Ar));
        assert_eq!(detected(131_072, &[]), Ok(Mapper::Mc));
        assert_eq!(detected(6143, &[&[0x85, 0x3F], &[0x85, 0x3F]]), Ok(Mapper::ThreeF));
        assert_eq!(detected(6144, &[&[0x85, 0x3F], &[0x85, 0x3F]]), Ok(Mapper::ThreeF));
    }

    #[test]
    fn formats_that_are_not_played_are_refused_by_name() {
        let reason = |size, parts: &[&[u8]]| detected(size, parts).unwrap_err().to_string();
        let dpc_plus = "a DPC+ cartridge, which needs an ARM processor; gym2600 has none";
        assert_eq!(reason(32768, &[b"DPC+"]), dpc_plus);
        assert!(reason(32768, &[b"CDFJ", b"CDFJ"]).starts_with("a CDF cartridge"));
        assert!(reason(65536, &[b"EFEF"]).starts_with("an EF cartridge"));
        assert!(reason(131_072, &[b"DFSC"]).starts_with("a DF cartridge"));
        assert!(reason(262_144, &[b"BFBF"]).starts_with("a BF cartridge"));
        assert!(reason(65536, &[b"TJ3E"]).starts_with("a 3E+ cartridge"));
        // Marks count from 16 KB on.
        assert!(reason(16384, &[b"EFEF"]).starts_with("an EF cartridge"));
        assert_eq!(detected(8192, &[b"EFEF"]), Ok(Mapper::F8));
    }

    #[test]
    fn odd_sizes_are_refused_with_their_size() {
        assert_eq!(Mapper::detect(&[]), Err(CartridgeError::Size { size: 0 }));
        assert!(Mapper::detect(&[0; 3072]).is_err_and(|error| error.to_string().contains("3072")));
        assert!(Mapper::F8.check_size(&[0; 4096]).is_err());
        assert!(Mapper::Ar.check_size(&[0; LOAD + 1]).is_err());
        assert!("F9".parse::<Mapper>().is_err());
    }
}
