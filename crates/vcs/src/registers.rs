//! The 6507's registers.

use crate::state::fields;

/// The registers. The last result stands for N and Z, because few instructions read these flags.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "flags of the status register")]
pub(crate) struct Registers {
    pub(crate) a: u8,
    pub(crate) x: u8,
    pub(crate) y: u8,
    pub(crate) sp: u8,
    pub(crate) pc: u16,
    /// Z is set if the low byte is 0. N is set if bit 7 or bit 8 is set.
    pub(crate) result: u16,
    pub(crate) carry: bool,
    pub(crate) overflow: bool,
    pub(crate) decimal: bool,
    pub(crate) interrupt_disable: bool,
    /// An opcode has stopped the chip until the next reset.
    pub(crate) jammed: bool,
}

fields!(Registers {
    a,
    x,
    y,
    sp,
    pc,
    result,
    carry,
    overflow,
    decimal,
    interrupt_disable,
    jammed
} where is_valid);

/// N of a result.
#[inline(always)]
pub(crate) fn is_negative(result: u16) -> bool {
    result & 0x180 != 0
}

/// Z of a result.
#[inline(always)]
pub(crate) fn is_zero(result: u16) -> bool {
    result as u8 == 0
}

/// A result with these flags.
pub(crate) fn result(negative: bool, zero: bool) -> u16 {
    u16::from(negative) << 8 | u16::from(!zero)
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            a: 0,
            x: 0,
            y: 0,
            sp: 0xFF,
            pc: 0,
            result: 1,
            carry: false,
            overflow: false,
            decimal: false,
            interrupt_disable: false,
            jammed: false,
        }
    }
}

impl Registers {
    fn is_valid(&self) -> bool {
        self.result <= 0x1FF
    }

    /// The registers after the chip's reset, which loads the program counter from the start-up vector.
    pub(crate) fn at_reset(pc: u16) -> Self {
        Self { pc, ..Self::default() }
    }

    /// P, with the two bits that are always set.
    pub(crate) fn status(&self) -> u8 {
        u8::from(is_negative(self.result)) << 7
            | u8::from(self.overflow) << 6
            | 0x30
            | u8::from(self.decimal) << 3
            | u8::from(self.interrupt_disable) << 2
            | u8::from(is_zero(self.result)) << 1
            | u8::from(self.carry)
    }

    /// Takes the flags from P.
    pub(crate) fn set_status(&mut self, status: u8) {
        self.result = result(status & 0x80 != 0, status & 0x02 != 0);
        self.overflow = status & 0x40 != 0;
        self.decimal = status & 0x08 != 0;
        self.interrupt_disable = status & 0x04 != 0;
        self.carry = status & 0x01 != 0;
    }
}
