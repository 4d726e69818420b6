//! Drawing to a frame buffer, eight pixels at a time.
//!
//! Each row of a frame buffer has a note of the background and playfield in it (its backdrop), and of the groups of eight pixels
//! that may differ from them. A line with the backdrop that its row has already draws only groups with objects, old or new.

use super::mask::{self, Mask};
use super::span::{Colours, Objects, Priority};
use crate::WIDTH;

/// Pixels of the left half of the line.
const LEFT_HALF: Mask = [u64::MAX, 0xFFFF, 0];
/// Groups of eight pixels in a line.
const GROUPS: usize = WIDTH / 8;
/// Groups of eight pixels in half a line.
const HALF: usize = GROUPS / 2;
/// Bits of the playfield on a line.
const CELL_BITS: u32 = 40;
/// A byte of ones for each bit of a byte. The lowest bit is the lowest byte, which is the leftmost pixel.
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

/// Four bytes of ones for each of two bits of the playfield.
const CELLS: [u64; 4] = [0, 0xFFFF_FFFF, 0xFFFF_FFFF << 32, u64::MAX];

/// The background and playfield of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Backdrop {
    /// The 40 cells of the playfield, leftmost in bit 0.
    pub(crate) cells: u64,
    /// The colours of the playfield's left and right half, and the background's.
    pub(crate) colours: [u8; 3],
}

impl Backdrop {
    /// Nothing but black.
    pub(crate) const BLACK: Self = Self {
        cells: 0,
        colours: [0; 3],
    };

    /// The backdrop in one word.
    #[inline]
    fn packed(self) -> u64 {
        let [left, right, background] = self.colours.map(u64::from);
        self.cells | (left | right << 8 | background << 16) << CELL_BITS
    }

    #[inline]
    fn eight(self) -> Eight {
        let [left, right, background] = self.colours.map(|colour| u64::from_ne_bytes([colour; 8]));
        Eight {
            cells: self.cells,
            background,
            halves: [left ^ background, right ^ background],
        }
    }
}

/// A backdrop, eight pixels at a time.
struct Eight {
    cells: u64,
    background: u64,
    /// XOR of the background and the playfield's colour, in the left and the right half.
    halves: [u64; 2],
}

impl Eight {
    #[inline]
    fn group(&self, group: usize) -> u64 {
        let colour = self.halves[usize::from(group >= HALF)];
        self.background ^ CELLS[(self.cells >> (2 * group) & 3) as usize] & colour
    }
}

/// The content of a row of a frame buffer, as far as it decides whether drawing can be skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The packed backdrop.
    backdrop: u64,
    /// The groups of pixels that may differ from the backdrop, a bit each.
    covered: u32,
}

impl Row {
    /// Black.
    pub(crate) const BLACK: Self = Self {
        backdrop: 0,
        covered: 0,
    };
    /// A row of unknown content. No backdrop has this value: colour loss sets the lowest bit of all three colours or of none, and here one has
    /// it.
    pub(crate) const UNKNOWN: Self = Self {
        backdrop: 1 << CELL_BITS,
        covered: 0,
    };

    /// Whether both rows hold the same backdrop and nothing else.
    fn is_like(&self, other: &Self) -> bool {
        self.backdrop == other.backdrop && self.covered | other.covered == 0 && self.backdrop != Self::UNKNOWN.backdrop
    }
}

/// A frame buffer to draw to. Drawing to a row that it does not have is ignored.
pub(crate) struct Canvas<'a> {
    pub(crate) pixels: &'a mut [u8],
    /// The content of each row of `pixels`.
    pub(crate) rows: &'a mut [Row],
}

impl Canvas<'_> {
    /// Makes the pixels `from..to` of a row black.
    pub(crate) fn blank(&mut self, row: usize, from: usize, to: usize) {
        if let Some(pixels) = self.pixels.get_mut(row * WIDTH + from..row * WIDTH + to)
            && let Some(row) = self.rows.get_mut(row)
        {
            pixels.fill(0);
            *row = Row::UNKNOWN;
        }
    }

    /// Copies row `row` to the row below it.
    pub(crate) fn repeat(&mut self, row: usize) {
        let Some([above, below]) = self.rows.get_mut(row..).and_then(<[Row]>::first_chunk_mut) else {
            return;
        };
        if below.is_like(above) {
            return;
        }
        *below = *above;
        let lines = self
            .pixels
            .get_mut(row * WIDTH..)
            .and_then(|pixels| pixels.split_first_chunk_mut::<WIDTH>());
        if let Some((line, below)) = lines
            && let Some(below) = below.first_chunk_mut::<WIDTH>()
        {
            *below = *line;
        }
    }

    /// A row, to draw to it. None if the frame buffer does not have it.
    #[inline]
    pub(crate) fn row(&mut self, row: usize) -> Option<RowCanvas<'_>> {
        let line = self.pixels.get_mut(row * WIDTH..)?.first_chunk_mut::<WIDTH>()?;
        Some(RowCanvas {
            groups: line.as_chunks_mut().0.first_chunk_mut()?,
            content: self.rows.get_mut(row)?,
        })
    }
}

/// A row of a frame buffer to draw to.
pub(crate) struct RowCanvas<'a> {
    groups: &'a mut [[u8; 8]; GROUPS],
    content: &'a mut Row,
}

impl RowCanvas<'_> {
    /// Draws background and playfield at the pixels `from..to`.
    pub(crate) fn paint_backdrop(&mut self, from: usize, to: usize, backdrop: Backdrop) {
        if from > 0 || to < WIDTH {
            *self.content = Row::UNKNOWN;
            paint_part(self.groups, from, to, &backdrop.eight());
            return;
        }
        let old = *self.content;
        let new = Row {
            backdrop: backdrop.packed(),
            covered: 0,
        };
        if old.backdrop != new.backdrop {
            let eight = backdrop.eight();
            for (group, pixels) in self.groups.iter_mut().enumerate() {
                *pixels = eight.group(group).to_le_bytes();
            }
        } else if old.covered != 0 {
            let eight = backdrop.eight();
            let mut covered = old.covered;
            while covered != 0 {
                let group = covered.trailing_zeros() as usize;
                covered &= covered - 1;
                self.groups[group % GROUPS] = eight.group(group).to_le_bytes();
            }
        }
        *self.content = new;
    }

    /// Draws the movable objects over the backdrop.
    pub(crate) fn paint_objects(
        &mut self,
        from: usize,
        to: usize,
        objects: &Objects,
        priority: Priority,
        colours: Colours,
    ) {
        let span = mask::between(from, to);
        for word in 0..span.len() {
            let Some(layers) = objects.layers(word, span[word], priority, LEFT_HALF[word]) else {
                continue;
            };
            let groups = &mut self.groups[8 * word..];
            let first = paint_mask(layers[0], colours[0], groups);
            let second = paint_mask(layers[1], colours[1], groups);
            let third = paint_mask(layers[2], colours[2], groups);
            self.content.covered |= (first | second | third) << (8 * word);
        }
    }

    /// Makes the first eight pixels black, from `from` on.
    #[inline]
    pub(crate) fn blank_first(&mut self, from: usize) {
        if from < 8 {
            blend(self.groups, 0, 0, u64::MAX << (8 * from));
            self.content.covered |= 1;
        }
    }
}

/// Draws the pixels `from..to`.
fn paint_part(groups: &mut [[u8; 8]; GROUPS], from: usize, to: usize, eight: &Eight) {
    let (first, last) = (from / 8, ((to - 1) / 8).min(GROUPS - 1));
    let after = u64::MAX << (8 * (from % 8));
    let before = u64::MAX >> (8 * (7 - (to - 1) % 8));
    if first == last {
        blend(groups, first, eight.group(first), after & before);
        return;
    }
    blend(groups, first, eight.group(first), after);
    blend(groups, last, eight.group(last), before);
    for group in first + 1..last {
        groups[group] = eight.group(group).to_le_bytes();
    }
}

/// Writes `colour` to the pixels in `mask`. Returns the groups that these are in, a bit each.
#[inline]
fn paint_mask(mut mask: u64, colour: u8, groups: &mut [[u8; 8]]) -> u32 {
    let colour = u64::from_ne_bytes([colour; 8]);
    let mut painted = 0;
    while mask != 0 {
        let shift = mask.trailing_zeros() & !7;
        let group = shift / 8;
        painted |= 1 << group;
        blend(
            groups,
            group as usize,
            colour,
            BYTES[usize::from((mask >> shift) as u8)],
        );
        mask &= !(0xFF << shift);
    }
    painted
}

/// Replaces those bytes of a group that are in `mask`.
#[inline]
fn blend(groups: &mut [[u8; 8]], group: usize, eight: u64, mask: u64) {
    if let Some(pixels) = groups.get_mut(group) {
        let old = u64::from_le_bytes(*pixels);
        *pixels = (old ^ (old ^ eight) & mask).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::super::mask::{FirstCopy, player};
    use super::super::object::P0;
    use super::*;

    /// Draws a line to the first of two rows, and perhaps repeats it in the second, by the bits of `choice`.
    fn draw(canvas: &mut Canvas<'_>, choice: u32) {
        let bit = |bit: u32| choice >> bit & 1;
        let backdrop = Backdrop {
            cells: [0x00_F00F_0FF0, 0xFF_0000_0001][bit(0) as usize],
            colours: [[0x1E, 0x1E, 0x80], [0x1E, 0x2C, 0x00]][bit(1) as usize],
        };
        let split = if bit(2) == 1 {
            8 * (choice >> 8 & 15) as usize + 5
        } else {
            WIDTH
        };
        let mut row = canvas.row(0).expect("two rows");
        row.paint_backdrop(0, split, backdrop);
        if split < WIDTH {
            row.paint_backdrop(split, WIDTH, Backdrop::BLACK);
        }
        if bit(3) == 1 {
            let mut objects = Objects::default();
            objects.set(P0, player(0xA5, (choice >> 12 & 127) as u8, 3, FirstCopy::Shown));
            row.paint_objects(0, split, &objects, Priority::Players, [0x44, 0x46, 0x48, 0]);
        }
        if bit(4) == 1 {
            row.blank_first(bit(5) as usize);
        }
        if bit(6) == 1 {
            canvas.repeat(0);
        }
    }

    #[test]
    fn what_a_row_holds_does_not_change_what_is_drawn() {
        let mut state = 1_u32;
        let (mut known, mut unknown) = ([0; 2 * WIDTH], [0; 2 * WIDTH]);
        let mut rows = [Row::BLACK; 2];
        for _ in 0..4000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let choice = state >> 8;
            draw(
                &mut Canvas {
                    pixels: &mut known,
                    rows: &mut rows,
                },
                choice,
            );
            draw(
                &mut Canvas {
                    pixels: &mut unknown,
                    rows: &mut [Row::UNKNOWN; 2],
                },
                choice,
            );
            assert_eq!(known, unknown);
        }
    }
}
