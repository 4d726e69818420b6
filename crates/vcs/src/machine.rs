//! The chips on one bus. Generic over the cartridge, so that every kind has a CPU of its own and no read is dispatched at run time.

use crate::cartridge::{Cartridge, Random};
use crate::cpu::{Cpu, Registers};
use crate::input::Pins;
use crate::riot::Riot;
use crate::state::{State, WrongLength};
use crate::tia::{FrameEnd, Greying, Tia};
use crate::{FrameGeometry, HmoveBlanks, Picture};

/// Instructions after which a frame that does not end is left for the next call to go on with.
const FRAME_INSTRUCTIONS: u32 = 25_000;

/// Everything that answers to an address.
#[derive(Clone, Debug)]
pub(crate) struct Bus<C> {
    /// CPU cycles since the clocks were last set back; each is three colour clocks.
    pub(crate) cycles: i32,
    /// The last byte that was on the bus.
    pub(crate) noise: u8,
    pub(crate) riot: Riot,
    pub(crate) tia: Tia,
    pub(crate) cartridge: C,
    pub(crate) pins: Pins,
}

impl<C: Cartridge> Bus<C> {
    /// Reads from any of the 8192 addresses.
    #[inline(always)]
    pub(crate) fn read(&mut self, address: u16) -> u8 {
        if address & 0x1000 != 0 {
            self.noise = self.cartridge.read(address, self.cycles);
            self.noise
        } else {
            self.read_elsewhere(address)
        }
    }

    /// [`Bus::read`] without a copy of its own: for what programs do rarely, so that the code stays small.
    #[inline(never)]
    pub(crate) fn read_rarely(&mut self, address: u16) -> u8 {
        self.read(address)
    }

    #[inline(never)]
    fn read_elsewhere(&mut self, address: u16) -> u8 {
        self.read_chip(address)
    }

    #[inline(always)]
    fn read_chip(&mut self, address: u16) -> u8 {
        if address & 0x280 == 0x80 {
            self.noise = self.riot.ram[usize::from(address & 0x7F)];
            self.noise
        } else {
            self.read_register(address)
        }
    }

    /// Reads from page 0 or, through the mirror that the stack sees, page 1.
    #[inline(always)]
    pub(crate) fn read_low(&mut self, address: u8) -> u8 {
        self.read_chip(u16::from(address))
    }

    #[inline(never)]
    fn read_register(&mut self, address: u16) -> u8 {
        let value = if address & 0x80 == 0 {
            let driven = self.read_tia(address & 0x0F);
            driven | self.noise & 0x3F
        } else {
            self.riot.read(address, self.cycles, self.pins.swcha, self.pins.swchb)
        };
        self.noise = value;
        value
    }

    /// The bits 7 and 6 that the TIA drives.
    fn read_tia(&mut self, register: u16) -> u8 {
        if register < 8 {
            return self.tia.read_collisions(register as u8, self.cycles);
        }
        self.tia.read(self.cycles);
        match register {
            8..=13 => self.pins.read(usize::from(register - 8), self.cycles, self.tia.dump()),
            _ => 0,
        }
    }

    /// Writes to any of the 8192 addresses.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u16, value: u8) {
        if address & 0x1000 != 0 {
            self.noise = value;
            self.cartridge.write(address, value, self.cycles);
        } else {
            self.write_chip(address, value);
        }
    }

    /// Writes to page 0 or, through the mirror that the stack sees, page 1.
    #[inline(always)]
    pub(crate) fn write_low(&mut self, address: u8, value: u8) {
        self.write_chip(u16::from(address), value);
    }

    #[inline(always)]
    fn write_chip(&mut self, address: u16, value: u8) {
        self.noise = value;
        if address & 0x280 == 0x80 {
            self.riot.ram[usize::from(address & 0x7F)] = value;
        } else {
            self.write_register(address, value);
        }
    }

    #[inline(never)]
    fn write_register(&mut self, address: u16, value: u8) {
        if address & 0x80 == 0 {
            self.tia.write(address, value, &mut self.cycles);
        } else {
            self.riot.write(address, value, self.cycles);
        }
    }
}

/// A console with its cartridge.
#[derive(Clone, Debug)]
pub(crate) struct Machine<C> {
    pub(crate) registers: Registers,
    pub(crate) bus: Bus<C>,
}

impl<C: Cartridge> Machine<C> {
    pub(crate) fn new(cartridge: C, geometry: FrameGeometry, hmove_blanks: HmoveBlanks) -> Self {
        Self {
            registers: Registers::default(),
            bus: Bus {
                cycles: 0,
                noise: 0,
                riot: Riot::new(),
                tia: Tia::new(geometry, hmove_blanks),
                cartridge,
                pins: Pins::default(),
            },
        }
    }

    pub(crate) fn reset(&mut self, random: &mut Random<'_>) {
        let bus = &mut self.bus;
        bus.riot.shift_clocks(bus.cycles);
        bus.cartridge.shift_clocks(bus.cycles);
        bus.cycles = 0;
        bus.riot.reset(random());
        bus.tia.reset();
        bus.cartridge.reset(random);
        self.registers = Registers::at_reset(bus);
    }

    pub(crate) fn run_frame(&mut self, picture: Picture) {
        let bus = &mut self.bus;
        let greying = if bus.tia.is_partial() {
            Greying::Done
        } else {
            Greying::Due
        };
        let shift = bus.tia.begin(bus.cycles, picture);
        bus.cycles = bus.cycles.wrapping_sub(shift);
        bus.riot.shift_clocks(shift);
        bus.cartridge.shift_clocks(shift);
        let mut cpu = Cpu {
            registers: self.registers,
            bus,
        };
        cpu.run(FRAME_INSTRUCTIONS);
        self.registers = cpu.registers;
        self.bus.tia.finish(self.bus.cycles, greying);
    }

    /// Appends the state between two frames.
    pub(crate) fn save(&mut self, bytes: &mut Vec<u8>) {
        self.registers.save(bytes);
        self.bus.cycles.save(bytes);
        self.bus.noise.save(bytes);
        self.bus.riot.save(bytes);
        self.bus.tia.save_drawn(bytes);
        self.bus.cartridge.save(bytes);
    }

    /// Takes the state that [`Machine::save`] gave a machine with the same cartridge.
    pub(crate) fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.registers.load(bytes)?;
        self.bus.cycles.load(bytes)?;
        self.bus.noise.load(bytes)?;
        self.bus.riot.load(bytes)?;
        self.bus.tia.load_drawn(bytes)?;
        self.bus.cartridge.load(bytes)
    }

    /// The last call ended because the program ended its frame.
    pub(crate) fn frame_is_whole(&self) -> bool {
        self.bus.tia.frame_end == FrameEnd::Yes
    }
}
