//! What the bus side remembers of the CPU's accesses, to leave out of the log what changes nothing.

use super::register::{ENABL, GRP0, GRP1, HMBL, HMP0, KIND, Kind, TOUCH, VBLANK};
use crate::state::fields;

/// Write registers, with those that do not exist.
const REGISTERS: usize = 64;

/// An access to the TIA: its register and its colour clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) clock: i32,
    pub(crate) register: u8,
}

/// The registers as the CPU wrote them, and its last access.
///
/// Invariant: for a register whose repeated writes change nothing, `registers` has the value that the end of the log leaves it with.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    /// The last value written to each register.
    pub(crate) registers: [u8; REGISTERS],
    /// Which of GRP0, GRP1 and ENABL have been copied to their delayed registers since they changed: a bit each, GRP0's lowest.
    pub(crate) copied: u8,
    /// An HMOVE blank is pending: the next access in the window is logged even if it changes nothing.
    pub(crate) hmove_pending: bool,
    pub(crate) last_access: Access,
}

fields!(Access { clock, register });
fields!(Shadow {
    registers,
    copied,
    hmove_pending,
    last_access,
} where is_valid);

impl Shadow {
    /// Registers that hold 0, and no access yet.
    pub(super) fn new() -> Self {
        Self {
            registers: [0; REGISTERS],
            copied: 0,
            hmove_pending: false,
            last_access: Access {
                clock: 0,
                register: TOUCH,
            },
        }
    }

    fn is_valid(&self) -> bool {
        self.copied & !COPIES == 0 && usize::from(self.last_access.register) < REGISTERS
    }

    /// Whether a write to GRP0, GRP1 or ENABL changes anything: its register, or a register that it copies to its delayed one.
    #[inline(always)]
    pub(super) fn graphics_change(&self, register: u8, value: u8) -> bool {
        self.registers[usize::from(register)] != value || !self.copied & copies(register) != 0
    }

    /// Notes what a register holds.
    #[inline(always)]
    pub(super) fn note(&mut self, register: u8, value: u8) {
        if KIND[usize::from(register)] == Kind::Graphics {
            if self.registers[usize::from(register)] != value {
                self.copied &= !copy_bit(register);
            }
            self.copied |= copies(register);
        }
        self.registers[usize::from(register)] = value;
    }

    /// Notes a write of VBLANK. Returns whether it changes the picture.
    pub(super) fn note_vblank(&mut self, value: u8) -> bool {
        let known = &mut self.registers[usize::from(VBLANK)];
        let changes = (*known ^ value) & 2 != 0;
        if changes {
            *known = value;
        }
        changes
    }

    /// Notes a write of HMCLR.
    pub(super) fn clear_motion(&mut self) {
        self.registers[usize::from(HMP0)..=usize::from(HMBL)].fill(0);
    }
}

/// The bit of [`Shadow::copied`] for GRP0, GRP1 or ENABL.
#[inline(always)]
pub(super) fn copy_bit(register: u8) -> u8 {
    1 << (register.wrapping_sub(GRP0) & 7)
}

/// All bits of [`Shadow::copied`].
const COPIES: u8 = 1 | 1 << (GRP1 - GRP0) | 1 << (ENABL - GRP0);

/// The bits of [`Shadow::copied`] of the registers that a write to `register` copies.
#[inline(always)]
pub(super) fn copies(register: u8) -> u8 {
    match register {
        GRP0 => 1 << (GRP1 - GRP0),
        GRP1 => 1 | 1 << (ENABL - GRP0),
        _ => 0,
    }
}
