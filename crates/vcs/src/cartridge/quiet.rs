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
