//! 2K and 4K: no banks, no hot spots.

use super::{Cartridge, Random, take};
use crate::state::fields;

/// Four kilobytes, or two seen twice.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    rom: Box<[u8; 4096]>,
}

fields!(Plain {});

impl Plain {
    pub(crate) fn new(rom: &[u8]) -> Self {
        Self { rom: take(rom, 0) }
    }
}

impl Cartridge for Plain {
    #[inline]
    fn read(&mut self, address: u16, _cycles: i32) -> u8 {
        self.rom[usize::from(address & 0xFFF)]
    }

    #[inline]
    fn window(&self, address: u16) -> Option<[u8; 3]> {
        self.rom[usize::from(address & 0xFFF)..].first_chunk().copied()
    }

    fn write(&mut self, _address: u16, _value: u8, _cycles: i32) {}

    fn reset(&mut self, _random: &mut Random<'_>) {}
}
