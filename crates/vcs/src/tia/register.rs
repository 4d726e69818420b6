//! Addresses of the TIA's write registers, by the mnemonics of the Stella Programmer's Guide.

pub(crate) const VSYNC: u8 = 0x00;
pub(crate) const VBLANK: u8 = 0x01;
pub(crate) const WSYNC: u8 = 0x02;
pub(crate) const NUSIZ0: u8 = 0x04;
pub(crate) const NUSIZ1: u8 = 0x05;
pub(crate) const COLUP0: u8 = 0x06;
pub(crate) const COLUP1: u8 = 0x07;
pub(crate) const COLUPF: u8 = 0x08;
pub(crate) const COLUBK: u8 = 0x09;
pub(crate) const CTRLPF: u8 = 0x0A;
pub(crate) const REFP0: u8 = 0x0B;
pub(crate) const REFP1: u8 = 0x0C;
pub(crate) const PF0: u8 = 0x0D;
pub(crate) const PF1: u8 = 0x0E;
pub(crate) const PF2: u8 = 0x0F;
pub(crate) const RESP0: u8 = 0x10;
pub(crate) const RESP1: u8 = 0x11;
pub(crate) const RESM0: u8 = 0x12;
pub(crate) const RESM1: u8 = 0x13;
pub(crate) const RESBL: u8 = 0x14;
pub(crate) const AUDC0: u8 = 0x15;
pub(crate) const AUDV1: u8 = 0x1A;
pub(crate) const GRP0: u8 = 0x1B;
pub(crate) const GRP1: u8 = 0x1C;
pub(crate) const ENAM0: u8 = 0x1D;
pub(crate) const ENAM1: u8 = 0x1E;
pub(crate) const ENABL: u8 = 0x1F;
pub(crate) const HMP0: u8 = 0x20;
pub(crate) const HMBL: u8 = 0x24;
pub(crate) const VDELP0: u8 = 0x25;
pub(crate) const VDELBL: u8 = 0x27;
pub(crate) const RESMP0: u8 = 0x28;
pub(crate) const RESMP1: u8 = 0x29;
pub(crate) const HMOVE: u8 = 0x2A;
pub(crate) const HMCLR: u8 = 0x2B;
pub(crate) const CXCLR: u8 = 0x2C;
/// Not a register: stands for an access that changes nothing.
pub(crate) const TOUCH: u8 = 0x3F;

/// The effect of a write to a register, as the bus side of the TIA distinguishes them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A write of the value that the register holds changes nothing.
    Idempotent,
    /// The same, except that the write copies other registers, or is copied by writes to them.
    Graphics,
    /// Every write has an effect.
    Strobe,
    /// Every write has an effect, and the bus side keeps track of it.
    Order,
    /// HMOVE: as `Order`, but written in nearly every line by many programs.
    Move,
    /// The CPU waits.
    Wait,
    /// The bus side handles the write at once.
    Immediate,
    /// Changes the sound only.
    Sound,
    /// Changes nothing.
    Unseen,
}

/// [`Kind`] by register number.
pub(crate) const KIND: [Kind; 64] = {
    let mut kinds = [Kind::Unseen; 64];
    let mut register = 0;
    while register < kinds.len() {
        kinds[register] = kind(register as u8);
        register += 1;
    }
    kinds
};

const fn kind(register: u8) -> Kind {
    match register {
        VSYNC | VBLANK => Kind::Immediate,
        WSYNC => Kind::Wait,
        COLUP0..=COLUBK | REFP0..=PF2 | ENAM0 | ENAM1 | HMP0..=HMBL | VDELP0..=RESMP1 => Kind::Idempotent,
        GRP0 | GRP1 | ENABL => Kind::Graphics,
        AUDC0..=AUDV1 => Kind::Sound,
        HMOVE => Kind::Move,
        HMCLR | CXCLR => Kind::Order,
        NUSIZ0..=RESBL => Kind::Strobe,
        _ => Kind::Unseen,
    }
}

/// Colour clocks from a write to its effect, by register and by the CPU cycle modulo 4, since the playfield is drawn in cells
/// of four pixels.
const DELAYS: [[u8; 4]; 64] = {
    let mut delays = [[0; 4]; 64];
    let mut register = 0;
    while register < delays.len() {
        delays[register] = match register as u8 {
            PF0 | PF1 | PF2 => [4, 5, 2, 3],
            VBLANK | REFP0 | REFP1 | GRP0 | GRP1 => [1; 4],
            NUSIZ0 | NUSIZ1 | RESM0 | RESM1 => [8; 4],
            _ => [0; 4],
        };
        register += 1;
    }
    delays
};

/// Colour clocks from a write to its effect, `since` colour clocks after the start of a line.
#[inline]
pub(crate) fn delay(register: u8, since: i32) -> i32 {
    // A cycle is three colour clocks, and 3 * 3 is 1 modulo 4.
    let cycle = since.wrapping_mul(3) as usize % 4;
    i32::from(DELAYS[usize::from(register) % DELAYS.len()][cycle])
}
