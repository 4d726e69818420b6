//! 160-bit masks: which pixels of a line an object covers. Bit `x % 64` of word `x / 64` is pixel `x`.

use crate::WIDTH;
use crate::state::{InvalidState, State};

/// Pixels of one line.
pub(crate) type Mask = [u64; 3];

/// No pixel.
pub(crate) const EMPTY: Mask = [0; 3];
/// The pixels of word 2 that are on the line.
const LAST_WORD: u64 = 0xFFFF_FFFF;

/// Each bit of a byte four pixels wide, lowest bit leftmost.
const QUADRUPLE: [u32; 256] = {
    let mut table = [0_u32; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 0xF << (4 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Each bit of a byte two pixels wide, lowest bit leftmost.
const DOUBLE: [u16; 256] = {
    let mut table = [0_u16; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 0x3 << (2 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The bits of each byte in reverse order, for which x86-64 and WebAssembly have no instruction.
const REVERSED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).reverse_bits();
        byte += 1;
    }
    table
};

/// The bits of a byte in reverse order.
#[inline]
pub(crate) fn reversed(byte: u8) -> u8 {
    REVERSED[usize::from(byte)]
}

/// Offsets of the copies of a player or missile, by NUSIZ bits 0..2.
pub(crate) const COPIES: [&[u8]; 8] = [
    &[0],
    &[0, 16],
    &[0, 32],
    &[0, 16, 32],
    &[0, 64],
    &[0],
    &[0, 32, 64],
    &[0],
];

/// The offsets of the copies less than 64 pixels away, a bit each, by NUSIZ bits 0..2.
const NEAR: [u64; 8] = copies(0);
/// The offsets of the copies at least 64 pixels away, less 64, a bit each.
const FAR: [u64; 8] = copies(64);

const fn copies(from: u32) -> [u64; 8] {
    let mut bits = [0; 8];
    let mut nusiz = 0;
    while nusiz < 8 {
        let mut copy = 0;
        while copy < COPIES[nusiz].len() {
            let offset = COPIES[nusiz][copy] as u32;
            if offset >= from && offset < from + 64 {
                bits[nusiz] |= 1 << (offset - from);
            }
            copy += 1;
        }
        nusiz += 1;
    }
    bits
}

/// `pattern` (at most 40 bits, lowest leftmost) at `x` (0..320), wrapping at the line's end.
#[inline]
fn place(pattern: u64, x: u32) -> Mask {
    let x = if x >= 160 { x - 160 } else { x };
    let shift = x & 63;
    // Two shifts, because a shift by 64 is none.
    let (low, high) = (pattern << shift, pattern >> 1 >> (63 - shift));
    match x >> 6 {
        0 => [low, high, 0],
        1 => [high >> 32, low, high & LAST_WORD],
        _ => [low >> 32 | high << 32, 0, low & LAST_WORD],
    }
}

/// Copies of `pattern` (at most 8 bits) from `x` on, by NUSIZ bits 0..2; of the near copies only those in `near`.
#[inline]
fn place_copies(pattern: u8, x: u32, nusiz: u8, near: u64) -> Mask {
    let copies = usize::from(nusiz & 7);
    let mut mask = place(u64::from(pattern) * (NEAR[copies] & near), x);
    if FAR[copies] != 0 {
        for (word, far) in mask.iter_mut().zip(place(u64::from(pattern) * FAR[copies], x + 64)) {
            *word |= far;
        }
    }
    mask
}

/// Whether the first copy of a player is shown. It is not on the line in which the player was repositioned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FirstCopy {
    /// All copies are drawn.
    Shown,
    /// The copy at offset 0 is left out.
    Skipped,
}

impl State for FirstCopy {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self == Self::Skipped).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut skipped = false;
        skipped.load(bytes)?;
        *self = if skipped { Self::Skipped } else { Self::Shown };
        Ok(())
    }
}

/// A player that shows `pattern`, its lowest bit leftmost, at `position`.
#[inline(always)]
pub(crate) fn player(pattern: u8, position: u8, nusiz: u8, first: FirstCopy) -> Mask {
    let x = u32::from(position);
    match nusiz & 7 {
        5 | 7 if first == FirstCopy::Skipped => EMPTY,
        5 => place(u64::from(DOUBLE[usize::from(pattern)]), x + 1),
        7 => place(u64::from(QUADRUPLE[usize::from(pattern)]), x + 1),
        copies => {
            let near = if first == FirstCopy::Skipped { !1 } else { u64::MAX };
            place_copies(pattern, x, copies, near)
        }
    }
}

/// A missile (or, with `nusiz` 0, the ball) of width `1 << size_code`.
pub(crate) fn missile(position: u8, nusiz: u8, size_code: u8) -> Mask {
    let pattern = [0x01, 0x03, 0x0F, 0xFF][usize::from(size_code & 3)];
    place_copies(pattern, u32::from(position), nusiz, u64::MAX)
}

/// Pixels of a cell of the playfield.
pub(crate) const CELL: usize = 4;
/// Cells of the playfield on a line.
const CELLS: u32 = (WIDTH / CELL) as u32;

/// The cells of the playfield, leftmost in bit 0: `bits` is PF0 bits 4..7, PF1 bits 7..0, PF2 bits 0..7 from bit 0 on (20 bits); the
/// right half repeats or mirrors the left.
#[inline]
pub(crate) fn cells(bits: u32, reflected: bool) -> u64 {
    let right = if reflected {
        bits.reverse_bits() >> (32 - CELLS / 2)
    } else {
        bits
    };
    u64::from(bits) | u64::from(right) << (CELLS / 2)
}

/// The pixels of `cells`.
pub(crate) fn playfield(cells: u64) -> Mask {
    let [a, b, c, d, e, ..] = cells.to_le_bytes().map(|byte| u64::from(QUADRUPLE[usize::from(byte)]));
    [a | b << 32, c | d << 32, e]
}

/// The pixels before a place on the line.
const BEFORE: [Mask; WIDTH + 1] = {
    let mut masks = [EMPTY; WIDTH + 1];
    let mut to = 0;
    while to <= WIDTH {
        let mut word = 0;
        while word < 3 {
            masks[to][word] = ones(to.saturating_sub(word * 64));
            word += 1;
        }
        to += 1;
    }
    masks
};

/// The lowest `count` bits.
const fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The pixels before `to`.
#[inline]
pub(crate) fn before(to: usize) -> &'static Mask {
    &BEFORE[to.min(WIDTH)]
}

/// The pixels `from..to`.
#[inline]
pub(crate) fn between(from: usize, to: usize) -> Mask {
    let (outside, inside) = (before(from), before(to));
    std::array::from_fn(|word| inside[word] & !outside[word])
}

/// The pixels of `left` before pixel `at`, and those of `right` from there on.
#[inline]
pub(crate) fn join(left: Mask, at: usize, right: Mask) -> Mask {
    let before = before(at);
    std::array::from_fn(|word| right[word] ^ (left[word] ^ right[word]) & before[word])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(mask: Mask) -> Vec<usize> {
        (0..192).filter(|x| mask[x / 64] >> (x % 64) & 1 == 1).collect()
    }

    #[test]
    fn a_player_wraps_at_the_right_edge() {
        assert_eq!(
            pixels(player(0xFF, 156, 0, FirstCopy::Shown)),
            [0, 1, 2, 3, 156, 157, 158, 159]
        );
        assert_eq!(pixels(player(0x81, 100, 4, FirstCopy::Shown)), [4, 11, 100, 107]);
    }

    #[test]
    fn wide_players_start_one_pixel_late() {
        assert_eq!(pixels(player(0x01, 10, 5, FirstCopy::Shown)), [11, 12]);
        assert_eq!(pixels(player(0x80, 62, 7, FirstCopy::Shown)), [91, 92, 93, 94]);
    }

    #[test]
    fn a_skipped_first_copy_leaves_the_others() {
        assert_eq!(pixels(player(0x01, 10, 3, FirstCopy::Skipped)), [26, 42]);
        assert!(pixels(player(0xFF, 10, 7, FirstCopy::Skipped)).is_empty());
    }

    #[test]
    fn missiles_have_their_width_and_copies() {
        assert_eq!(pixels(missile(158, 0, 2)), [0, 1, 158, 159]);
        assert_eq!(pixels(missile(0, 6, 0)), [0, 32, 64]);
    }

    #[test]
    fn the_playfield_repeats_or_mirrors() {
        let playfield = |bits, reflected| pixels(playfield(cells(bits, reflected)));
        assert_eq!(playfield(1, false), [0, 1, 2, 3, 80, 81, 82, 83]);
        assert_eq!(playfield(1, true), [0, 1, 2, 3, 156, 157, 158, 159]);
        assert_eq!(playfield(1 << 19, false), [76, 77, 78, 79, 156, 157, 158, 159]);
        assert_eq!(playfield(1 << 19, true), [76, 77, 78, 79, 80, 81, 82, 83]);
        assert_eq!(playfield(0xF_FFFF, true).len(), 160);
    }

    #[test]
    fn a_line_is_joined_at_any_pixel() {
        for at in 0..=160 {
            let mask = join([u64::MAX; 3], at, EMPTY);
            assert_eq!(pixels(mask), (0..at).collect::<Vec<_>>());
        }
    }
}
