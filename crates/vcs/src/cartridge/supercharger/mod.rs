//! AR, the Supercharger: 6 KB of RAM in three banks, 2 KB of ROM, and a tape.
//!
//! The ROM's program asks for a load of the tape, shows a bar that closes, and starts what was loaded. A load comes at once, and the RAM is never
//! written otherwise: both as ALE has it. No address is quiet, so each access goes through [`Supercharger`].

mod rom;

use super::{Random, fill_with_noise};
use crate::state::{InvalidState, State};
use std::sync::Arc;

/// Bytes of a bank.
const BANK: usize = 2048;
/// Banks of RAM. The ROM is the bank behind them.
const RAM_BANKS: usize = 3;
/// Bytes of a load in the file: its pages, 2 KB that count for nothing, and its header.
pub(super) const LOAD: usize = 8448;
/// Bytes of a page, and where in a load the header begins.
const PAGE: usize = 256;
const HEADER: usize = 8192;
/// Where in the header the start address, the control byte, the number of pages, that of the load and the table of pages are.
const START: usize = 0;
const CONTROL: usize = 2;
const PAGES: usize = 3;
const NUMBER: usize = 5;
const TABLE: usize = 16;
/// Accesses below this address keep their low address byte.
const KEEPING: u16 = 0x100;
/// An access to this address takes the byte that is kept for the control byte.
const CONTROL_SPOT: u16 = 0xFF8;
/// Reading this address of the ROM loads the tape with the number at the console's 0x80.
const LOAD_SPOT: u16 = 0x850;
/// The bit of the control byte that enables writes. All that it does is that a byte once kept stays.
const WRITES: u8 = 0x02;
/// The banks at the lower and the upper half for the bits 4 to 2 of the control byte.
const ROM: usize = RAM_BANKS;
const BANKS: [[usize; 2]; 8] = [[2, ROM], [0, ROM], [2, 0], [0, 2], [2, ROM], [1, ROM], [2, 1], [1, 2]];

/// The Supercharger with its tape.
#[derive(Clone, Debug)]
pub(super) struct Supercharger {
    tape: Arc<[u8]>,
    ram: Box<[u8]>,
    /// The control byte that selects the banks.
    control: u8,
    /// The byte that is kept, and whether an access has kept it since the last selection of banks.
    kept: u8,
    is_kept: bool,
}

impl Supercharger {
    /// With a tape of whole loads.
    pub(super) fn new(tape: Arc<[u8]>) -> Self {
        Self {
            tape,
            ram: vec![0; RAM_BANKS * BANK].into(),
            control: 0,
            kept: 0,
            is_kept: false,
        }
    }

    /// Power-on.
    pub(super) fn reset(&mut self, random: &mut Random<'_>) {
        fill_with_noise(&mut self.ram, random);
        (self.control, self.kept, self.is_kept) = (0, 0, false);
    }

    pub(super) fn ram(&self) -> &[u8] {
        &self.ram
    }

    /// Reads a byte at an address of the cartridge. A load sets bytes of the console's RAM.
    pub(super) fn read(&mut self, offset: u16, console: &mut [u8; 128]) -> u8 {
        if offset == LOAD_SPOT && self.banks()[1] == ROM {
            self.load_tape(console);
        }
        self.access(offset);
        let at = usize::from(offset);
        let bank = self.banks()[at / BANK];
        match bank {
            ROM => rom::ROM[at % rom::SIZE],
            _ => self.ram[bank * BANK + at % BANK],
        }
    }

    /// A write to an address of the cartridge, which is an access like others.
    pub(super) fn write(&mut self, offset: u16) {
        self.access(offset);
    }

    fn access(&mut self, offset: u16) {
        if offset == CONTROL_SPOT {
            (self.control, self.is_kept) = (self.kept, false);
        } else if offset < KEEPING && !(self.is_kept && self.control & WRITES != 0) {
            (self.kept, self.is_kept) = (offset as u8, true);
        }
    }

    fn banks(&self) -> [usize; 2] {
        BANKS[usize::from(self.control >> 2 & 7)]
    }

    /// Copies the pages of the load whose number is at 0x80, and says where its program starts. A number that no load has changes nothing.
    fn load_tape(&mut self, console: &mut [u8; 128]) {
        let number = console[0];
        let Some(load) = self
            .tape
            .chunks_exact(LOAD)
            .find(|load| load[HEADER + NUMBER] == number)
        else {
            return;
        };
        let header = &load[HEADER..];
        for (page, &place) in load
            .chunks_exact(PAGE)
            .zip(&header[TABLE..])
            .take(usize::from(header[PAGES]))
        {
            let (bank, index) = (usize::from(place & 3), usize::from(place >> 2 & 7));
            if bank < RAM_BANKS {
                let at = bank * BANK + index * PAGE;
                self.ram[at..at + PAGE].copy_from_slice(page);
            }
        }
        console[0] = header[CONTROL];
        console[0x7E..].copy_from_slice(&header[START..START + 2]);
    }
}

impl State for Supercharger {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.control.save(bytes);
        self.kept.save(bytes);
        self.is_kept.save(bytes);
        self.ram.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.control.load(bytes)?;
        self.kept.load(bytes)?;
        self.is_kept.load(bytes)?;
        self.ram.load(bytes)
    }
}
