//! E0: four segments of 1 KB, three of which show any of eight slices.

use super::{Cartridge, Random, take};
use crate::state::fields;

/// First hot spot.
const HOT_SPOTS: u16 = 0xFE0;
/// Hot spots end here.
const HOT_SPOTS_END: u16 = 0xFF8;

/// 8 KB in eight slices.
#[derive(Clone, Debug)]
pub(crate) struct Parker {
    rom: Box<[u8; 8192]>,
    /// Offset of the slice that each segment shows.
    segments: [u16; 4],
}

fields!(Parker { segments });

impl Parker {
    const START: [u16; 4] = [4 * 1024, 5 * 1024, 6 * 1024, 7 * 1024];

    pub(crate) fn new(rom: &[u8]) -> Self {
        Self {
            rom: take(rom, 0),
            segments: Self::START,
        }
    }

    #[inline]
    fn switch(&mut self, offset: u16) {
        if (HOT_SPOTS..HOT_SPOTS_END).contains(&offset) {
            let spot = offset - HOT_SPOTS;
            self.segments[usize::from(spot / 8)] = spot % 8 * 1024;
        }
    }
}

impl Cartridge for Parker {
    #[inline]
    fn read(&mut self, address: u16, _cycles: i32) -> u8 {
        let offset = address & 0xFFF;
        self.switch(offset);
        let slice = self.segments[usize::from(offset >> 10)];
        self.rom[usize::from(slice | offset & 0x3FF) % 8192]
    }

    #[inline]
    fn window(&self, address: u16) -> Option<[u8; 3]> {
        let offset = address & 0xFFF;
        if offset >= HOT_SPOTS - 2 {
            return None;
        }
        let start = usize::from(self.segments[usize::from(offset >> 10)]) % 8192;
        self.rom[start..].get(..1024)?[usize::from(offset & 0x3FF)..]
            .first_chunk()
            .copied()
    }

    fn write(&mut self, address: u16, _value: u8, _cycles: i32) {
        self.switch(address & 0xFFF);
    }

    fn reset(&mut self, _random: &mut Random<'_>) {
        self.segments = Self::START;
    }
}
