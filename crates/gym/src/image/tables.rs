//! What a resize of one geometry needs: its tables and its scratch rows.

use super::fixed::{self, Fixed};
use super::resizer::{Geometry, Interpolation, Resizer};
use super::rows::{RowCache, RowSet};
use super::{Source, area, linear};

/// What is known of the rows of a picture.
pub(crate) struct Rows<'a> {
    /// Those that may look otherwise than in the picture before.
    pub(crate) changed: RowSet,
    /// A number for each, the same only for rows that look the same.
    pub(crate) signatures: Option<&'a [u64]>,
}

impl Rows<'_> {
    /// Nothing.
    pub(crate) const ANY: Self = Self {
        changed: RowSet::ALL,
        signatures: None,
    };

    /// Whether row `y` looks exactly like the row above it; `len` is the length of a filled row of `source`.
    fn repeats(&self, y: usize, source: &Source<'_>, len: usize) -> bool {
        let alike = |rows: &[u64]| y > 0 && rows[y] == rows[y - 1];
        self.signatures.is_some_and(alike) || source.repeats(y, len)
    }
}

enum Method {
    Copy,
    Fixed {
        fixed: Box<Fixed>,
        rows: RowCache<u8>,
    },
    Area {
        across: area::Axis,
        down: area::Axis,
        rows: RowCache<f32>,
        sums: Vec<f32>,
    },
    Blocks {
        blocks: area::Blocks,
        rows: Vec<u8>,
    },
    Linear {
        across: linear::Axis,
        down: linear::Axis,
        rows: RowCache<i32>,
    },
}

/// The tables and scratch rows of a resize.
pub(super) struct Tables {
    to: Geometry,
    channels: usize,
    method: Method,
    /// One source row as bytes.
    row: Vec<u8>,
}

impl Tables {
    /// Those of `resizer`.
    pub(super) fn of(resizer: &Resizer) -> Self {
        let Resizer {
            from,
            to,
            channels,
            interpolation,
        } = *resizer;
        let method = if from == to {
            Method::Copy
        } else {
            match interpolation {
                Interpolation::Area => area_method(from, to, channels),
                Interpolation::Linear => Method::Linear {
                    across: linear::Axis::across(from.width, to.width),
                    down: linear::Axis::down(from.height, to.height),
                    rows: RowCache::new(2, to.width * channels),
                },
            }
        };
        Self {
            to,
            channels,
            method,
            row: vec![0; from.width * channels],
        }
    }

    /// Resizes a picture in any form into `out`, which shows an earlier picture resized unless all rows have changed: those that
    /// have not look as they did then.
    pub(super) fn run(&mut self, source: &Source<'_>, about: &Rows<'_>, out: &mut [u8]) {
        let changed = about.changed;
        let stride = self.to.width * self.channels;
        let height = self.to.height;
        let row = &mut self.row;
        let width = row.len();
        let lines = out.chunks_exact_mut(stride).take(height).enumerate();
        match &mut self.method {
            Method::Copy => super::copy_rows(source, width, out),
            Method::Blocks { blocks, rows } => {
                for (y, line) in lines {
                    if !changed.meets(y * blocks.down..(y + 1) * blocks.down) {
                        continue;
                    }
                    for (within, row) in rows.chunks_exact_mut(width).enumerate() {
                        source.fill(y * blocks.down + within, row);
                    }
                    blocks.shrink(rows, width, self.channels, line);
                }
            }
            Method::Fixed { fixed, rows } => {
                rows.clear();
                for y in 0..height {
                    let needed = fixed.rows(y);
                    if !changed.meets(needed.clone()) {
                        continue;
                    }
                    for y in needed {
                        rows.ready(
                            y,
                            || about.repeats(y, source, width),
                            |quarters| {
                                source.fill(y, row);
                                fixed::interleave(row, quarters);
                            },
                        );
                    }
                    match fixed.like(y) {
                        Some(like) if rows.same_since(fixed.rows(like).start) => {
                            out.copy_within(like * stride..(like + 1) * stride, y * stride);
                        }
                        _ => fixed.shrink(y, |y| rows.row(y), &mut out[y * stride..(y + 1) * stride]),
                    }
                }
            }
            Method::Area {
                across,
                down,
                rows,
                sums,
            } => {
                rows.clear();
                for (y, line) in lines {
                    let taps = || (0..down.taps).map(|tap| tap * height + y);
                    if !taps().any(|at| changed.meets(down.source(at))) {
                        continue;
                    }
                    for (tap, at) in taps().enumerate() {
                        let (from, factor) = (down.index[at] as usize, down.weight[at]);
                        if tap != 0 && factor == 0.0 {
                            continue;
                        }
                        rows.ready(
                            from,
                            || about.repeats(from, source, width),
                            |squeezed| {
                                source.fill(from, row);
                                area::squeeze_row(across, row, squeezed);
                            },
                        );
                        if tap == 0 {
                            area::start_row(rows.row(from), factor, sums);
                        } else {
                            area::add_row(rows.row(from), factor, sums);
                        }
                    }
                    area::round_row(sums, line);
                }
            }
            Method::Linear { across, down, rows } => {
                rows.clear();
                let channels = self.channels;
                for ((_, line), cell) in lines.zip(&down.cells) {
                    if !changed.meets(cell.first..cell.second + 1) {
                        continue;
                    }
                    for from in [cell.first, cell.second] {
                        rows.ready(
                            from,
                            || about.repeats(from, source, width),
                            |squeezed| {
                                source.fill(from, row);
                                linear::squeeze_row(across, channels, row, squeezed);
                            },
                        );
                    }
                    linear::join_rows(*cell, rows.row(cell.first), rows.row(cell.second), line);
                }
            }
        }
    }
}

fn area_method(from: Geometry, to: Geometry, channels: usize) -> Method {
    if from.width.is_multiple_of(to.width) && from.height.is_multiple_of(to.height) {
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
        across: area::Axis::new(from.width, to.width, channels),
        down: area::Axis::new(from.height, to.height, 1),
        // An output row shares its last source row with the next one.
        rows: RowCache::new(2, stride),
        sums: vec![0.0; stride],
    }
}
