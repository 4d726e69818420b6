//! `INTER_AREA` in 16-bit integers, for the sizes that allow it, such as 160 x 210 to 84 x 84.
//!
//! An output cell is a sum of integer multiples of pixels, divided by `total`, the product of the weights along both axes:
//! 200 for 84 x 84 of 160 x 210. Rounded to a byte it equals OpenCV's result, because the error of OpenCV's floats is far
//! below one part in `total`. Only at an exact half that error decides, so such cells are computed with floats ([`AreaTaps`]).
//!
//! A row is stored as four interleaved quarters, so that the same taps serve four cells at once: byte `4 * x + quarter` is
//! pixel `x` of a quarter.

use super::area::AreaTaps;

/// Quarters of a row.
const QUARTERS: usize = 4;
/// Most taps along x.
const TAPS: usize = 3;

/// The taps along x of the same cell of every quarter.
#[derive(Debug, Clone, Copy)]
struct FixedCell {
    first: usize,
    weights: [u16; TAPS],
}

/// The taps along y of an output row.
#[derive(Debug, Clone, Copy)]
struct Line {
    first: usize,
    weights: [u16; TAPS],
}

/// A division of 16-bit numbers as a multiplication and shifts, which the compiler turns into vector code.
#[derive(Debug, Clone, Copy)]
struct Division {
    before: u32,
    factor: u16,
    after: u32,
}

impl Division {
    /// The division by `divisor`, if it is exact for numbers up to `most`.
    fn by(divisor: u32, most: u32) -> Option<Self> {
        let before = divisor.trailing_zeros();
        let odd = divisor >> before;
        let after = odd.ilog2();
        let one = 1_u64 << (16 + after);
        let factor = one.div_ceil(odd.into());
        let error = factor * u64::from(odd) - one;
        // Then the error of a product never reaches the next integer.
        let exact = error * u64::from(most >> before) < one;
        let factor = u16::try_from(factor).ok().filter(|_| exact)?;
        Some(Self { before, factor, after })
    }

    #[inline(always)]
    fn quotient(self, number: u16) -> u16 {
        let product = u32::from(number >> self.before) * u32::from(self.factor);
        (product >> 16) as u16 >> self.after
    }
}

/// A shrink of one channel with its tables.
pub(super) struct Fixed {
    cells: Vec<FixedCell>,
    lines: Vec<Line>,
    /// The sum of the weights of a cell.
    total: u16,
    by_total: Division,
    across: AreaTaps,
    down: AreaTaps,
    columns: Vec<[u16; QUARTERS]>,
    sums: Vec<[u16; QUARTERS]>,
    rounded: Vec<u8>,
}

/// The first source cell and the weights of an output cell, if these are integers over `total` and belong to neighbours.
fn integer_weights(axis: &AreaTaps, cells: usize, cell: usize, total: usize) -> Option<(usize, [u16; TAPS])> {
    let first = axis.index[cell] as usize;
    let mut weights = [0; TAPS];
    for tap in 0..axis.taps {
        let exact = f64::from(axis.weight[tap * cells + cell]) * total as f64;
        let rounded = exact.round();
        if (exact - rounded).abs() > 1e-4 || (rounded > 0.0 && axis.index[tap * cells + cell] as usize != first + tap) {
            return None;
        }
        *weights.get_mut(tap)? = rounded as u16;
    }
    (weights.iter().sum::<u16>() as usize == total).then_some((first, weights))
}

impl Fixed {
    /// The shrink of `from` (width, height) to `to`, if integers allow it.
    pub(super) fn new(from: (usize, usize), to: (usize, usize)) -> Option<Self> {
        let totals = [(from.0, to.0), (from.1, to.1)].map(|(source, target)| source / gcd(source, target));
        let total = totals[0] * totals[1];
        if total * 256 > usize::from(u16::MAX) + 1
            || !(from.0.is_multiple_of(QUARTERS) && to.0.is_multiple_of(QUARTERS))
        {
            return None;
        }
        let by_total = Division::by(total as u32, (256 * total - 1) as u32)?;
        let (across, down) = (AreaTaps::new(from.0, to.0, 1), AreaTaps::new(from.1, to.1, 1));
        let quarter = to.0 / QUARTERS;
        let cells: Vec<FixedCell> = (0..to.0)
            .map(|cell| {
                integer_weights(&across, to.0, cell, totals[0]).map(|(first, weights)| FixedCell { first, weights })
            })
            .collect::<Option<_>>()?;
        let lines: Vec<Line> = (0..to.1)
            .map(|cell| integer_weights(&down, to.1, cell, totals[1]).map(|(first, weights)| Line { first, weights }))
            .collect::<Option<_>>()?;
        let step = from.0 / QUARTERS;
        let alike = |(at, cell): (usize, &FixedCell)| {
            let same = cells[at % quarter];
            cell.weights == same.weights && cell.first == same.first + at / quarter * step
        };
        cells.iter().enumerate().all(alike).then(|| Self {
            cells: cells[..quarter].to_vec(),
            lines,
            total: total as u16,
            by_total,
            across,
            down,
            columns: vec![[0; QUARTERS]; row_len(from.0) / QUARTERS],
            sums: vec![[0; QUARTERS]; quarter],
            rounded: vec![0; to.0],
        })
    }

    /// The source rows of an output row.
    pub(super) fn rows(&self, y: usize) -> std::ops::Range<usize> {
        let Line { first, weights } = self.lines[y];
        first..first + weights.iter().filter(|weight| **weight != 0).count()
    }

    /// Computes an output row from its source rows, which are interleaved.
    pub(super) fn shrink<'a>(&mut self, y: usize, row: impl Fn(usize) -> &'a [u8], out: &mut [u8]) {
        let weights = self.lines[y].weights;
        let rows = self.rows(y);
        let [a, b, c] = [0, 1, 2].map(|tap| row(rows.start + tap.min(rows.len() - 1)));
        let [wa, wb, wc] = weights;
        for (((sum, a), b), c) in self.columns.as_flattened_mut().iter_mut().zip(a).zip(b).zip(c) {
            *sum = u16::from(*a) * wa + u16::from(*b) * wb + u16::from(*c) * wc;
        }
        let cells = self.sums.iter_mut().zip(&self.cells);
        for (sums, FixedCell { first, weights }) in cells {
            let taps = &self.columns[*first..*first + TAPS];
            let [wa, wb, wc] = weights.map(u64::from);
            // No sum overflows into the next one.
            *sums = unpack(pack(taps[0]) * wa + pack(taps[1]) * wb + pack(taps[2]) * wc);
        }
        let half = self.total / 2;
        let mut halves = 0_u16;
        for (sum, rounded) in self.sums.as_flattened().iter().zip(&mut self.rounded) {
            let shifted = *sum + half;
            let whole = self.by_total.quotient(shifted);
            halves |= u16::from(whole * self.total == shifted);
            *rounded = whole as u8;
        }
        let quarter = self.cells.len();
        let (left, right) = out.split_at_mut(2 * quarter);
        let ((first, second), (third, fourth)) = (left.split_at_mut(quarter), right.split_at_mut(quarter));
        let outs = first.iter_mut().zip(second).zip(third).zip(fourth);
        for ((((a, b), c), d), rounded) in outs.zip(self.rounded.chunks_exact(QUARTERS)) {
            (*a, *b, *c, *d) = (rounded[0], rounded[1], rounded[2], rounded[3]);
        }
        // An odd total has no exact halves.
        if halves != 0 && self.total.is_multiple_of(2) {
            for (at, sum) in self.sums.as_flattened().iter().enumerate() {
                if sum + half == u16::from(self.rounded[at]) * self.total {
                    let (cell, quarter) = (at / QUARTERS, at % QUARTERS);
                    out[quarter * self.cells.len() + cell] = self.settle(y, cell, quarter, &row);
                }
            }
        }
    }

    /// A cell at an exact half, as OpenCV computes it.
    fn settle<'a>(&self, y: usize, cell: usize, quarter: usize, row: &impl Fn(usize) -> &'a [u8]) -> u8 {
        let (width, height) = (self.rounded.len(), self.lines.len());
        let x = quarter * self.cells.len() + cell;
        let first = self.cells[cell].first;
        let mut total = 0.0_f32;
        for tap in 0..self.down.taps {
            let factor = self.down.weight[tap * height + y];
            if factor == 0.0 {
                continue;
            }
            let taps = row(self.down.index[tap * height + y] as usize)[first * QUARTERS + quarter..].iter();
            let mut squeezed = 0.0_f32;
            for (tap, pixel) in taps.step_by(QUARTERS).take(self.across.taps).enumerate() {
                squeezed += f32::from(*pixel) * self.across.weight[tap * width + x];
            }
            total += squeezed * factor;
        }
        total.round_ties_even() as u8
    }
}

/// Four sums in one word.
fn pack([a, b, c, d]: [u16; QUARTERS]) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

/// The four sums of a word.
fn unpack(word: u64) -> [u16; QUARTERS] {
    [
        word as u16,
        (word >> 16) as u16,
        (word >> 32) as u16,
        (word >> 48) as u16,
    ]
}

/// Bytes of an interleaved row, with zeros after the last pixels for taps of weight zero.
pub(super) fn row_len(width: usize) -> usize {
    width + (TAPS - 1) * QUARTERS
}

/// Interleaves the quarters of a row.
pub(super) fn interleave(row: &[u8], out: &mut [u8]) {
    let (left, right) = row.split_at(row.len() / 2);
    let ((a, b), (c, d)) = (left.split_at(left.len() / 2), right.split_at(right.len() / 2));
    for ((((out, a), b), c), d) in out.chunks_exact_mut(QUARTERS).zip(a).zip(b).zip(c).zip(d) {
        out.copy_from_slice(&[*a, *b, *c, *d]);
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::image::{Interpolation, Resizer, area};

    /// Rows with few values, whose cells are at an exact half more often than those of noise.
    fn picture(width: usize, height: usize, values: &[u8]) -> Vec<u8> {
        let noise = (0..width * height).map(|at| ((at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize);
        noise.map(|at| values[at % values.len()]).collect()
    }

    #[test]
    fn whole_numbers_give_what_floats_give() {
        let mut halves = 0;
        for (from, to) in [((160, 210), (84, 84)), ((160, 210), (84, 105)), ((160, 210), (120, 84))] {
            assert!(Fixed::new(from, to).is_some(), "{to:?} needs floats");
            let (across, down) = (AreaTaps::new(from.0, to.0, 1), AreaTaps::new(from.1, to.1, 1));
            for values in [
                &[0, 255][..],
                &[10, 20, 50],
                &[1, 2, 3, 255],
                &[7, 74, 111, 142, 170, 192, 214, 236],
            ] {
                let mut pixels = picture(from.0, from.1, values);
                // Half of the picture has rows that repeat, in runs of up to 13.
                for y in (1..from.1 / 2).filter(|y| y % 13 != 0 && y % 29 != 0) {
                    pixels.copy_within((y - 1) * from.0..y * from.0, y * from.0);
                }
                let resizer = Resizer::new(from, to, 1, Interpolation::Area).unwrap();
                let mut whole = vec![0; to.0 * to.1];
                resizer.resize(&pixels, &mut whole).unwrap();
                let (mut squeezed, mut sums, mut line) = (vec![0.0; to.0], vec![0.0; to.0], vec![0; to.0]);
                for y in 0..to.1 {
                    for tap in 0..down.taps {
                        let at = down.index[tap * to.1 + y] as usize;
                        let factor = down.weight[tap * to.1 + y];
                        area::squeeze_row(&across, &pixels[at * from.0..][..from.0], &mut squeezed);
                        if tap == 0 {
                            area::start_row(&squeezed, factor, &mut sums);
                        } else {
                            area::add_row(&squeezed, factor, &mut sums);
                        }
                    }
                    area::round_row(&sums, &mut line);
                    assert_eq!(
                        line,
                        whole[y * to.0..][..to.0],
                        "{from:?} to {to:?}, row {y} of {values:?}"
                    );
                    halves += sums.iter().filter(|sum| (sum.fract() - 0.5).abs() < 1e-3).count();
                }
            }
        }
        assert!(halves > 1000, "only {halves} halves");
    }

    #[test]
    fn a_division_that_is_used_is_exact() {
        for total in 1..=256_u32 {
            let most = 256 * total - 1;
            let Some(division) = Division::by(total, most) else {
                continue;
            };
            let differs = |number: &u32| u32::from(division.quotient(*number as u16)) != number / total;
            assert_eq!((0..=most).find(differs), None, "divided by {total}");
        }
    }

    #[test]
    fn a_row_of_nothing_but_halves_is_rounded_to_even_numbers() {
        let resizer = Resizer::new((12, 4), (8, 3), 1, Interpolation::Area).unwrap();
        assert!(Fixed::new((12, 4), (8, 3)).is_some());
        let pixels = [[0; 24], [1; 24]].concat();
        let mut result = vec![9; 24];
        resizer.resize(&pixels, &mut result).unwrap();
        assert_eq!(result, [[0; 16].as_slice(), &[1; 8]].concat());
    }

    #[test]
    fn sizes_whose_sums_need_more_bits_are_left_to_floats() {
        assert!(Fixed::new((160, 250), (84, 84)).is_none());
        assert!(Fixed::new((160, 210), (83, 84)).is_none());
    }
}
