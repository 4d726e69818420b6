//! OpenCV's `INTER_LINEAR` for bytes: 11-bit fixed point along both axes. `INTER_AREA` is the same with other weights where it enlarges.

/// Fraction bits of a weight.
const BITS: u32 = 11;

/// The pair of source cells of every output cell along one axis, with their weights in 2048ths.
#[derive(Debug, Clone)]
pub(crate) struct LinearTaps {
    pub(crate) cells: Vec<LinearCell>,
}

/// One output cell: `first * near + second * far`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinearCell {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) near: i32,
    pub(crate) far: i32,
}

/// Where the output cells of a resize lie between the source cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placing {
    /// `INTER_LINEAR`: by the centres of the cells.
    Centres,
    /// `INTER_AREA` if it enlarges a side: an output cell within a source cell takes its value, and one across a border a mixture.
    Areas,
}

impl Placing {
    /// The source cell of an output cell, and how far it lies on the way to the next one. A source cell makes `growth` output cells.
    fn place(self, cell: usize, growth: f64) -> (isize, f32) {
        // OpenCV's order of divisions, which decides on which side of a border some cells fall.
        let scale = 1.0 / growth;
        match self {
            Self::Centres => {
                let centre = ((cell as f64 + 0.5) * scale - 0.5) as f32;
                (centre.floor() as isize, centre - centre.floor())
            }
            Self::Areas => {
                let at = (cell as f64 * scale).floor();
                let beyond = ((cell + 1) as f64 - (at + 1.0) * growth) as f32;
                let fraction = if beyond <= 0.0 { 0.0 } else { beyond - beyond.floor() };
                (at as isize, fraction)
            }
        }
    }
}

impl LinearTaps {
    /// The cells along x. Beyond the border OpenCV puts the whole weight on the border cell.
    pub(crate) fn across(source: usize, target: usize, placing: Placing) -> Self {
        let last = source as isize - 1;
        Self::new(source, target, placing, |at, fraction| match at {
            ..0 => (0, 0.0),
            _ if at >= last => (last, 0.0),
            _ => (at, fraction),
        })
    }

    /// The cells along y. Beyond the border OpenCV keeps the weights and repeats the border row.
    pub(crate) fn down(source: usize, target: usize, placing: Placing) -> Self {
        Self::new(source, target, placing, |at, fraction| (at, fraction))
    }

    fn new(source: usize, target: usize, placing: Placing, border: impl Fn(isize, f32) -> (isize, f32)) -> Self {
        let growth = target as f64 / source as f64;
        let clamp = |at: isize| at.clamp(0, source as isize - 1) as usize;
        let cell = |cell: usize| {
            let (at, fraction) = placing.place(cell, growth);
            let (at, fraction) = border(at, fraction);
            let weight = |part: f32| (part * (1 << BITS) as f32).round_ties_even() as i32;
            LinearCell {
                first: clamp(at),
                second: clamp(at + 1),
                near: weight(1.0 - fraction),
                far: weight(fraction),
            }
        };
        Self {
            cells: (0..target).map(cell).collect(),
        }
    }
}

/// Interpolates one row of `channels` bytes per pixel.
pub(crate) fn squeeze_row(axis: &LinearTaps, channels: usize, row: &[u8], out: &mut [i32]) {
    for (pixel, cell) in out.chunks_exact_mut(channels).zip(&axis.cells) {
        for (channel, value) in pixel.iter_mut().enumerate() {
            let first = i32::from(row[cell.first * channels + channel]);
            let second = i32::from(row[cell.second * channels + channel]);
            *value = first * cell.near + second * cell.far;
        }
    }
}

/// Joins two interpolated rows.
pub(crate) fn join_rows(cell: LinearCell, first: &[i32], second: &[i32], out: &mut [u8]) {
    for ((byte, a), b) in out.iter_mut().zip(first).zip(second) {
        *byte = ((((cell.near * (a >> 4)) >> 16) + ((cell.far * (b >> 4)) >> 16) + 2) >> 2) as u8;
    }
}
