//! What a run of frames depends on, and what it leaves as it was.
//!
//! A run begins with a reset, which sets all but a few bytes: the [`Sources`]. Of these, one that the run reads before it writes it
//! is taken to matter, whether or not it does. One that it writes first is forgotten, and one that it never touches passes through.
//! So a second run whose sources are the same wherever the first one read ends as the first one did.

use crate::bus::Bus;
use crate::sound;

/// Bytes of a part: one bit of a mask each.
pub(crate) const BYTES: usize = 128;
/// Part of the sources: the RIOT's RAM.
pub(crate) const RAM: usize = 0;
/// Part of the sources: the cartridge's RAM, or the registers of its chip.
pub(crate) const CARTRIDGE: usize = 1;
/// Part of the sources: everything else, as numbered below.
pub(crate) const REST: usize = 2;

/// The timer's start, which a reset draws.
pub(crate) const TIMER: usize = 0;
/// Whether the frame before the reset was left unfinished.
pub(crate) const PARTIAL: usize = 1;
/// The first of the six sound registers.
pub(crate) const SOUND: usize = 2;
/// How many there are of these.
pub(crate) const REST_BYTES: usize = 8;

/// Bytes of the sources, in the order of their parts: bit `n` of a part's mask is its byte `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection(pub(crate) [u128; 3]);

impl Selection {
    /// Byte `n` of the RIOT's RAM for each bit `n` of the first mask, and of the cartridge's for the second's.
    pub fn of_ram([ram, cartridge_ram]: [u128; 2]) -> Self {
        Self([ram, cartridge_ram, 0])
    }

    /// What is selected of the RIOT's RAM and of the cartridge's.
    pub fn ram(&self) -> [u128; 2] {
        [self.0[RAM], self.0[CARTRIDGE]]
    }

    /// Nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 3]
    }

    /// What is selected here or there.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|part| self.0[part] | other.0[part]))
    }

    /// What is selected here and there.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|part| self.0[part] & other.0[part]))
    }

    /// What is selected here and not there.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|part| self.0[part] & !other.0[part]))
    }
}

/// All that a reset leaves as it was or takes from its generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources(pub(crate) [[u8; BYTES]; 3]);

impl Sources {
    /// Calls `each` with the bytes that are selected, in order.
    pub fn for_each(&self, selection: &Selection, mut each: impl FnMut(u8)) {
        for (bytes, mask) in self.0.iter().zip(selection.0) {
            each_bit(mask, |index| each(bytes[index]));
        }
    }
}

/// Calls `each` with the number of every bit that is set.
pub(crate) fn each_bit(mut mask: u128, mut each: impl FnMut(usize)) {
    while mask != 0 {
        each(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}

/// What a run has touched so far.
#[derive(Clone, Debug)]
pub struct Trace {
    inputs: Selection,
    written: Selection,
    /// The program did something that cannot be followed.
    lost: bool,
    /// The frame buffer that was the current one when the run began.
    pub(crate) buffer: usize,
}

impl Trace {
    /// A trace of a run that is about to begin, in a machine that has no sources but `existing` and shows frame buffer `buffer`.
    pub(crate) fn new(existing: &Selection, buffer: usize) -> Self {
        let all = Selection([u128::MAX; 3]);
        Self {
            // Whether a frame goes on is the first thing that the run looks at.
            inputs: Selection([0, 0, 1 << PARTIAL]),
            written: all.without(existing),
            lost: false,
            buffer,
        }
    }

    /// What the run depends on so far.
    pub fn inputs(&self) -> Selection {
        self.inputs
    }

    /// What it has neither read nor written.
    pub fn untouched(&self) -> Selection {
        Selection([u128::MAX; 3]).without(&self.inputs).without(&self.written)
    }

    /// Takes the run to depend on these sources, whether or not it has written them since.
    pub fn depend_on(&mut self, sources: &Selection) {
        self.inputs = self.inputs.or(sources);
    }

    /// The program did something that cannot be followed, so what the run depends on is not known.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    fn read(&mut self, part: usize, bytes: u128) {
        self.inputs.0[part] |= bytes & !self.written.0[part];
    }

    fn write(&mut self, part: usize, bytes: u128) {
        self.written.0[part] |= bytes;
    }

    /// Notes a read of any address.
    // Every instruction may read at many places: written out at each it would be one of the largest functions of the module.
    #[inline(never)]
    pub(crate) fn read_at(&mut self, address: u16, bus: &Bus) {
        if address & 0x1000 != 0 {
            self.read(CARTRIDGE, bus.cartridge.reads(address));
        } else if address & 0x280 == 0x80 {
            self.read(RAM, 1 << (address & 0x7F));
        } else if address & 0x284 == 0x284 {
            self.read(REST, 1 << TIMER);
        }
    }

    /// Notes a read of page 0 or the byte after it, and gives what it reads.
    #[inline(never)]
    pub(crate) fn peek(&mut self, address: u16, bus: &Bus) -> u8 {
        self.read_at(address, bus);
        if address & 0x1280 != 0x80 {
            // What the TIA will drive is not known beforehand.
            self.lost = true;
        }
        bus.riot.ram[usize::from(address & 0x7F)]
    }

    /// Notes a write to any address.
    pub(crate) fn write_at(&mut self, address: u16, bus: &Bus) {
        if address & 0x1000 != 0 {
            let (read, written) = bus.cartridge.writes(address);
            self.read(CARTRIDGE, read);
            self.write(CARTRIDGE, written);
        } else if address & 0x280 == 0x80 {
            self.write(RAM, 1 << (address & 0x7F));
        } else if address & 0x80 == 0 {
            if let Some(index) = sound::register(address as u8 & 0x3F) {
                self.write(REST, 1 << (SOUND + index));
            }
        } else if address & 0x14 == 0x14 {
            self.write(REST, 1 << TIMER);
        }
    }
}
