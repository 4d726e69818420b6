//! Where the beam's pixels go: a frame buffer, drawn eight pixels at a time.

use super::mask::Mask;
use super::span::{Colours, Objects, Priority};
use crate::WIDTH;

/// Pixels of the left half of the line.
const LEFT_HALF: Mask = [u64::MAX, 0xFFFF, 0];
/// Groups of eight pixels in a line.
const GROUPS: usize = WIDTH / 8;
/// Groups of eight pixels in half a line.
const HALF: usize = GROUPS / 2;
/// Bits of the playfield registers.
const PLAYFIELD_BITS: u32 = 20;
/// Each bit of a byte as a byte of ones; the lowest bit is the lowest byte, the leftmost pixel.
const BYTES: [u64; 256] = {
    let mut table = [0_u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 0xFF << (8 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Each of two bits of the playfield as four bytes of ones.
const CELLS: [u64; 4] = [0, 0xFFFF_FFFF, 0xFFFF_FFFF << 32, u64::MAX];

/// What a line is made from before the movable objects come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Backdrop {
    /// PF0 bits 4..7, PF1 bits 7..0, PF2 bits 0..7 from bit 0 on.
    pub(crate) playfield: u32,
    pub(crate) reflected: bool,
    /// The colours of the playfield's left and right half, and the background's.
    pub(crate) colours: [u8; 3],
}

impl Backdrop {
    /// The 40 cells of the line, leftmost in bit 0.
    #[inline]
    fn cells(self) -> u64 {
        let right = if self.reflected {
            self.playfield.reverse_bits() >> (32 - PLAYFIELD_BITS)
        } else {
            self.playfield
        };
        u64::from(self.playfield) | u64::from(right) << PLAYFIELD_BITS
    }
}

/// A frame buffer that is being drawn to, at positions counted from the top left of the window. What lies outside is left out.
pub(crate) struct Canvas<'a> {
    pub(crate) pixels: &'a mut [u8],
}

impl Canvas<'_> {
    /// Makes pixels black.
    pub(crate) fn blank(&mut self, start: usize, end: usize) {
        let end = end.min(self.pixels.len());
        if start < end {
            self.pixels[start..end].fill(0);
        }
    }

    /// Draws the line that begins at `row` once more below it.
    pub(crate) fn repeat(&mut self, row: usize) {
        let lines = self
            .pixels
            .get_mut(row..)
            .and_then(|pixels| pixels.split_first_chunk_mut::<WIDTH>());
        if let Some((line, below)) = lines
            && let Some(below) = below.first_chunk_mut::<WIDTH>()
        {
            *below = *line;
        }
    }

    /// The line that begins at `row`, in groups of eight pixels.
    #[inline]
    fn groups(&mut self, row: usize) -> Option<&mut [[u8; 8]; GROUPS]> {
        let line = self.pixels.get_mut(row..)?.first_chunk_mut::<WIDTH>()?;
        line.as_chunks_mut().0.first_chunk_mut()
    }

    /// Draws background and playfield at the pixels `from..to` of the line that begins at `row`.
    pub(crate) fn paint_backdrop(&mut self, row: usize, from: usize, to: usize, backdrop: Backdrop) {
        if backdrop.playfield == 0 {
            if let Some(pixels) = self.pixels.get_mut(row + from..row + to) {
                pixels.fill(backdrop.colours[2]);
            }
            return;
        }
        let Some(groups) = self.groups(row) else {
            return;
        };
        let cells = backdrop.cells();
        let [left, right, background] = backdrop.colours.map(|colour| u64::from_ne_bytes([colour; 8]));
        let (left, right) = (left ^ background, right ^ background);
        let eight = |group: usize, colour: u64| background ^ CELLS[(cells >> (2 * group) & 3) as usize] & colour;
        let colour = |group: usize| if group < HALF { left } else { right };
        let (first, last) = (from / 8, ((to - 1) / 8).min(GROUPS - 1));
        let after = u64::MAX << (8 * (from % 8));
        let before = u64::MAX >> (8 * (7 - (to - 1) % 8));
        if first == last {
            blend(groups, first, eight(first, colour(first)), after & before);
            return;
        }
        blend(groups, first, eight(first, colour(first)), after);
        blend(groups, last, eight(last, colour(last)), before);
        for group in first + 1..last.min(HALF) {
            groups[group] = eight(group, left).to_le_bytes();
        }
        for group in (first + 1).max(HALF)..last {
            groups[group] = eight(group, right).to_le_bytes();
        }
    }

    /// Draws the movable objects over that.
    pub(crate) fn paint_objects(
        &mut self,
        row: usize,
        from: usize,
        to: usize,
        objects: &Objects,
        priority: Priority,
        colours: Colours,
    ) {
        let Some(groups) = self.groups(row) else {
            return;
        };
        for word in from / 64..=(to - 1) / 64 {
            let Some(layers) = objects.layers(word, from, to, priority, LEFT_HALF[word]) else {
                continue;
            };
            for (mask, colour) in layers.into_iter().zip(colours) {
                paint_mask(mask, colour, &mut groups[8 * word..]);
            }
        }
    }
}

/// Writes `colour` to the pixels that `mask` has.
#[inline]
fn paint_mask(mut mask: u64, colour: u8, groups: &mut [[u8; 8]]) {
    let colour = u64::from_ne_bytes([colour; 8]);
    while mask != 0 {
        let shift = mask.trailing_zeros() & !7;
        blend(
            groups,
            shift as usize / 8,
            colour,
            BYTES[usize::from((mask >> shift) as u8)],
        );
        mask &= !(0xFF << shift);
    }
}

/// Replaces the bytes of a group that `mask` has.
#[inline]
fn blend(groups: &mut [[u8; 8]], group: usize, eight: u64, mask: u64) {
    if let Some(pixels) = groups.get_mut(group) {
        let old = u64::from_le_bytes(*pixels);
        *pixels = (old ^ (old ^ eight) & mask).to_le_bytes();
    }
}
