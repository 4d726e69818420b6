//! Bytes by which a ROM tells its format.
//!
//! They are those that ale-py tells formats apart by, found by trying: `tests/conformance/test_cartridges.py` compares. A signature that ends a file
//! does not count.

/// Stores to `CommaVid`'s RAM.
pub(super) const CV: &[&[u8]] = &[&[0x9D, 0xFF, 0xF3], &[0x99, 0x00, 0xF4]];
/// Stores to and loads from E0's hot spots.
pub(super) const E0: &[&[u8]] = &[
    &[0x8D, 0xE0, 0x1F],
    &[0x8D, 0xE0, 0x5F],
    &[0x8D, 0xE9, 0xFF],
    &[0xAD, 0xE9, 0xFF],
    &[0xAD, 0xED, 0xFF],
    &[0xAD, 0xF3, 0xBF],
];
/// Code of the known FE cartridges around the calls and returns that switch banks.
pub(super) const FE: &[&[u8]] = &[
    &[0x20, 0x00, 0xD0, 0xC6, 0xC5],
    &[0x20, 0xC3, 0xF8, 0xA5, 0x82],
    &[0xD0, 0xFB, 0x20, 0x73, 0xFE],
    &[0x20, 0x00, 0xF0, 0x84, 0xD6],
];
/// A store to 3E's RAM register, then a load of zero.
const THREE_E: &[&[u8]] = &[&[0x85, 0x3E, 0xA9, 0x00]];
/// A store to 3F's register, which programs have at least twice.
const THREE_F: &[u8] = &[0x85, 0x3F];
/// A store to one of UA's hot spots.
pub(super) const UA: &[&[u8]] = &[&[0x8D, 0x40, 0x02]];

/// The addresses of the last bank at which E7 has RAM, and how many bytes on either side have to differ from them.
const E7_RAM: std::ops::Range<usize> = 0x3800..0x3A00;
const E7_MARGIN: usize = 32;

/// Whether the ROM has one of these signatures.
pub(super) fn has(rom: &[u8], signatures: &[&[u8]]) -> bool {
    signatures.iter().any(|signature| count(rom, signature) > 0)
}

/// How often the ROM has this signature. At least a byte is between two that count.
pub(super) fn count(rom: &[u8], signature: &[u8]) -> usize {
    let mut free = 0;
    let mut count = 0;
    let inner = &rom[..rom.len().saturating_sub(1)];
    for (at, window) in inner.windows(signature.len()).enumerate() {
        if at >= free && window == signature {
            count += 1;
            free = at + signature.len() + 1;
        }
    }
    count
}

/// Whether the first 256 bytes of every bank are equal: RAM hides the ROM there, and dumps repeat one byte.
pub(super) fn has_superchip(rom: &[u8]) -> bool {
    rom.chunks(4096).all(|bank| is_uniform(&bank[..256]))
}

/// Whether the ROM is one of 3E.
pub(super) fn is_3e(rom: &[u8]) -> bool {
    has(rom, THREE_E)
}

/// Whether the ROM is one of 3F.
pub(super) fn is_3f(rom: &[u8]) -> bool {
    count(rom, THREE_F) >= 2
}

/// Whether the bytes that E7's RAM hides are equal, and those around them are not all the same.
pub(super) fn has_e7_ram(rom: &[u8]) -> bool {
    let around = E7_RAM.start - E7_MARGIN..E7_RAM.end + E7_MARGIN;
    is_uniform(&rom[E7_RAM]) && !is_uniform(&rom[around])
}

fn is_uniform(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == bytes[0])
}
