//! OpenCV's `INTER_AREA` for shrinking: every output cell is the mean of the area it covers.
//!
//! The order of the float operations is part of the result. Weights are computed in `f64` and rounded to `f32`. Rows are
//! squeezed first, then columns. Products are added from left to right and from top to bottom, and never fused.

/// The weighted source cells of every output cell along one axis.
#[derive(Debug, Clone)]
pub(crate) struct AreaTaps {
    /// Taps of every output cell. Cells that need fewer have taps of weight zero.
    pub(crate) taps: usize,
    /// One source index for each output cell, `taps` times over.
    pub(crate) index: Vec<u32>,
    /// One weight for each output cell, `taps` times over.
    pub(crate) weight: Vec<f32>,
    /// The same taps in a faster form. Only for rows of at most 256 values and cells of at most three taps; otherwise empty.
    narrow: Vec<Narrow>,
}

/// The taps of one output cell, with byte indices, which need no bounds check.
#[derive(Debug, Clone, Copy)]
struct Narrow {
    index: [u8; 3],
    weight: [f32; 3],
}

impl AreaTaps {
    /// The taps that shrink `source` cells to `target` cells, `source >= target > 0`, each of `channels` values.
    pub(crate) fn new(source: usize, target: usize, channels: usize) -> Self {
        let cells: Vec<Vec<(usize, f32)>> = (0..target).map(|cell| cover(source, target, cell)).collect();
        let taps = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut index = Vec::with_capacity(taps * target * channels);
        let mut weight = Vec::with_capacity(taps * target * channels);
        for tap in 0..taps {
            for cell in &cells {
                // A weight of zero adds +0.0 to a sum that is never negative: it changes no bit.
                let (at, factor) = cell.get(tap).copied().unwrap_or((cell[0].0, 0.0));
                for channel in 0..channels {
                    index.push((at * channels + channel) as u32);
                    weight.push(factor);
                }
            }
        }
        let narrow = narrow(source * channels, taps, target * channels, &index, &weight);
        Self {
            taps,
            index,
            weight,
            narrow,
        }
    }
}

impl AreaTaps {
    /// The source cell of a tap as a range, which is empty if its weight is zero.
    pub(crate) fn source(&self, at: usize) -> std::ops::Range<usize> {
        let index = self.index[at] as usize;
        index..index + usize::from(self.weight[at] != 0.0)
    }
}

/// The narrow form of an axis, if it has one.
fn narrow(source: usize, taps: usize, cells: usize, index: &[u32], weight: &[f32]) -> Vec<Narrow> {
    if source > 256 || taps > 3 {
        return Vec::new();
    }
    let at = |cell: usize, tap: usize| (tap < taps).then_some(tap * cells + cell);
    (0..cells)
        .map(|cell| Narrow {
            index: [0, 1, 2].map(|tap| at(cell, tap).map_or(0, |at| index[at] as u8)),
            weight: [0, 1, 2].map(|tap| at(cell, tap).map_or(0.0, |at| weight[at])),
        })
        .collect()
}

/// The source cells that output cell `cell` covers, with their weights, in order.
fn cover(source: usize, target: usize, cell: usize) -> Vec<(usize, f32)> {
    const NEGLIGIBLE: f64 = 1e-3;
    let scale = source as f64 / target as f64;
    let from = cell as f64 * scale;
    let to = from + scale;
    let width = scale.min(source as f64 - from);
    let last = (to.floor() as usize).min(source - 1);
    let first = (from.ceil() as usize).min(last);
    let mut taps = Vec::new();
    if first as f64 - from > NEGLIGIBLE {
        taps.push((first - 1, ((first as f64 - from) / width) as f32));
    }
    taps.extend((first..last).map(|at| (at, (1.0 / width) as f32)));
    if to - last as f64 > NEGLIGIBLE {
        taps.push((last, ((to - last as f64).min(1.0).min(width) / width) as f32));
    }
    taps
}

/// Squeezes one row: every output cell is the sum of its taps, from left to right.
pub(crate) fn squeeze_row(axis: &AreaTaps, row: &[u8], out: &mut [f32]) {
    if axis.narrow.is_empty() {
        squeeze_wide_row(axis, row, out);
        return;
    }
    let mut values = [0.0; 256];
    for (value, byte) in values.iter_mut().zip(row) {
        *value = f32::from(*byte);
    }
    for (sum, Narrow { index, weight }) in out.iter_mut().zip(&axis.narrow) {
        let [first, second, third] = [0, 1, 2].map(|tap| values[index[tap] as usize] * weight[tap]);
        *sum = first + second + third;
    }
}

/// Squeezes a row of any width: one tap of all cells, then the next.
fn squeeze_wide_row(axis: &AreaTaps, row: &[u8], out: &mut [f32]) {
    let len = out.len();
    out.fill(0.0);
    for tap in 0..axis.taps {
        let index = &axis.index[tap * len..][..len];
        let weight = &axis.weight[tap * len..][..len];
        for ((sum, at), factor) in out.iter_mut().zip(index).zip(weight) {
            *sum += f32::from(row[*at as usize]) * factor;
        }
    }
}

/// Starts an output row with a squeezed row times its weight.
pub(crate) fn start_row(row: &[f32], factor: f32, sums: &mut [f32]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum = value * factor;
    }
}

/// Adds a squeezed row times its weight to an output row.
pub(crate) fn add_row(row: &[f32], factor: f32, sums: &mut [f32]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += value * factor;
    }
}

/// Rounds the sums of an output row half to even.
pub(crate) fn round_row(sums: &[f32], out: &mut [u8]) {
    /// 1.5 * 2^23. Adding it puts the rounded integer into the low bits of the float.
    const MAGIC: f32 = 12_582_912.0;
    for (byte, sum) in out.iter_mut().zip(sums) {
        *byte = (sum + MAGIC).to_bits() as u8;
    }
}

/// A shrink of `across` x `down` source cells to one, which OpenCV computes with integers.
pub(crate) struct Blocks {
    pub(crate) across: usize,
    pub(crate) down: usize,
}

impl Blocks {
    /// Computes one output row from `down` source rows, which are contiguous in `rows`.
    pub(crate) fn shrink(&self, rows: &[u8], stride: usize, channels: usize, out: &mut [u8]) {
        let area = (self.across * self.down) as f32;
        for (at, byte) in out.iter_mut().enumerate() {
            let (cell, channel) = (at / channels, at % channels);
            let sum: u32 = (0..self.down)
                .flat_map(|y| (0..self.across).map(move |x| y * stride + (cell * self.across + x) * channels + channel))
                .map(|from| u32::from(rows[from]))
                .sum();
            *byte = if self.across == 2 && self.down == 2 {
                ((sum + 2) >> 2) as u8
            } else {
                (sum as f32 * (1.0 / area)).round_ties_even() as u8
            };
        }
    }
}
