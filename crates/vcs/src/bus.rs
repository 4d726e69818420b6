//! The chips on one bus.
//!
//! Address lines select the chip: bit 12 the cartridge, otherwise bit 7 the RIOT (its RAM where bit 9 is clear), otherwise the
//! TIA. The CPU holds the clock while it runs and reads quiet ROM and RAM directly; all other accesses go through [`Bus::read`]
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

/// Whether an access to this address selects the TIA.
fn is_tia(address: u16) -> bool {
    address & 0x1080 == 0
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
        self.data = if address & 0x1000 != 0 {
            self.cartridge.read(address, cycles)
        } else if address & 0x280 == 0x80 {
            self.riot.ram[usize::from(address & 0x7F)]
        } else if is_tia(address) {
            self.read_tia(address & 0x0F, cycles) | before & 0x3F
        } else {
            self.riot.read(address, cycles, self.pins.swcha, self.pins.swchb)
        };
        self.data
    }

    /// The word at `address` of page 0 where both of its bytes are RAM.
    #[inline(always)]
    pub(crate) fn ram_word(&self, address: u8) -> Option<u16> {
        let bytes = self.riot.ram.get(usize::from(address.wrapping_sub(0x80))..)?;
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
        if address & 0x1000 != 0 {
            self.cartridge.write(address, value);
        } else if address & 0x280 == 0x80 {
            self.riot.ram[usize::from(address & 0x7F)] = value;
        } else if is_tia(address) {
            return self.tia.write(address as u8, value, cycles);
        } else {
            self.riot.write(address, value, cycles);
        }
        cycles
    }

    /// The last byte on the bus as far as a program that continues at `pc` can observe it, otherwise 0.
    ///
    /// Only a fetch from the TIA reads it, and executors keep it exact only for that. A saved state has this value, so it does not
    /// depend on the executor.
    pub(crate) fn visible_data(&self, pc: u16) -> u8 {
        if is_tia(pc) { self.data } else { 0 }
    }
}
