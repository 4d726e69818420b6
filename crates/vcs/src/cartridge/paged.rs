//! Mappers with hot spots outside of the cartridge's addresses, or with banks of RAM: UA, 3F, 3E and E7.
//!
//! No address is quiet: each access goes through [`Paged`], and the interpreter executes the program instruction by instruction.
//! The bank registers and the RAM are the whole state; what an address shows follows from them.

use super::{Mapper, Random, fill_with_noise};
use crate::state::{InvalidState, State};
use std::sync::Arc;

/// Address lines of the console.
const LINES: u16 = 0x1FFF;
/// Bytes of a bank of 3F and 3E.
const HALF: usize = 2048;
/// Bytes of a bank of 3E's RAM, and of each of its ports.
const RAM_BANK: usize = 1024;
/// Banks of 3E's RAM.
const RAM_BANKS: u16 = 32;
/// The last address of page 0 of which 3F and 3E know the accesses.
const PAGE_0_END: u16 = 0x3F;
/// A write to this address of page 0 selects 3E's RAM.
const RAM_SPOT: u16 = 0x3E;
/// The first of E7's hot spots. Those of the seven banks of ROM, of the RAM and of the four blocks of RAM follow each other.
const E7_SPOTS: u16 = 0xFE0;
/// Banks of E7's lower half, and blocks of its upper half's RAM.
const E7_BANKS: u16 = 7;
const E7_BLOCKS: u16 = 4;
/// Bytes of such a block, and of each of its ports.
const E7_BLOCK: usize = 256;
/// UA's hot spots.
const UA_SPOTS: [u16; 2] = [0x220, 0x240];

/// What the lower half of the addresses shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lower {
    Rom,
    Ram,
}

/// Such a cartridge.
#[derive(Clone, Debug)]
pub(super) struct Paged {
    mapper: Mapper,
    rom: Arc<[u8]>,
    ram: Box<[u8]>,
    /// The bank of the lower half, or of all addresses for UA.
    bank: u16,
    /// Whether `bank` is one of RAM.
    lower: Lower,
    /// The block of RAM of E7's upper half.
    block: u16,
}

impl Paged {
    /// A cartridge of the size that `mapper` takes.
    pub(super) fn new(mapper: Mapper, rom: Arc<[u8]>) -> Self {
        let ram = match mapper {
            Mapper::ThreeE => usize::from(RAM_BANKS) * RAM_BANK,
            Mapper::E7 => RAM_BANK + usize::from(E7_BLOCKS) * E7_BLOCK,
            _ => 0,
        };
        Self {
            mapper,
            rom,
            ram: vec![0; ram].into(),
            bank: 0,
            lower: Lower::Rom,
            block: 0,
        }
    }

    /// Power-on.
    pub(super) fn reset(&mut self, random: &mut Random<'_>) {
        fill_with_noise(&mut self.ram, random);
        (self.bank, self.lower, self.block) = (0, Lower::Rom, 0);
    }

    pub(super) fn ram(&self) -> &[u8] {
        &self.ram
    }

    /// A read of one of the TIA's addresses. Where 3F and 3E know the writes, they answer with a byte of the selected bank, as ALE has it.
    pub(super) fn answer(&mut self, address: u16) -> Option<u8> {
        let address = address & LINES;
        match self.mapper {
            Mapper::Ua => {
                self.select_ua(address);
                None
            }
            Mapper::ThreeF | Mapper::ThreeE if address <= PAGE_0_END => Some(self.read(address)),
            _ => None,
        }
    }

    /// A write to one of the TIA's addresses.
    pub(super) fn watch(&mut self, address: u16, value: u8) {
        let address = address & LINES;
        match self.mapper {
            Mapper::Ua => self.select_ua(address),
            Mapper::ThreeE if address == RAM_SPOT => {
                (self.bank, self.lower) = (u16::from(value) % RAM_BANKS, Lower::Ram);
            }
            Mapper::ThreeE if address == PAGE_0_END => self.select_rom(value),
            Mapper::ThreeF if address <= PAGE_0_END => self.select_rom(value),
            _ => {}
        }
    }

    fn select_ua(&mut self, address: u16) {
        if let Some(bank) = UA_SPOTS.iter().position(|&spot| spot == address) {
            self.bank = bank as u16;
        }
    }

    /// Selects a bank of 3F's or 3E's ROM. One that ends within the file counts as a bank only where its own number is written, as ALE has it.
    fn select_rom(&mut self, value: u8) {
        let bank = u16::from(value);
        let whole = (self.rom.len() / HALF) as u16;
        (self.bank, self.lower) = (if bank < self.banks() { bank } else { bank % whole }, Lower::Rom);
    }

    /// Banks of 3F's and 3E's ROM.
    fn banks(&self) -> u16 {
        self.rom.len().div_ceil(HALF) as u16
    }

    /// An access to an address of the cartridge, of which E7 has hot spots.
    fn access(&mut self, offset: u16) {
        const RAM: u16 = E7_SPOTS + E7_BANKS;
        const BLOCKS: u16 = RAM + 1;
        const END: u16 = BLOCKS + E7_BLOCKS;
        if self.mapper != Mapper::E7 {
            return;
        }
        match offset {
            E7_SPOTS..RAM => (self.bank, self.lower) = (offset - E7_SPOTS, Lower::Rom),
            RAM => (self.bank, self.lower) = (0, Lower::Ram),
            BLOCKS..END => self.block = offset - BLOCKS,
            _ => {}
        }
    }

    /// Reads a byte at an address of the cartridge.
    pub(super) fn read(&mut self, offset: u16) -> u8 {
        self.access(offset);
        let at = usize::from(offset);
        let bank = usize::from(self.bank);
        let last = self.rom.len() - HALF;
        match (self.mapper, self.lower) {
            (Mapper::Ua, _) => self.rom[bank * 2 * HALF + at],
            (Mapper::E7, _) if let Some(byte) = self.block_byte(at, HALF + E7_BLOCK) => self.ram[byte],
            (Mapper::E7, Lower::Ram) if (RAM_BANK..HALF).contains(&at) => self.ram[at % RAM_BANK],
            // The write port shows the last bank.
            (Mapper::E7, Lower::Ram) if at < HALF => self.rom[last + at],
            _ if at >= HALF => self.rom[last + at - HALF],
            (_, Lower::Ram) => self.ram[bank * RAM_BANK + at % RAM_BANK],
            // The file may end within the bank. ALE reads what its memory has there.
            (_, Lower::Rom) => self.rom.get(bank * HALF + at).copied().unwrap_or(0),
        }
    }

    /// The byte of E7's RAM at an address of the cartridge, if it is in the port that begins at `port`.
    fn block_byte(&self, at: usize, port: usize) -> Option<usize> {
        let byte = at.wrapping_sub(port);
        (byte < E7_BLOCK).then(|| RAM_BANK + usize::from(self.block) * E7_BLOCK + byte)
    }

    /// Writes a byte at an address of the cartridge.
    pub(super) fn write(&mut self, offset: u16, value: u8) {
        self.access(offset);
        let at = usize::from(offset);
        if self.is_ram_port(offset) {
            self.ram[usize::from(self.bank) * RAM_BANK + at % RAM_BANK] = value;
        } else if self.mapper == Mapper::E7
            && let Some(byte) = self.block_byte(at, HALF)
        {
            self.ram[byte] = value;
        }
    }

    /// Whether a write to this address stores to the RAM of the lower half.
    fn is_ram_port(&self, offset: u16) -> bool {
        let first = if self.mapper == Mapper::E7 { 0 } else { RAM_BANK };
        self.lower == Lower::Ram && (first..first + RAM_BANK).contains(&usize::from(offset))
    }

    /// Whether a write to an address of the cartridge is one to the TIA too.
    pub(super) fn passes_to_tia(&self, offset: u16) -> bool {
        matches!(self.mapper, Mapper::ThreeF | Mapper::ThreeE) && !self.is_ram_port(offset)
    }

    /// Whether the registers hold banks that the cartridge has.
    fn is_valid(&self) -> bool {
        let banks = match (self.mapper, self.lower) {
            (Mapper::Ua, Lower::Rom) => 2,
            (Mapper::E7, Lower::Rom) => E7_BANKS,
            (Mapper::E7, Lower::Ram) => 1,
            (Mapper::ThreeE, Lower::Ram) => RAM_BANKS,
            (Mapper::ThreeF | Mapper::ThreeE, Lower::Rom) => self.banks(),
            _ => 0,
        };
        self.bank < banks && self.block < E7_BLOCKS
    }
}

impl State for Paged {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.bank.save(bytes);
        (self.lower == Lower::Ram).save(bytes);
        self.block.save(bytes);
        self.ram.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut is_ram = false;
        self.bank.load(bytes)?;
        is_ram.load(bytes)?;
        self.block.load(bytes)?;
        self.lower = if is_ram { Lower::Ram } else { Lower::Rom };
        if !self.is_valid() {
            return Err(InvalidState);
        }
        self.ram.load(bytes)
    }
}
