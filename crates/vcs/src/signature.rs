//! A number for a row of pixels, by which it is known again.

use crate::WIDTH;
use wide::{i16x8, i32x4};

/// Pixels at once.
const WIDE: usize = 16;
/// Chunks of a row.
const CHUNKS: usize = WIDTH / WIDE;
/// An odd number of no pattern: 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A key for each two pixels of a row.
type Keys = [[i16; 8]; CHUNKS];

/// Two sets of keys, all of them odd.
const KEYS: [Keys; 2] = {
    let mut keys = [[[0; 8]; CHUNKS]; 2];
    let mut at = 0;
    while at < 2 * CHUNKS * 8 {
        keys[at & 1][(at >> 1) / 8][(at >> 1) % 8] = (mix(GOLDEN.wrapping_mul(at as u64 + 1)) >> 48) as i16 | 1;
        at += 1;
    }
    keys
};

/// Another number for each number, in all bits of which each of its bits counts: David Stafford's 13th variant of a mixer that is
/// known from `SplitMix64`.
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The signature of a row of pixels. Rows with the same one may be taken to be the same: that two others have the same has a chance
/// of one in 2^64.
#[inline(never)]
pub(crate) fn signature(row: &[u8; WIDTH]) -> u64 {
    let mut sums = [i32x4::ZERO; 2];
    for (at, chunk) in row.as_chunks::<WIDE>().0.iter().enumerate() {
        let pairs = chunk.as_chunks::<2>().0;
        let pixels = i16x8::new(std::array::from_fn(|pair| i16::from_le_bytes(pairs[pair])));
        for (sum, keys) in sums.iter_mut().zip(&KEYS) {
            *sum += pixels.dot(i16x8::new(keys[at]));
        }
    }
    let [first, second] = sums.map(i32x4::to_array);
    first.into_iter().zip(second).fold(0, |folded: u64, (low, high)| {
        let lane = u64::from(low as u32) | u64::from(high as u32) << 32;
        mix(folded ^ lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_one_pixel_or_of_two_side_by_side_shows() {
        for colour in [0x00, 0x1A, 0x84, 0xFF] {
            let mut row = [colour; WIDTH];
            let unchanged = signature(&row);
            for place in 0..WIDTH - 1 {
                for (a, b) in (0..=255).zip((0..=255).rev().chain(0..=255)) {
                    row[place..place + 2].copy_from_slice(&[a, b]);
                    assert_eq!(
                        signature(&row) == unchanged,
                        row == [colour; WIDTH],
                        "{place}: {a}, {b}"
                    );
                    row[place..place + 2].copy_from_slice(&[colour, a]);
                    assert_eq!(signature(&row) == unchanged, a == colour, "{place}: {a}");
                }
                row[place..place + 2].fill(colour);
            }
        }
    }

    /// Two changes that hide each other would have to do so under both sets of keys, so of any two the ratios differ.
    #[test]
    fn two_changes_never_hide_each_other() {
        let keys = |set: usize| KEYS[set].as_flattened();
        for (at, (a, b)) in keys(0).iter().zip(keys(1)).enumerate() {
            for (c, d) in keys(0).iter().zip(keys(1)).skip(at + 1) {
                assert_ne!(i32::from(*a) * i32::from(*d), i32::from(*b) * i32::from(*c));
            }
        }
    }

    #[test]
    fn rows_that_differ_have_different_signatures() {
        let mut seen = std::collections::HashMap::new();
        let mut state = 1_u32;
        for _ in 0..20_000 {
            // An object of few pixels somewhere in the row.
            let mut row = [0x84_u8; WIDTH];
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (place, shape, colour) = (state >> 24, state >> 16 & 0xFF, (state >> 8 & 3) as u8);
            for bit in (0..8).filter(|bit| shape >> bit & 1 == 1) {
                row[(place + bit) as usize % WIDTH] = 0x1E + 2 * colour;
            }
            assert_eq!(*seen.entry(signature(&row)).or_insert(row), row);
        }
        assert!(seen.len() > 15_000, "{}", seen.len());
    }
}
