//! The chips on one bus.

use crate::cartridge::{Cartridge, Random};
use crate::cpu::{self, CYCLES, LENGTHS, Registers};
use crate::input::Pins;
use crate::riot::Riot;
use crate::state::{State, WrongLength};
use crate::tia::{FrameEnd, Greying, Tia};
use crate::trace::Trace;
use crate::translate::Translator;

use crate::{FrameGeometry, HmoveBlanks, Picture};

/// Instructions after which a frame that does not end is left for the next call to go on with.
const FRAME_INSTRUCTIONS: u32 = 25_000;

/// Everything that answers to an address. The CPU keeps the clock in hand while it runs, and reads ROM and RAM without asking; the
/// methods here do all the rest.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    /// CPU cycles since the clocks were last set back; each is three colour clocks.
    pub(crate) cycles: i32,
    /// The last byte that was on the bus, as far as anybody can tell.
    pub(crate) noise: u8,
    /// Instructions that the CPU has left before it looks around, and how many after that.
    pub(crate) left: u32,
    pub(crate) rest: u32,
    pub(crate) riot: Riot,
    pub(crate) tia: Tia,
    pub(crate) cartridge: Cartridge,
    pub(crate) pins: Pins,
}

impl Bus {
    /// Reads from any address; `before` was the last byte on the bus.
    #[inline(never)]
    pub(crate) fn read(&mut self, address: u16, cycles: i32, before: u8) -> u8 {
        self.read_here(address, cycles, before)
    }

    /// [`Bus::read`] without a call.
    #[inline(always)]
    pub(crate) fn read_here(&mut self, address: u16, cycles: i32, before: u8) -> u8 {
        self.noise = if address & 0x1000 != 0 {
            self.cartridge.read(address, cycles)
        } else if address & 0x280 == 0x80 {
            self.riot.ram[usize::from(address & 0x7F)]
        } else if address & 0x80 == 0 {
            self.read_tia(address & 0x0F, cycles) | before & 0x3F
        } else {
            self.riot.read(address, cycles, self.pins.swcha, self.pins.swchb)
        };
        self.noise
    }

    /// The word at `address` of page 0 where both of its bytes are RAM.
    #[inline(always)]
    pub(crate) fn ram_word(&self, address: u8) -> Option<u16> {
        let bytes = self.riot.ram.get(usize::from(address.wrapping_sub(0x80))..)?;
        bytes.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// The word at `address` of page 0 or, its high byte, at the first one of page 1.
    #[inline(never)]
    pub(crate) fn word(&mut self, address: u8, cycles: i32, before: u8) -> u16 {
        let low = self.read(u16::from(address), cycles, before);
        let high = self.read(u16::from(address) + 1, cycles, low);
        u16::from_le_bytes([low, high])
    }

    /// The address that a vector holds, when the chip is reset.
    pub(crate) fn vector(&mut self, address: u16) -> u16 {
        let low = self.read(address, self.cycles, self.noise);
        let high = self.read(address + 1, self.cycles, low);
        u16::from_le_bytes([low, high])
    }

    /// Fetches an instruction byte by byte, where that may do something: at a cartridge's hot spots and outside of its ROM. Gives
    /// the opcode and as many bytes after it as it has, lowest first.
    #[cold]
    #[inline(never)]
    pub(crate) fn fetch(&mut self, pc: u16) -> u32 {
        let mut bytes = [0; 4];
        bytes[0] = self.read(pc, self.cycles, self.noise);
        let opcode = usize::from(bytes[0]);
        let cycles = self.cycles.wrapping_add(i32::from(CYCLES[opcode]));
        for operand in 1..LENGTHS[opcode] {
            let at = usize::from(operand);
            bytes[at] = self.read(pc.wrapping_add(u16::from(operand)), cycles, self.noise);
        }
        u32::from_le_bytes(bytes)
    }

    /// How often a program that has just branched back to `pc`, to a read of the timer, will read and branch again; `code` is the
    /// read and the branch's opcode. None where it is no such loop, is about to end, or goes on for more rounds than `limit`.
    #[inline(never)]
    pub(crate) fn timer_wait(&self, (pc, code): (u16, u32), branch: u8, cycles: i32, limit: u32) -> Option<Wait> {
        // What has to be read for the branch to be taken.
        let values = match branch {
            0x10 => 0..=0x7F,
            0xD0 => 1..=0xFF,
            _ => return None,
        };
        let [load, low, high, next] = code.to_le_bytes();
        let address = u16::from_le_bytes([low, high]);
        let crosses = (pc ^ pc.wrapping_add(TIMER_LOOP_BYTES)) & 0xFF00 != 0;
        if !matches!(load, 0xAC..=0xAE) || next != branch || address & 0x1285 != 0x0284 || crosses {
            return None;
        }
        let first = cycles + i32::from(CYCLES[usize::from(load)]);
        let (rounds, value) = self.riot.timer_stays(first, TIMER_LOOP_CYCLES, &values)?;
        (rounds <= limit).then_some(Wait { rounds, value })
    }

    /// The bits 7 and 6 that the TIA drives.
    #[inline(always)]
    fn read_tia(&mut self, register: u16, cycles: i32) -> u8 {
        if register < 8 {
            return self.tia.read_collisions(register as u8, cycles);
        }
        self.tia.read(cycles);
        match register {
            8..=13 => self.pins.read(usize::from(register - 8), cycles, self.tia.dump()),
            _ => 0,
        }
    }

    /// Writes to any address. Gives the clock after it, which WSYNC moves on.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u16, value: u8, cycles: i32) -> i32 {
        self.noise = value;
        if address & 0x1000 != 0 {
            self.cartridge.write(address, value);
        } else if address & 0x280 == 0x80 {
            self.riot.ram[usize::from(address & 0x7F)] = value;
        } else if address & 0x80 == 0 {
            return self.tia.write(address as u8, value, cycles);
        } else {
            self.riot.write(address, value, cycles);
        }
        cycles
    }
}

/// Bytes of a read and a branch back to it.
pub(crate) const TIMER_LOOP_BYTES: u16 = 5;
/// Cycles of both on one page.
pub(crate) const TIMER_LOOP_CYCLES: i32 = 7;

/// What the rounds of a loop come to that waits for the timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) rounds: u32,
    /// What the last of them reads.
    pub(crate) value: u8,
}

/// A console with its cartridge.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) registers: Registers,
    pub(crate) bus: Bus,
    translator: Option<Translator>,
}

impl Machine {
    pub(crate) fn new(
        cartridge: Cartridge,
        geometry: FrameGeometry,
        hmove_blanks: HmoveBlanks,
        translator: Option<Translator>,
    ) -> Self {
        Self {
            translator,
            registers: Registers::default(),
            bus: Bus {
                cycles: 0,
                noise: 0,
                left: 0,
                rest: 0,
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
        self.frame(picture, |machine, instructions| {
            if let Some(mut translator) = machine.translator.take() {
                translator.run(machine, instructions);
                machine.translator = Some(translator);
            } else {
                cpu::run(machine, instructions);
            }
        });
    }

    /// [`Machine::run_frame`], noting what the program touches.
    pub(crate) fn run_frame_traced(&mut self, picture: Picture, trace: &mut Trace) {
        self.frame(picture, |machine, instructions| {
            cpu::run_traced(machine, instructions, trace);
        });
    }

    fn frame(&mut self, picture: Picture, run: impl FnOnce(&mut Self, u32)) {
        let bus = &mut self.bus;
        let greying = if bus.tia.is_partial() {
            Greying::Done
        } else {
            Greying::Due
        };
        let shift = bus.tia.begin(bus.cycles, picture);
        if !bus.pins.has_paddles {
            bus.tia.forget_charging();
        }
        bus.cycles = bus.cycles.wrapping_sub(shift);
        bus.riot.shift_clocks(shift);
        bus.cartridge.shift_clocks(shift);
        run(self, FRAME_INSTRUCTIONS);
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

    pub(crate) fn is_translated(&self) -> bool {
        self.translator.as_ref().is_some_and(Translator::has_translated)
    }

    /// The last call ended because the program ended its frame.
    pub(crate) fn frame_is_whole(&self) -> bool {
        self.bus.tia.frame_end == FrameEnd::Yes
    }
}
