//! The tables and scratch rows of a resize, and the resize itself.

use super::changes::RowSet;
use super::fixed::{self, Fixed};
use super::interpolation::{Interpolation, Size};
use super::linear::{LinearTaps, Placing};
use super::row_cache::RowCache;
use super::{Source, area, linear};

enum Method {
    Copy,
    Fixed {
        fixed: Box<Fixed>,
        rows: RowCache<u8>,
    },
    Area {
        across: area::AreaTaps,
        down: area::AreaTaps,
        rows: RowCache<f32>,
        sums: Vec<f32>,
    },
    Blocks {
        blocks: area::Blocks,
        rows: Vec<u8>,
    },
    Linear {
        across: LinearTaps,
        down: LinearTaps,
        rows: RowCache<i32>,
    },
}

/// The tables and scratch rows of a resize.
pub(super) struct Tables {
    to: Size,
    channels: usize,
    method: Method,
    /// Scratch for one source row.
    row: Vec<u8>,
}

impl Tables {
    /// The tables of a resize of `from` to `to`, of `channels` bytes a pixel.
    pub(super) fn new(from: Size, to: Size, channels: usize, interpolation: Interpolation) -> Self {
        let method = if from == to {
            Method::Copy
        } else {
            match interpolation {
                Interpolation::Area => area_method(from, to, channels),
                Interpolation::Linear => linear_method(from, to, channels, Placing::Centres),
            }
        };
        Self {
            to,
            channels,
            method,
            row: vec![0; from.width * channels],
        }
    }

    /// Resizes a picture into `out`. Only output rows that depend on a row in `changed` need to be
    /// written.
    pub(super) fn run(&mut self, source: &Source<'_>, changed: &RowSet, out: &mut [u8]) {
        let Self {
            to,
            channels,
            method,
            row,
        } = self;
        let resize = Resize {
            source,
            changed,
            row,
            channels: *channels,
            stride: to.width * *channels,
            height: to.height,
        };
        match method {
            Method::Copy => super::copy_rows(source, resize.row.len(), out),
            Method::Blocks { blocks, rows } => resize.blocks(blocks, rows, out),
            Method::Fixed { fixed, rows } => resize.fixed(fixed, rows, out),
            Method::Area {
                across,
                down,
                rows,
                sums,
            } => resize.area([across, down], rows, sums, out),
            Method::Linear { across, down, rows } => resize.linear([across, down], rows, out),
        }
    }
}

/// One picture's resize, by any method.
struct Resize<'a> {
    source: &'a Source<'a>,
    changed: &'a RowSet,
    /// Scratch for one source row.
    row: &'a mut [u8],
    channels: usize,
    /// Bytes of an output row.
    stride: usize,
    /// Output rows.
    height: usize,
}

impl Resize<'_> {
    /// The rows of `out`, numbered.
    fn lines<'b>(&self, out: &'b mut [u8]) -> impl Iterator<Item = (usize, &'b mut [u8])> + use<'b> {
        out.chunks_exact_mut(self.stride).take(self.height).enumerate()
    }

    fn blocks(self, blocks: &area::Blocks, rows: &mut [u8], out: &mut [u8]) {
        let width = self.row.len();
        for (y, line) in self.lines(out) {
            if !self.changed.meets(y * blocks.down..(y + 1) * blocks.down) {
                continue;
            }
            for (within, row) in rows.chunks_exact_mut(width).enumerate() {
                self.source.fill(y * blocks.down + within, row);
            }
            blocks.shrink(rows, width, self.channels, line);
        }
    }

    fn fixed(self, fixed: &mut Fixed, rows: &mut RowCache<u8>, out: &mut [u8]) {
        let width = self.row.len();
        rows.clear();
        for (y, line) in self.lines(out) {
            let needed = fixed.rows(y);
            if !self.changed.meets(needed.clone()) {
                continue;
            }
            for from in needed {
                let repeats = || self.source.repeats(from, width);
                rows.prepare(from, repeats, |quarters| {
                    self.source.fill(from, self.row);
                    fixed::interleave(self.row, quarters);
                });
            }
            fixed.shrink(y, |y| rows.row(y), line);
        }
    }

    fn area(self, [across, down]: [&area::AreaTaps; 2], rows: &mut RowCache<f32>, sums: &mut [f32], out: &mut [u8]) {
        let width = self.row.len();
        rows.clear();
        for (y, line) in self.lines(out) {
            let taps = || (0..down.taps).map(|tap| tap * self.height + y);
            if !taps().any(|at| self.changed.meets(down.source(at))) {
                continue;
            }
            for (tap, at) in taps().enumerate() {
                let (from, factor) = (down.index[at] as usize, down.weight[at]);
                if tap != 0 && factor == 0.0 {
                    continue;
                }
                let repeats = || self.source.repeats(from, width);
                rows.prepare(from, repeats, |squeezed| {
                    self.source.fill(from, self.row);
                    area::squeeze_row(across, self.row, squeezed);
                });
                if tap == 0 {
                    area::start_row(rows.row(from), factor, sums);
                } else {
                    area::add_row(rows.row(from), factor, sums);
                }
            }
            area::round_row(sums, line);
        }
    }

    fn linear(self, [across, down]: [&LinearTaps; 2], rows: &mut RowCache<i32>, out: &mut [u8]) {
        let width = self.row.len();
        rows.clear();
        for ((_, line), cell) in self.lines(out).zip(&down.cells) {
            if !self.changed.meets(cell.first..cell.second + 1) {
                continue;
            }
            for from in [cell.first, cell.second] {
                let repeats = || self.source.repeats(from, width);
                rows.prepare(from, repeats, |squeezed| {
                    self.source.fill(from, self.row);
                    linear::squeeze_row(across, self.channels, self.row, squeezed);
                });
            }
            linear::join_rows(*cell, rows.row(cell.first), rows.row(cell.second), line);
        }
    }
}

fn linear_method(from: Size, to: Size, channels: usize, placing: Placing) -> Method {
    Method::Linear {
        across: LinearTaps::across(from.width, to.width, placing),
        down: LinearTaps::down(from.height, to.height, placing),
        rows: RowCache::new(2, to.width * channels),
    }
}

/// Whether OpenCV takes a factor for whole. It computes the factor as the reciprocal of its reciprocal, which has to be exact: 210 to 1
/// is not whole.
fn is_whole(from: usize, to: usize) -> bool {
    from.is_multiple_of(to) && (1.0 / (to as f64 / from as f64) - (from / to) as f64).abs() < f64::EPSILON
}

fn area_method(from: Size, to: Size, channels: usize) -> Method {
    if to.width > from.width || to.height > from.height {
        return linear_method(from, to, channels, Placing::Areas);
    }
    if is_whole(from.width, to.width) && is_whole(from.height, to.height) {
        let blocks = area::Blocks {
            across: from.width / to.width,
            down: from.height / to.height,
        };
        let rows = vec![0; blocks.down * from.width * channels];
        return Method::Blocks { blocks, rows };
    }
    if channels == 1
        && let Some(fixed) = Fixed::new((from.width, from.height), (to.width, to.height))
    {
        return Method::Fixed {
            fixed: Box::new(fixed),
            rows: RowCache::new(3, fixed::row_len(from.width)),
        };
    }
    let stride = to.width * channels;
    Method::Area {
        across: area::AreaTaps::new(from.width, to.width, channels),
        down: area::AreaTaps::new(from.height, to.height, 1),
        // An output row shares its last source row with the next one.
        rows: RowCache::new(2, stride),
        sums: vec![0.0; stride],
    }
}
