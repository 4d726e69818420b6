//! F8 and F6, with or without the 128 bytes of RAM called Superchip: an access to a hot spot selects a bank of 4 KB.

use super::{Cartridge, Random, take};
use crate::state::{State, WrongLength};

/// Writing here stores to RAM.
const WRITE_PORT_END: u16 = 0x80;
/// Reading from the write port's end up to here loads from RAM.
const READ_PORT_END: u16 = 0x100;

/// `SIZE` bytes in banks of 4 KB; hot spots are the `SIZE / 4096` addresses from `FIRST` on.
#[derive(Clone, Debug)]
pub(crate) struct Banked<const SIZE: usize, const FIRST: u16, const RAM: usize> {
    rom: Box<[u8; SIZE]>,
    ram: [u8; RAM],
    /// Offset of the bank that is seen.
    bank: usize,
    start_bank: usize,
}

impl<const SIZE: usize, const FIRST: u16, const RAM: usize> Banked<SIZE, FIRST, RAM> {
    pub(crate) fn new(rom: &[u8], start_bank: usize) -> Self {
        Self {
            rom: take(rom, 0),
            ram: [0; RAM],
            bank: start_bank * 4096,
            start_bank: start_bank * 4096,
        }
    }

    #[inline]
    fn switch(&mut self, offset: u16) {
        let bank = usize::from(offset.wrapping_sub(FIRST));
        if bank < SIZE / 4096 {
            self.bank = bank * 4096;
        }
    }
}

impl<const SIZE: usize, const FIRST: u16, const RAM: usize> State for Banked<SIZE, FIRST, RAM> {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.ram.save(bytes);
        self.bank.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.ram.load(bytes)?;
        self.bank.load(bytes)
    }
}

impl<const SIZE: usize, const FIRST: u16, const RAM: usize> Cartridge for Banked<SIZE, FIRST, RAM> {
    #[inline]
    fn read(&mut self, address: u16, _cycles: i32) -> u8 {
        let offset = address & 0xFFF;
        self.switch(offset);
        if RAM != 0 && (WRITE_PORT_END..READ_PORT_END).contains(&offset) {
            return self.ram[usize::from(offset - WRITE_PORT_END) % RAM.max(1)];
        }
        self.rom[(self.bank | usize::from(offset)) % SIZE]
    }

    #[inline]
    fn window(&self, address: u16) -> Option<[u8; 3]> {
        let offset = address & 0xFFF;
        if offset >= FIRST - 2 || RAM != 0 && offset < READ_PORT_END {
            return None;
        }
        self.rom[(self.bank | usize::from(offset)) % SIZE..]
            .first_chunk()
            .copied()
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8, _cycles: i32) {
        let offset = address & 0xFFF;
        self.switch(offset);
        if RAM != 0 && offset < WRITE_PORT_END {
            self.ram[usize::from(offset) % RAM.max(1)] = value;
        }
    }

    fn reset(&mut self, random: &mut Random<'_>) {
        for byte in &mut self.ram {
            *byte = random() as u8;
        }
        self.bank = self.start_bank;
    }

    fn ram(&self) -> &[u8] {
        &self.ram
    }
}
