//! MC, the Megacart: four segments of 1 KB, each of which shows a kilobyte of ROM or 512 bytes of RAM.
//!
//! A write to 0x3C to 0x3F selects what a segment shows. No access to 0 to 0x3F reaches the TIA, so a program has a picture only by its mirrors.
//! The last segment shows the ROM's last kilobyte from an access to the reset vector on, until an access to another segment: a program starts there.
//! All of it is as ALE has it. No address is quiet, so each access goes through [`Megacart`].

use super::{Random, SLICE, fill_with_noise};
use crate::state::{InvalidState, State};
use std::sync::Arc;

/// Bytes of a segment.
const SEGMENT: usize = SLICE as usize;
/// Segments of the addresses.
const SEGMENTS: usize = 4;
/// Banks of ROM.
const BANKS: usize = 128;
/// Bytes of the ROM.
pub(super) const SIZE: usize = BANKS * SEGMENT;
/// Bytes of a bank of RAM, and of each of its ports: first that for writes, then that for reads.
const RAM_BANK: usize = 512;
/// Banks of RAM.
const RAM_BANKS: usize = 64;
/// Address lines of the console.
const LINES: u16 = 0x1FFF;
/// The addresses below are hidden from the TIA. The registers are at their end.
const HIDDEN: u16 = 0x40;
const REGISTERS: u16 = HIDDEN - SEGMENTS as u16;
/// The bit of a register that selects ROM.
const ROM: u8 = 0x80;
/// The bytes of the reset vector.
const RESET_VECTOR: std::ops::RangeInclusive<u16> = 0xFFC..=0xFFD;

/// What the address of an access shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A byte of the ROM.
    Rom(usize),
    /// A byte of the RAM at its port for writes.
    Written(usize),
    /// A byte of the RAM at its port for reads.
    Read(usize),
}

/// Such a cartridge.
#[derive(Clone, Debug)]
pub(super) struct Megacart {
    rom: Arc<[u8]>,
    ram: Box<[u8]>,
    /// The register of each segment.
    registers: [u8; SEGMENTS],
    /// Whether the last segment shows the last bank whatever its register says.
    starts: bool,
}

impl Megacart {
    /// A cartridge of [`SIZE`]. Its registers select the last bank.
    pub(super) fn new(rom: Arc<[u8]>) -> Self {
        Self {
            rom,
            ram: vec![0; RAM_BANKS * RAM_BANK].into(),
            registers: [u8::MAX; SEGMENTS],
            starts: true,
        }
    }

    /// Power-on, which the registers outlast.
    pub(super) fn reset(&mut self, random: &mut Random<'_>) {
        fill_with_noise(&mut self.ram, random);
        self.starts = true;
    }

    pub(super) fn ram(&self) -> &[u8] {
        &self.ram
    }

    /// Whether an address is hidden from the TIA. A read gives 0 there.
    pub(super) fn hides(address: u16) -> bool {
        address & LINES < HIDDEN
    }

    /// A write to one of the TIA's addresses.
    pub(super) fn watch(&mut self, address: u16, value: u8) {
        let register = (address & LINES).wrapping_sub(REGISTERS);
        if let Some(register) = self.registers.get_mut(usize::from(register)) {
            *register = value;
        }
    }

    /// Reads a byte at an address of the cartridge. A read of a port for writes stores 0 there.
    pub(super) fn read(&mut self, offset: u16) -> u8 {
        match self.access(offset) {
            Place::Rom(at) => self.rom[at],
            Place::Read(at) => self.ram[at],
            Place::Written(at) => {
                self.ram[at] = 0;
                0
            }
        }
    }

    /// Writes a byte at an address of the cartridge.
    pub(super) fn write(&mut self, offset: u16, value: u8) {
        if let Place::Written(at) = self.access(offset) {
            self.ram[at] = value;
        }
    }

    fn access(&mut self, offset: u16) -> Place {
        let segment = usize::from(offset) / SEGMENT;
        if RESET_VECTOR.contains(&offset) {
            self.starts = true;
        } else if segment < SEGMENTS - 1 {
            self.starts = false;
        }
        let at = usize::from(offset) % SEGMENT;
        let register = if self.starts && segment == SEGMENTS - 1 {
            u8::MAX
        } else {
            self.registers[segment]
        };
        let bank = usize::from(register & !ROM);
        if register & ROM != 0 {
            return Place::Rom(bank * SEGMENT + at);
        }
        let ram = bank % RAM_BANKS * RAM_BANK + at % RAM_BANK;
        if at < RAM_BANK {
            Place::Written(ram)
        } else {
            Place::Read(ram)
        }
    }
}

impl State for Megacart {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.registers.save(bytes);
        self.starts.save(bytes);
        self.ram.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.registers.load(bytes)?;
        self.starts.load(bytes)?;
        self.ram.load(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn megacart() -> Megacart {
        let rom = (0..SIZE).map(|at| (at / SEGMENT) as u8);
        let mut cartridge = Megacart::new(rom.collect());
        cartridge.reset(&mut || 7);
        cartridge
    }

    #[test]
    fn the_last_segment_shows_the_last_bank_until_another_segment_is_accessed() {
        let mut cartridge = megacart();
        cartridge.watch(0x203F, 0x85);
        cartridge.watch(0x7F, 0x86);
        assert!(!Megacart::hides(0x7F) && Megacart::hides(0x3F) && Megacart::hides(0x203F));
        assert_eq!(cartridge.read(0xC00), 127);
        cartridge.write(0x000, 1);
        assert_eq!(cartridge.read(0xC00), 5);
        assert_eq!(cartridge.read(0xFFC), 127);
        assert_eq!(cartridge.read(0xC00), 127);
    }

    #[test]
    fn ram_is_read_and_written_at_its_ports_alone() {
        let mut cartridge = megacart();
        cartridge.watch(0x3C, 3);
        cartridge.watch(0x3D, 3 + 64);
        cartridge.write(0x010, 9);
        cartridge.write(0x211, 9);
        assert_eq!([cartridge.read(0x610), cartridge.read(0x611)], [9, 7]);
        assert_eq!([cartridge.read(0x010), cartridge.read(0x210)], [0, 0]);
    }

    #[test]
    fn a_saved_state_keeps_registers_and_ram() {
        let mut cartridge = megacart();
        cartridge.watch(0x3C, 0x83);
        cartridge.watch(0x3D, 4);
        cartridge.write(0x400, 9);
        let mut state = Vec::new();
        cartridge.save(&mut state);
        let mut other = megacart();
        other.load(&mut state.as_slice()).unwrap();
        assert_eq!([other.read(0), other.read(0x600), other.read(0x601)], [3, 9, 7]);
    }
}
