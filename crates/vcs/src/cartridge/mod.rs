//! Cartridges, which address bit 12 selects.
//!
//! One type serves all mappers, so there is one copy of the CPU. A table maps address bits to slices of the ROM of a kilobyte;
//! an access to a hot spot changes the table. A read of an address without hot spot or register is *quiet*: it returns a byte of the
//! ROM and has no other effect, so the CPU reads the ROM directly.

mod dpc;
mod mapper;
mod megacart;
mod paged;
mod quiet;
mod ram_ports;
mod signature;
mod supercharger;

use crate::state::{InvalidState, State};
use dpc::Dpc;
pub use mapper::{CartridgeError, Mapper, Sizes, Unplayable};
use megacart::Megacart;
use paged::Paged;
pub(crate) use quiet::{QuietRanges, Stretch};
use ram_ports::RamPorts;
use std::sync::Arc;
use supercharger::Supercharger;

/// A source of random words: the noise that memory powers up with.
pub type Random<'a> = dyn FnMut() -> u32 + 'a;

/// Bytes of a slice.
pub(crate) const SLICE: u16 = 1024;
/// Bytes of a bank.
const BANK: u16 = 4096;
/// First hot spot of E0.
const SEGMENT_SPOTS: u16 = 0xFE0;
/// The first address after E0's hot spots.
const SEGMENT_SPOTS_END: u16 = 0xFF8;

/// The mapper's hardware besides ROM and RAM.
#[derive(Clone, Debug)]
enum BankSwitching {
    /// 2K, 4K and FE: none. Address bit 13 selects FE's bank, so a call or a return switches it.
    None,
    /// F8, F6, F4 and FA: an access to one of `banks` hot spots from `first` on selects a bank.
    Banks { first: u16, banks: u16, at_reset: u16 },
    /// MB: an access to the hot spot selects the next of 16 banks.
    NextBank,
    /// E0: four segments of 1 KB. Each of the first three maps any of eight slices.
    Segments,
    /// The Display Processor Chip, and its two banks.
    Dpc(Box<Dpc>),
    /// A mapper with hot spots outside of the cartridge's addresses, or with banks of RAM. No address is quiet.
    Paged(Box<Paged>),
    /// The Supercharger. No address is quiet.
    Supercharger(Box<Supercharger>),
    /// The Megacart. No address is quiet.
    Megacart(Box<Megacart>),
}

impl BankSwitching {
    fn banks(first: u16, banks: u16, at_reset: u16) -> Self {
        Self::Banks { first, banks, at_reset }
    }
}

/// What switches banks at a hot spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HotSpots {
    /// Reads and writes alike.
    Accesses,
    /// Reads only, as ALE has it for F4SC.
    Reads,
}

/// First hot spot of MB.
const NEXT_BANK_SPOT: u16 = 0xFF0;
/// Banks of MB.
const NEXT_BANKS: u16 = 16;

/// A cartridge on the bus. Addresses are the CPU's full 16 bits; `cycles` is the CPU's clock.
#[derive(Clone, Debug)]
pub(crate) struct Cartridge {
    mapper: Mapper,
    rom: Arc<[u8]>,
    /// The offset in the ROM of the mapped slice, by address bits 13, 11 and 10.
    pub(crate) slices: [u16; 8],
    /// The mapping has changed since the last [`Cartridge::stretch`].
    pub(crate) switched: bool,
    quiet_ranges: QuietRanges,
    /// The bytes behind [`RamPorts`]. A [`Paged`] cartridge has its own.
    ram: Box<[u8]>,
    /// The bytes that the RAM powers up with. If there are none, it is noise.
    first_ram: Box<[u8]>,
    ports: RamPorts,
    hot_spots: HotSpots,
    switching: BankSwitching,
}

impl Cartridge {
    /// A cartridge of the size that `mapper` takes.
    pub(crate) fn new(rom: Arc<[u8]>, mapper: Mapper) -> Self {
        let mut quiet = 0x000..0x1000;
        let mut contiguous_mask = BANK - 1;
        let ports = match mapper {
            Mapper::F8Sc | Mapper::F6Sc | Mapper::F4Sc => RamPorts::SUPERCHIP,
            Mapper::Fa => RamPorts::RAM_PLUS,
            Mapper::Cv => RamPorts::COMMAVID,
            _ => RamPorts::NONE,
        };
        quiet.start = ports.end();
        let switching = match mapper {
            Mapper::Rom2K | Mapper::Rom4K | Mapper::Fe | Mapper::Cv => BankSwitching::None,
            Mapper::F8 | Mapper::F8Sc => BankSwitching::banks(0xFF8, 2, 1),
            Mapper::F6 | Mapper::F6Sc => BankSwitching::banks(0xFF6, 4, 0),
            Mapper::F4 | Mapper::F4Sc => BankSwitching::banks(0xFF4, 8, 0),
            Mapper::Fa => BankSwitching::banks(0xFF8, 3, 2),
            Mapper::Mb => {
                quiet.end = NEXT_BANK_SPOT;
                BankSwitching::NextBank
            }
            Mapper::E0 => {
                quiet.end = SEGMENT_SPOTS;
                contiguous_mask = SLICE - 1;
                BankSwitching::Segments
            }
            Mapper::Dpc => {
                quiet = dpc::QUIET;
                BankSwitching::Dpc(Box::new(Dpc::new(Arc::clone(&rom))))
            }
            Mapper::Ar => {
                quiet = 0..0;
                BankSwitching::Supercharger(Box::new(Supercharger::new(Arc::clone(&rom))))
            }
            Mapper::Mc => {
                quiet = 0..0;
                BankSwitching::Megacart(Box::new(Megacart::new(Arc::clone(&rom))))
            }
            Mapper::Ua | Mapper::ThreeF | Mapper::ThreeE | Mapper::E7 => {
                quiet = 0..0;
                BankSwitching::Paged(Box::new(Paged::new(mapper, Arc::clone(&rom))))
            }
        };
        if let BankSwitching::Banks { first, .. } = switching {
            quiet.end = first;
        }
        let mut cartridge = Self {
            mapper,
            first_ram: if mapper == Mapper::Cv && rom.len() > usize::from(BANK / 2) {
                rom[..usize::from(ports.len)].into()
            } else {
                Box::default()
            },
            // Two kilobytes appear twice; a file of CV has them at its end.
            rom: if matches!(mapper, Mapper::Rom2K | Mapper::Cv) {
                rom[rom.len() - usize::from(BANK / 2)..].repeat(2).into()
            } else {
                rom
            },
            slices: [0; 8],
            switched: false,
            quiet_ranges: QuietRanges {
                quiet: (0x1000 + quiet.start, quiet.end - quiet.start),
                contiguous_mask,
            },
            ram: vec![0; usize::from(ports.len)].into(),
            ports,
            hot_spots: if mapper == Mapper::F4Sc {
                HotSpots::Reads
            } else {
                HotSpots::Accesses
            },
            switching,
        };
        cartridge.select_at_reset();
        cartridge
    }

    /// The ROM. A [`Cartridge::stretch`] borrows from this reference, so the cartridge itself can change meanwhile.
    pub(crate) fn rom(&self) -> Arc<[u8]> {
        Arc::clone(&self.rom)
    }

    /// The stretch around `address` of the cartridge's `rom`; empty if a read there is not quiet. It is valid until
    /// [`Cartridge::has_switched`].
    pub(crate) fn stretch<'a>(&mut self, rom: &'a [u8], address: u16) -> Stretch<'a> {
        self.switched = false;
        if !self.quiet_ranges.is_quiet(address) {
            return Stretch::NONE;
        }
        let (first, last) = self.quiet_ranges.around(address);
        let at = self.locate(first);
        let bytes = &rom[at..=at + usize::from(last - first)];
        Stretch::of(bytes, first)
    }

    /// Whether the mapping has changed since [`Cartridge::stretch`] was called last.
    pub(crate) fn has_switched(&self) -> bool {
        self.switched
    }

    /// Clears [`Cartridge::has_switched`].
    pub(crate) fn forget_switch(&mut self) {
        self.switched = false;
    }

    /// The offset of `address` in the ROM, if a read of it is quiet.
    pub(crate) fn rom_offset(&self, address: u16) -> Option<usize> {
        self.quiet_ranges.is_quiet(address).then(|| self.locate(address))
    }

    pub(crate) fn quiet_ranges(&self) -> QuietRanges {
        self.quiet_ranges
    }

    /// Whether an access can switch banks.
    pub(crate) fn switches(&self) -> bool {
        !matches!(self.switching, BankSwitching::None)
    }

    fn locate(&self, address: u16) -> usize {
        let slice = self.slices[usize::from(address >> 11 & 4 | address >> 10 & 3)];
        usize::from(slice) + usize::from(address & (SLICE - 1))
    }

    /// Reads a byte; any access may switch banks. `console` is the console's RAM, to which a tape's load stores.
    pub(crate) fn read(&mut self, address: u16, cycles: i32, console: &mut [u8; 128]) -> u8 {
        if self.quiet_ranges.is_quiet(address) {
            return self.rom[self.locate(address)];
        }
        let offset = address & 0xFFF;
        match &mut self.switching {
            BankSwitching::Dpc(chip) if offset < dpc::READ_END => return chip.access_and_read(offset, cycles),
            BankSwitching::Paged(paged) => return paged.read(offset),
            BankSwitching::Supercharger(chip) => return chip.read(offset, console),
            BankSwitching::Megacart(chip) => return chip.read(offset),
            _ => {}
        }
        self.switch(offset);
        match self.ports.read(offset) {
            Some(byte) => self.ram[byte],
            None => self.rom[self.locate(address)],
        }
    }

    /// The number of addresses at a bank's beginning that [`Cartridge::read_chip`] reads.
    pub(crate) fn chip_addresses(&self) -> u16 {
        match self.switching {
            BankSwitching::Dpc(_) => dpc::READ_END,
            _ => 0,
        }
    }

    /// [`Cartridge::read`] of a register of the chip.
    #[inline(always)]
    pub(crate) fn read_chip(&mut self, address: u16, cycles: i32) -> u8 {
        match &mut self.switching {
            BankSwitching::Dpc(chip) => chip.access_and_read(address & 0xFFF, cycles),
            _ => 0,
        }
    }

    /// Whether a write to this address goes on to the TIA's register of the same low address lines, as ALE has it for 3F and 3E: such a
    /// cartridge takes writes for those of page 0 wherever it has no RAM.
    pub(crate) fn passes_to_tia(&self, address: u16) -> bool {
        match &self.switching {
            BankSwitching::Paged(paged) => paged.passes_to_tia(address & 0xFFF),
            _ => false,
        }
    }

    /// Writes a byte: to a hot spot, RAM or the chip. ROM ignores it.
    pub(crate) fn write(&mut self, address: u16, value: u8) {
        let offset = address & 0xFFF;
        if self.hot_spots == HotSpots::Accesses {
            self.switch(offset);
        }
        if let Some(byte) = self.ports.written(offset) {
            self.ram[byte] = value;
        }
        match &mut self.switching {
            BankSwitching::Dpc(chip) => chip.write(offset, value),
            BankSwitching::Paged(paged) => paged.write(offset, value),
            BankSwitching::Supercharger(chip) => chip.write(offset),
            BankSwitching::Megacart(chip) => chip.write(offset, value),
            _ => {}
        }
    }

    /// Whether some read is quiet. A cartridge without such addresses is never compiled.
    pub(crate) fn has_quiet_addresses(&self) -> bool {
        self.quiet_ranges.quiet.1 > 0
    }

    /// A read of one of the TIA's addresses, of which some mappers have hot spots. Returns the byte where the cartridge answers in place of the TIA.
    #[inline]
    pub(crate) fn answer(&mut self, address: u16) -> Option<u8> {
        match &mut self.switching {
            BankSwitching::Paged(paged) => paged.answer(address),
            BankSwitching::Megacart(_) => Megacart::hides(address).then_some(0),
            _ => None,
        }
    }

    /// A write to one of the TIA's addresses, of which some mappers have hot spots. Returns whether the cartridge hides the address from the TIA.
    #[inline]
    pub(crate) fn watch(&mut self, address: u16, value: u8) -> bool {
        match &mut self.switching {
            BankSwitching::Paged(paged) => {
                paged.watch(address, value);
                false
            }
            BankSwitching::Megacart(chip) => {
                chip.watch(address, value);
                Megacart::hides(address)
            }
            _ => false,
        }
    }

    /// Switches banks if `offset` is a hot spot.
    fn switch(&mut self, offset: u16) {
        match &mut self.switching {
            // The others switch their own banks.
            BankSwitching::None
            | BankSwitching::Paged(_)
            | BankSwitching::Supercharger(_)
            | BankSwitching::Megacart(_) => {}
            BankSwitching::NextBank => {
                if offset == NEXT_BANK_SPOT {
                    let bank = self.slices[0] / BANK + 1;
                    self.select(bank % NEXT_BANKS);
                }
            }
            BankSwitching::Banks { first, banks, .. } => {
                let bank = offset.wrapping_sub(*first);
                if bank < *banks {
                    self.select(bank);
                }
            }
            BankSwitching::Segments => {
                if (SEGMENT_SPOTS..SEGMENT_SPOTS_END).contains(&offset) {
                    let spot = offset - SEGMENT_SPOTS;
                    self.show(usize::from(spot / 8), spot % 8);
                }
            }
            BankSwitching::Dpc(chip) => {
                if let Some(bank) = chip.access(offset) {
                    self.select(bank);
                }
            }
        }
    }

    /// Maps a bank of 4 KB.
    fn select(&mut self, bank: u16) {
        for segment in 0..4 {
            self.show(segment, bank * 4 + segment as u16);
        }
    }

    fn show(&mut self, segment: usize, slice: u16) {
        let slice = slice * SLICE;
        self.switched |= self.slices[segment] != slice;
        self.slices[segment] = slice;
        self.slices[segment + 4] = slice;
    }

    fn select_at_reset(&mut self) {
        match self.switching {
            BankSwitching::None => self.slices = Self::fixed_slices(self.rom.len()),
            BankSwitching::Banks { at_reset, .. } => self.select(at_reset),
            BankSwitching::Segments | BankSwitching::Dpc(_) | BankSwitching::NextBank => self.select(1),
            BankSwitching::Paged(_) | BankSwitching::Supercharger(_) | BankSwitching::Megacart(_) => {}
        }
    }

    /// Whether bank switches can lead to these slices.
    fn can_map(&self, slices: &[u16; 8]) -> bool {
        let (low, high) = slices.split_at(4);
        let is_bank = |banks: u16| {
            let bank = low[0] / BANK;
            bank < banks
                && (0..)
                    .zip(low)
                    .all(|(segment, &slice)| slice == bank * BANK + segment * SLICE)
        };
        match self.switching {
            BankSwitching::None => *slices == Self::fixed_slices(self.rom.len()),
            BankSwitching::Banks { banks, .. } => low == high && is_bank(banks),
            BankSwitching::Dpc(_) => low == high && is_bank(2),
            BankSwitching::NextBank => low == high && is_bank(NEXT_BANKS),
            BankSwitching::Paged(_) | BankSwitching::Supercharger(_) | BankSwitching::Megacart(_) => *slices == [0; 8],
            BankSwitching::Segments => {
                let is_slice = |&slice: &u16| slice.is_multiple_of(SLICE) && slice / SLICE < 8;
                low == high && low[3] == 7 * SLICE && low.iter().all(is_slice)
            }
        }
    }

    /// The slices of a cartridge without hot spots. Address bit 13 selects the first bank where it is set, and the last one where it
    /// is clear: FE has two, the others have one.
    fn fixed_slices(rom: usize) -> [u16; 8] {
        let last = (rom / usize::from(BANK)) as u16 - 1;
        std::array::from_fn(|index| {
            let bank = if index < 4 { last } else { 0 };
            bank * BANK + index as u16 % 4 * SLICE
        })
    }

    /// Power-on.
    pub(crate) fn reset(&mut self, random: &mut Random<'_>) {
        if self.first_ram.is_empty() {
            fill_with_noise(&mut self.ram, random);
        } else {
            self.ram.copy_from_slice(&self.first_ram);
        }
        match &mut self.switching {
            BankSwitching::Dpc(chip) => chip.reset(),
            BankSwitching::Paged(paged) => paged.reset(random),
            BankSwitching::Supercharger(chip) => chip.reset(random),
            BankSwitching::Megacart(chip) => chip.reset(random),
            _ => {}
        }
        self.select_at_reset();
    }

    /// Sets all clocks back by `cycles`.
    pub(crate) fn shift_clocks(&mut self, cycles: i32) {
        if let BankSwitching::Dpc(chip) = &mut self.switching {
            chip.shift_clocks(cycles);
        }
    }

    pub(crate) fn mapper(&self) -> Mapper {
        self.mapper
    }

    /// RAM on the cartridge; empty where there is none.
    pub(crate) fn ram(&self) -> &[u8] {
        match &self.switching {
            BankSwitching::Paged(paged) => paged.ram(),
            BankSwitching::Supercharger(chip) => chip.ram(),
            BankSwitching::Megacart(chip) => chip.ram(),
            _ => &self.ram,
        }
    }
}

/// What RAM powers up with.
fn fill_with_noise(ram: &mut [u8], random: &mut Random<'_>) {
    for byte in ram {
        *byte = random() as u8;
    }
}

impl State for Cartridge {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.slices.save(bytes);
        self.ram.save(bytes);
        match &self.switching {
            BankSwitching::Dpc(chip) => chip.save(bytes),
            BankSwitching::Paged(paged) => paged.save(bytes),
            BankSwitching::Supercharger(chip) => chip.save(bytes),
            BankSwitching::Megacart(chip) => chip.save(bytes),
            _ => {}
        }
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.slices.load(bytes)?;
        if !self.can_map(&self.slices) {
            return Err(InvalidState);
        }
        self.ram.load(bytes)?;
        match &mut self.switching {
            BankSwitching::Dpc(chip) => chip.load(bytes),
            BankSwitching::Paged(paged) => paged.load(bytes),
            BankSwitching::Supercharger(chip) => chip.load(bytes),
            BankSwitching::Megacart(chip) => chip.load(bytes),
            _ => Ok(()),
        }
    }
}
