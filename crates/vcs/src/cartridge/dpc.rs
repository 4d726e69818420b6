//! DPC, the Display Processor Chip of Pitfall II: eight data fetchers over 2 KB of graphics, a random number generator and music.

use crate::state::fields;
use std::ops::Range;
use std::sync::Arc;

/// Where the graphics begin in the file.
const DISPLAY: u16 = 8192;
/// The addresses whose accesses do not reach the chip.
pub(super) const QUIET: Range<u16> = 0x080..0xFC0;
/// The chip answers reads below this address. Writes from here up to the quiet addresses reach its registers.
pub(super) const READ_END: u16 = 0x40;
/// The frequencies of the chip's oscillator and of the CPU's clock, in Hz.
const OSCILLATOR: f64 = 15750.0;
const CPU_CLOCK: f64 = 1_193_191.666_666_67;
/// The amplitude of the three voices together. Bit n of the index is set if voice n is on.
const AMPLITUDES: [u8; 8] = [0x00, 0x04, 0x05, 0x09, 0x06, 0x0A, 0x0B, 0x0F];
/// The fetchers from this one on can play music.
const FIRST_VOICE: usize = 5;

#[derive(Clone, Copy, Debug, Default)]
struct Fetcher {
    top: u8,
    bottom: u8,
    /// 11 bits.
    counter: u16,
    flag: u8,
    music: bool,
}

fields!(Fetcher {
    top,
    bottom,
    counter,
    flag,
    music
} where is_valid);

impl Fetcher {
    fn is_valid(self) -> bool {
        self.counter <= 0x7FF && matches!(self.flag, 0 | 0xFF)
    }
}

/// The chip.
#[derive(Clone, Debug)]
pub(super) struct Dpc {
    /// The file, with the graphics from [`DISPLAY`] on.
    rom: Arc<[u8]>,
    fetchers: [Fetcher; 8],
    lfsr: u8,
    music_cycle: i32,
    music_fraction: f64,
    /// The last conversion of CPU cycles to clocks of the oscillator. Most programs play once a line, so most conversions repeat.
    clocks_of: (i32, f64),
}

fields!(Dpc {
    fetchers,
    lfsr,
    music_cycle,
    music_fraction
} where is_valid);

impl Dpc {
    /// The chip of a cartridge.
    pub(super) fn new(rom: Arc<[u8]>) -> Self {
        Self {
            rom,
            fetchers: [Fetcher::default(); 8],
            lfsr: 1,
            music_cycle: 0,
            music_fraction: 0.0,
            clocks_of: (0, 0.0),
        }
    }

    fn is_valid(&self) -> bool {
        let has_music = |fetcher: &Fetcher| fetcher.music;
        self.music_fraction.abs() < 1.0 && !self.fetchers[..FIRST_VOICE].iter().any(has_music)
    }

    /// An access to the cartridge. Returns the bank that it selects, if any. An access that reaches the chip clocks its generator.
    pub(super) fn access(&mut self, offset: u16) -> Option<u16> {
        if QUIET.contains(&offset) {
            return None;
        }
        self.clock_generator();
        match offset {
            0xFF8 => Some(0),
            0xFF9 => Some(1),
            _ => None,
        }
    }

    fn clock_generator(&mut self) {
        let feedback = !(self.lfsr >> 7 ^ self.lfsr >> 5 ^ self.lfsr >> 4 ^ self.lfsr >> 3) & 1;
        self.lfsr = self.lfsr << 1 | feedback;
    }

    /// An access to the chip below [`READ_END`]. Returns the byte read.
    #[inline(always)]
    pub(super) fn access_and_read(&mut self, offset: u16, cycles: i32) -> u8 {
        self.clock_generator();
        let index = usize::from(offset & 7);
        let fetcher = &mut self.fetchers[index];
        let low = fetcher.counter as u8;
        if low == fetcher.top {
            fetcher.flag = 0xFF;
        } else if low == fetcher.bottom {
            fetcher.flag = 0;
        }
        let Fetcher { counter, flag, .. } = *fetcher;
        if index < FIRST_VOICE || !fetcher.music {
            fetcher.counter = counter.wrapping_sub(1) & 0x7FF;
        }
        let graphics = || self.rom[usize::from(DISPLAY + ((2047 - counter) & 0x7FF))];
        match offset >> 3 & 7 {
            0 if index < 4 => self.lfsr,
            0 => self.amplitude(cycles),
            1 => graphics(),
            2 => graphics() & flag,
            7 => flag,
            _ => 0,
        }
    }

    #[inline(always)]
    fn amplitude(&mut self, cycles: i32) -> u8 {
        self.play_music(cycles);
        let voices = &self.fetchers[FIRST_VOICE..];
        let on = voices.iter().enumerate().fold(0, |bits, (voice, fetcher)| {
            bits | usize::from(fetcher.music && fetcher.flag != 0) << voice
        });
        AMPLITUDES[on]
    }

    fn play_music(&mut self, cycles: i32) {
        let passed = cycles.wrapping_sub(self.music_cycle);
        self.music_cycle = cycles;
        if self.clocks_of.0 != passed {
            self.clocks_of = (passed, OSCILLATOR * f64::from(passed) / CPU_CLOCK);
        }
        let clocks = self.clocks_of.1 + self.music_fraction;
        let whole = clocks as i32;
        self.music_fraction = clocks - f64::from(whole);
        if whole <= 0 {
            return;
        }
        for fetcher in self.fetchers[FIRST_VOICE..].iter_mut().filter(|fetcher| fetcher.music) {
            let (top, bottom) = (i32::from(fetcher.top), i32::from(fetcher.bottom));
            let mut low = i32::from(fetcher.counter & 0xFF);
            if top == 0 {
                low = 0;
            } else {
                // Nearly always less than a period has passed, and no division is needed.
                low -= if whole <= top { whole } else { whole % (top + 1) };
                if low < 0 {
                    low += top + 1;
                }
            }
            let flag = if low <= top { 0xFF } else { fetcher.flag };
            fetcher.flag = if low <= bottom { 0 } else { flag };
            fetcher.counter = fetcher.counter & 0x700 | low as u16;
        }
    }

    /// A write to the cartridge. It may be one to the chip's registers.
    pub(super) fn write(&mut self, offset: u16, value: u8) {
        if !(READ_END..QUIET.start).contains(&offset) {
            return;
        }
        let index = usize::from(offset & 7);
        let fetcher = &mut self.fetchers[index];
        match offset >> 3 & 7 {
            0 => {
                fetcher.top = value;
                fetcher.flag = 0;
            }
            1 => fetcher.bottom = value,
            2 => {
                let playing = index >= FIRST_VOICE && fetcher.music;
                let low = if playing { fetcher.top } else { value };
                fetcher.counter = fetcher.counter & 0x700 | u16::from(low);
            }
            3 => {
                fetcher.counter = u16::from(value & 7) << 8 | fetcher.counter & 0xFF;
                if index >= FIRST_VOICE {
                    fetcher.music = value & 0x10 != 0;
                }
            }
            6 => self.lfsr = 1,
            _ => {}
        }
    }

    /// Power-on leaves the fetchers as they are.
    pub(super) fn reset(&mut self) {
        self.music_cycle = 0;
        self.music_fraction = 0.0;
    }

    /// Sets all clocks back by `cycles`.
    pub(super) fn shift_clocks(&mut self, cycles: i32) {
        self.music_cycle = self.music_cycle.wrapping_sub(cycles);
    }
}
