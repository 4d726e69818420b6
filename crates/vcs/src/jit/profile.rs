//! The profile: which instructions of a ROM have been executed.
//!
//! Consoles in several threads note what they execute without a lock: each byte of the ROM has one atomic integer that only gains bits,
//! and a note that is there already is not written again.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How often the bus of 13 bits appears in 16 bits. Programs run in several mirrors of their ROM.
pub(super) const MIRRORS: usize = 8;

/// Which mirror of the bus an address is in.
pub(super) fn mirror(address: u16) -> usize {
    usize::from(address >> 13) % MIRRORS
}

/// Bits 0 to 15 of a note: the address at which the instruction was executed first, or 0. No address of a cartridge is 0.
const ADDRESS: u32 = 0xFFFF;
/// The program has entered a run of instructions here.
const ENTERED: u32 = 1 << 16;
/// A compile job has been given this entry.
const COMPILED: u32 = 1 << 17;

/// The notes of one mirror, by offset in the ROM.
type Notes = Box<[AtomicU32]>;

/// The executed instructions of a ROM.
pub(super) struct Profile {
    rom_len: usize,
    mirrors: [OnceLock<Notes>; MIRRORS],
}

impl Profile {
    /// For a ROM of so many bytes.
    pub(super) fn new(rom_len: usize) -> Self {
        Self {
            rom_len,
            mirrors: Default::default(),
        }
    }

    fn notes(&self, mirror: usize) -> &Notes {
        self.mirrors[mirror].get_or_init(|| (0..self.rom_len).map(|_| AtomicU32::new(0)).collect())
    }

    /// Notes that the program enters a run of instructions.
    pub(super) fn enter(&self, rom_offset: usize, address: u16) -> Entering {
        let note = &self.notes(mirror(address))[rom_offset];
        let known = note.load(Relaxed);
        if known & COMPILED != 0 {
            return Entering::Compiled;
        }
        if known & ENTERED != 0 {
            return Entering::Known;
        }
        note.fetch_or(ENTERED, Relaxed);
        self.execute(rom_offset, address);
        Entering::New
    }

    /// Notes that an instruction is executed. Returns whether the byte is known by this address.
    pub(super) fn execute(&self, rom_offset: usize, address: u16) -> bool {
        let Some(note) = self.notes(mirror(address)).get(rom_offset) else {
            return false;
        };
        let first = |known: u32| (known & ADDRESS == 0).then_some(known | u32::from(address));
        match note.fetch_update(Relaxed, Relaxed, first) {
            Ok(_) => true,
            Err(known) => known as u16 == address,
        }
    }

    /// The offsets where instructions have been executed, with their addresses.
    pub(super) fn executed(&self) -> impl Iterator<Item = (usize, u16)> {
        self.mirrors
            .iter()
            .filter_map(OnceLock::get)
            .flat_map(|notes| notes.iter().map(|note| note.load(Relaxed) as u16).enumerate())
            .filter(|&(_, address)| address != 0)
    }

    /// Whether an instruction at this offset has been executed at this address, and whether the program has entered a run there.
    pub(super) fn at(&self, rom_offset: usize, address: u16) -> (bool, bool) {
        let notes = self.mirrors[mirror(address)].get();
        let note = notes
            .and_then(|notes| notes.get(rom_offset))
            .map_or(0, |note| note.load(Relaxed));
        (note as u16 == address, note & ENTERED != 0)
    }

    /// Marks all noted entries as given to a compile job.
    pub(super) fn begin_job(&self) {
        for note in self
            .mirrors
            .iter()
            .filter_map(OnceLock::get)
            .flat_map(|notes| notes.iter())
        {
            if note.load(Relaxed) & ENTERED != 0 {
                note.fetch_or(COMPILED, Relaxed);
            }
        }
    }
}

/// Whether a run of instructions had been entered before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entering {
    /// It is entered for the first time.
    New,
    /// It has been entered since the last compile job began.
    Known,
    /// A compile job has been given it. Either it cannot be compiled, or the job has not finished.
    Compiled,
}
