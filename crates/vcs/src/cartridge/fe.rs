//! FE: address bit 13 tells the bank, so a call or a return switches it.

use super::{Cartridge, Random, take};
use crate::state::fields;

/// 8 KB in two banks.
#[derive(Clone, Debug)]
pub(crate) struct Fe {
    rom: Box<[u8; 8192]>,
}

fields!(Fe {});

impl Fe {
    pub(crate) fn new(rom: &[u8]) -> Self {
        Self { rom: take(rom, 0) }
    }
}

/// Offset of the bank that answers at `address`.
#[inline]
fn bank(address: u16) -> u16 {
    if address & 0x2000 == 0 { 0x1000 } else { 0 }
}

impl Cartridge for Fe {
    #[inline]
    fn read(&mut self, address: u16, _cycles: i32) -> u8 {
        self.rom[usize::from(address & 0xFFF | bank(address))]
    }

    #[inline]
    fn window(&self, address: u16) -> Option<[u8; 3]> {
        let start = usize::from(bank(address));
        self.rom[start..start + 4096][usize::from(address & 0xFFF)..]
            .first_chunk()
            .copied()
    }

    fn write(&mut self, _address: u16, _value: u8, _cycles: i32) {}

    fn reset(&mut self, _random: &mut Random<'_>) {}
}
