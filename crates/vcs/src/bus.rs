//! The chips on one bus, by the console's address map.
//!
//! The address lines 0 to 12 select a chip and what is in it; `.` is a line that it ignores:
//!
//! | lines 12 to 0 | usual addresses | chip |
//! |---|---|---|
//! | `1 aaaa aaaa aaaa` | 0xF000 to 0xFFFF | cartridge: ROM, hot spots, a chip or RAM of its own (`cartridge`) |
//! | `0 ..0. 1aaa aaaa` | 0x80 to 0xFF, 0x180 to 0x1FF | RIOT: byte `a` of RAM |
//! | `0 ..1. 1..t .aaa` | 0x280 to 0x297 | RIOT: the ports and the timer (`riot`); a write to the timer needs `t` |
//! | `0 .... 0.aa aaaa` | 0x00 to 0x2C | TIA, written: register `a` (`tia::register`) |
//! | `0 .... 0... aaaa` | 0x00 to 0x0D | TIA, read: 0 to 7 collision latches, 8 to 13 the pins of the controllers, 14 and 15 nothing |
//!
//! Programs write addresses of 16 bits. Of the upper three, one selects the bank of an FE cartridge and the others count for nothing.
//!
//! The CPU holds the clock while it runs and reads quiet ROM and RAM directly; all other accesses go through [`Bus::read`]
//! and [`Bus::write`].

use crate::cartridge::Cartridge;
use crate::input::Pins;
use crate::riot::Riot;
use crate::tia::Tia;

/// The chips, the clock and the last byte on the data lines.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    /// CPU cycles since the clocks were last set back; each is three colour clocks.
    pub(crate) cycles: i32,
    /// The last byte on the bus. The TIA leaves six lines undriven, so a read of it returns these bits. It is exact
    /// only where the next fetch reads the TIA: see [`Bus::visible_data`].
    pub(crate) data: u8,
    /// Instructions that may run in a row before the executor's loop goes on. Executing them counts it down.
    pub(crate) left: u32,
    /// Instructions that the frame may still run after those.
    pub(crate) frame_left: u32,
    pub(crate) riot: Riot,
    pub(crate) tia: Tia,
    pub(crate) cartridge: Cartridge,
    pub(crate) pins: Pins,
}

/// The line that selects the cartridge.
pub(crate) const CARTRIDGE: u16 = 0x1000;
/// The line that selects the RIOT, unless the cartridge is selected. Without both it is the TIA.
pub(crate) const RIOT: u16 = 0x0080;
/// The line that selects the RIOT's ports and timer, not its RAM.
pub(crate) const PORTS: u16 = 0x0200;
/// The lines that select a chip, with [`PORTS`]. RAM is where [`RIOT`] is the only one.
pub(crate) const CHIPS: u16 = CARTRIDGE | RIOT | PORTS;
/// The lines that select a byte of RAM.
pub(crate) const RAM_BYTE: u16 = 0x007F;
/// The lines that select one of the TIA's write registers, and one of its read registers.
pub(crate) const WRITE_REGISTER: u16 = 0x003F;
const READ_REGISTER: u16 = 0x000F;
/// The lines that select the timer among the ports' addresses when they are read, and their state.
const TIMER: (u16, u16) = (5, 4);

#[inline(always)]
pub(crate) fn is_cartridge(address: u16) -> bool {
    address & CARTRIDGE != 0
}

#[inline(always)]
pub(crate) fn is_ram(address: u16) -> bool {
    address & CHIPS == RIOT
}

#[inline(always)]
pub(crate) fn is_tia(address: u16) -> bool {
    address & (CARTRIDGE | RIOT) == 0
}

/// Whether a read of this address reads the timer.
pub(crate) fn is_timer(address: u16) -> bool {
    let (lines, state) = TIMER;
    address & (CHIPS | lines) == RIOT | PORTS | state
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
        self.data = if is_cartridge(address) {
            self.cartridge.read(address, cycles, &mut self.riot.ram)
        } else if is_ram(address) {
            self.riot.ram[usize::from(address & RAM_BYTE)]
        } else if is_tia(address) {
            match self.cartridge.answer(address) {
                Some(byte) => byte,
                None => self.read_tia(address & READ_REGISTER, cycles) | before & 0x3F,
            }
        } else {
            self.riot.read(address, cycles, self.pins.swcha, self.pins.swchb)
        };
        self.data
    }

    /// The word at `address` of page 0 where both of its bytes are RAM.
    #[inline(always)]
    pub(crate) fn ram_word(&self, address: u8) -> Option<u16> {
        let bytes = self.riot.ram.get(usize::from(address.wrapping_sub(RIOT as u8))..)?;
        bytes.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// The word at `address` of page 0. The high byte of the word at 0xFF is the first byte of page 1.
    #[inline(never)]
    pub(crate) fn word(&mut self, address: u8, cycles: i32, before: u8) -> u16 {
        let low = self.read(u16::from(address), cycles, before);
        let high = self.read(u16::from(address) + 1, cycles, low);
        u16::from_le_bytes([low, high])
    }

    /// The address that a vector holds, when the chip is reset.
    pub(crate) fn vector(&mut self, address: u16) -> u16 {
        let low = self.read(address, self.cycles, self.data);
        let high = self.read(address + 1, self.cycles, low);
        u16::from_le_bytes([low, high])
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

    /// Writes to any address. Returns the clock after the write, which WSYNC moves on.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u16, value: u8, cycles: i32) -> i32 {
        self.data = value;
        if is_cartridge(address) {
            if self.cartridge.passes_to_tia(address) {
                return self.write_tia(address & 0xFFF, value, cycles);
            }
            self.cartridge.write(address, value);
        } else if is_ram(address) {
            self.riot.ram[usize::from(address & RAM_BYTE)] = value;
        } else if is_tia(address) {
            return self.write_tia(address, value, cycles);
        } else {
            self.riot.write(address, value, cycles);
        }
        cycles
    }

    /// [`Bus::write`] to an address of the TIA, which a cartridge may watch.
    #[inline]
    pub(crate) fn write_tia(&mut self, address: u16, value: u8, cycles: i32) -> i32 {
        if self.cartridge.watch(address, value) {
            return cycles;
        }
        self.tia.write(address as u8, value, cycles)
    }

    /// The last byte on the bus as far as a program that continues at `pc` can observe it, otherwise 0.
    ///
    /// Only a fetch from the TIA reads it, and executors keep it exact only for that. A saved state has this value, so it does not
    /// depend on the executor.
    pub(crate) fn visible_data(&self, pc: u16) -> u8 {
        if is_tia(pc) { self.data } else { 0 }
    }
}
