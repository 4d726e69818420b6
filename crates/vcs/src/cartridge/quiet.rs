//! The addresses of a cartridge whose reads have no other effect.

use super::SLICE;

/// The addresses that are quiet, and those that are contiguous in the ROM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietRanges {
    /// The first quiet address (0x1000 to 0x1FFF) and the number of quiet addresses.
    pub(super) quiet: (u16, u16),
    /// A mask of low address bits: addresses that differ only in these are contiguous in the ROM.
    pub(super) contiguous_mask: u16,
}

impl QuietRanges {
    /// Whether a read of `address`, which selects the cartridge, is quiet.
    pub(super) fn is_quiet(self, address: u16) -> bool {
        (address & 0x1FFF).wrapping_sub(self.quiet.0) < self.quiet.1
    }

    /// The first and the last address of the quiet stretch around a quiet `address`.
    pub(crate) fn around(self, address: u16) -> (u16, u16) {
        let (start, len) = self.quiet;
        let first = (address & !self.contiguous_mask).max(address & 0xE000 | start);
        let last = (address | self.contiguous_mask).min((address & 0xE000) + (start + len - 1));
        (first, last)
    }

    /// The first quiet address (0x1000 to 0x1FFF) and their number, if slices are switched one by one.
    pub(crate) fn sliced(self) -> Option<(u16, u16)> {
        (self.contiguous_mask == SLICE - 1).then_some(self.quiet)
    }
}

/// Contiguous bytes of ROM whose reads are quiet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch<'a> {
    /// The address of the first.
    first: u16,
    bytes: &'a [u8],
}

impl<'a> Stretch<'a> {
    /// No bytes.
    pub(super) const NONE: Self = Self { first: 0, bytes: &[] };

    /// These bytes, the first at `address`.
    pub(crate) fn of(bytes: &'a [u8], address: u16) -> Self {
        Self { first: address, bytes }
    }

    /// The address of the first.
    #[inline(always)]
    pub(crate) fn first(&self) -> u16 {
        self.first
    }

    /// The four bytes from this index on, the first one lowest.
    #[inline(always)]
    pub(crate) fn code(&self, at: u32) -> Option<u32> {
        let at = at as usize;
        let bytes = self.bytes.get(at..at + 4)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// The byte at `address`.
    #[inline(always)]
    pub(crate) fn read(&self, address: u16) -> Option<u8> {
        let at = usize::from(address.wrapping_sub(self.first));
        self.bytes.get(at).copied()
    }
}
