//! A resize of one fixed geometry, with its tables and its scratch rows.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Source, area, linear};

/// Which of OpenCV's interpolations resizes a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Interpolation {
    /// `INTER_AREA`: the mean of the area that an output cell covers. It only shrinks.
    Area,
    /// `INTER_LINEAR`: OpenCV's default, in 11-bit fixed point.
    Linear,
}

/// Why a resize is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ResizeError {
    /// A side of zero pixels.
    #[error("a picture of {width} x {height} has no pixels")]
    Empty {
        /// Width asked for.
        width: usize,
        /// Height asked for.
        height: usize,
    },
    /// The area interpolation cannot enlarge.
    #[error("interpolation \"area\" only shrinks: {from_width} x {from_height} cannot become {width} x {height}")]
    Enlarges {
        /// Width of the source.
        from_width: usize,
        /// Height of the source.
        from_height: usize,
        /// Width asked for.
        width: usize,
        /// Height asked for.
        height: usize,
    },
}

/// Width and height of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

enum Method {
    Copy,
    Area {
        across: area::Axis,
        down: area::Axis,
        squeezed: Vec<f32>,
        sums: Vec<f32>,
    },
    Blocks {
        blocks: area::Blocks,
        rows: Vec<u8>,
    },
    Linear {
        across: linear::Axis,
        down: linear::Axis,
        squeezed: Vec<i32>,
    },
}

/// Resizes pictures of one size to another; makes its tables once and allocates nothing later.
pub struct Resizer {
    to: Geometry,
    channels: usize,
    method: Method,
    /// One source row as bytes.
    row: Vec<u8>,
    /// For each source row, the row whose squeezed form it shares.
    slots: Vec<usize>,
}

impl Resizer {
    /// A resize of `from` (width, height) to `to`, of `channels` bytes a pixel.
    ///
    /// # Errors
    /// [`ResizeError`] if a side is zero, or if an area resize would enlarge.
    pub fn new(
        from: (usize, usize),
        to: (usize, usize),
        channels: usize,
        interpolation: Interpolation,
    ) -> Result<Self, ResizeError> {
        let from = Geometry {
            width: from.0,
            height: from.1,
        };
        let to = Geometry {
            width: to.0,
            height: to.1,
        };
        for side in [from, to] {
            if side.width == 0 || side.height == 0 {
                return Err(ResizeError::Empty {
                    width: side.width,
                    height: side.height,
                });
            }
        }
        let method = if from == to {
            Method::Copy
        } else {
            match interpolation {
                Interpolation::Area => area_method(from, to, channels)?,
                Interpolation::Linear => Method::Linear {
                    across: linear::Axis::across(from.width, to.width),
                    down: linear::Axis::down(from.height, to.height),
                    squeezed: vec![0; from.height * to.width * channels],
                },
            }
        };
        Ok(Self {
            to,
            channels,
            method,
            row: vec![0; from.width * channels],
            slots: vec![0; from.height],
        })
    }

    /// Bytes of a resized picture.
    pub fn output_len(&self) -> usize {
        self.to.width * self.to.height * self.channels
    }

    /// Resizes a picture given as plain bytes.
    ///
    /// # Panics
    /// If `pixels` or `out` is shorter than a picture of the geometry given to [`Resizer::new`].
    pub fn resize(&mut self, pixels: &[u8], out: &mut [u8]) {
        self.run(&Source::Bytes { pixels }, out);
    }

    /// Resizes a picture in any form.
    pub(crate) fn run(&mut self, source: &Source<'_>, out: &mut [u8]) {
        let stride = self.to.width * self.channels;
        let row_len = self.row.len();
        match &mut self.method {
            Method::Copy => super::copy_rows(source, row_len, out),
            Method::Blocks { blocks, rows } => {
                for (y, line) in out.chunks_exact_mut(stride).take(self.to.height).enumerate() {
                    for (within, row) in rows.chunks_exact_mut(row_len).enumerate() {
                        source.fill(y * blocks.down + within, row);
                    }
                    blocks.shrink(rows, row_len, self.channels, line);
                }
            }
            Method::Area {
                across,
                down,
                squeezed,
                sums,
            } => {
                squeeze(
                    source,
                    &mut self.row,
                    &mut self.slots,
                    squeezed,
                    stride,
                    |row, squeezed| {
                        area::squeeze_row(across, row, squeezed);
                    },
                );
                let cells = self.to.height;
                for (y, line) in out.chunks_exact_mut(stride).take(cells).enumerate() {
                    for tap in 0..down.taps {
                        let slot = self.slots[down.index[tap * cells + y] as usize];
                        let row = &squeezed[slot * stride..][..stride];
                        let factor = down.weight[tap * cells + y];
                        if tap == 0 {
                            area::start_row(row, factor, sums);
                        } else if factor != 0.0 {
                            area::add_row(row, factor, sums);
                        }
                    }
                    area::round_row(sums, line);
                }
            }
            Method::Linear { across, down, squeezed } => {
                let channels = self.channels;
                squeeze(
                    source,
                    &mut self.row,
                    &mut self.slots,
                    squeezed,
                    stride,
                    |row, squeezed| {
                        linear::squeeze_row(across, channels, row, squeezed);
                    },
                );
                for (line, cell) in out.chunks_exact_mut(stride).zip(&down.cells) {
                    let first = &squeezed[self.slots[cell.first] * stride..][..stride];
                    let second = &squeezed[self.slots[cell.second] * stride..][..stride];
                    linear::join_rows(*cell, first, second, line);
                }
            }
        }
    }
}

/// Squeezes every row of the source once; rows that repeat share the squeezed row of the first of them.
fn squeeze<T>(
    source: &Source<'_>,
    row: &mut [u8],
    slots: &mut [usize],
    squeezed: &mut [T],
    stride: usize,
    squeeze_row: impl Fn(&[u8], &mut [T]),
) {
    for y in 0..slots.len() {
        if source.repeats(y, row.len()) {
            slots[y] = slots[y - 1];
        } else {
            slots[y] = y;
            source.fill(y, row);
            squeeze_row(row, &mut squeezed[y * stride..][..stride]);
        }
    }
}

fn area_method(from: Geometry, to: Geometry, channels: usize) -> Result<Method, ResizeError> {
    if to.width > from.width || to.height > from.height {
        return Err(ResizeError::Enlarges {
            from_width: from.width,
            from_height: from.height,
            width: to.width,
            height: to.height,
        });
    }
    if from.width.is_multiple_of(to.width) && from.height.is_multiple_of(to.height) {
        let blocks = area::Blocks {
            across: from.width / to.width,
            down: from.height / to.height,
        };
        let rows = vec![0; blocks.down * from.width * channels];
        return Ok(Method::Blocks { blocks, rows });
    }
    let stride = to.width * channels;
    Ok(Method::Area {
        across: area::Axis::new(from.width, to.width, channels),
        down: area::Axis::new(from.height, to.height, 1),
        squeezed: vec![0.0; from.height * stride],
        sums: vec![0.0; stride],
    })
}
