//! Resizes. The tables and scratch rows of a resize are kept once for each thread, and shared by all equal resizers.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Source;
use super::changes::RowSet;
use super::tables::Tables;

/// Resizes whose tables a thread keeps. One more clears them.
const MOST_TABLES: usize = 8;

thread_local! {
    /// The tables made by this thread.
    static TABLES: RefCell<Vec<(Resizer, Tables)>> = const { RefCell::new(Vec::new()) };
}

/// Which of OpenCV's interpolations resizes a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
pub(super) struct Geometry {
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Resizes pictures of one size to another. A thread's first resize of a kind allocates its tables, later ones nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resizer {
    pub(super) from: Geometry,
    pub(super) to: Geometry,
    pub(super) channels: usize,
    pub(super) interpolation: Interpolation,
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
        let [from, to] = [from, to].map(|(width, height)| Geometry { width, height });
        for side in [from, to] {
            if side.width == 0 || side.height == 0 {
                return Err(ResizeError::Empty {
                    width: side.width,
                    height: side.height,
                });
            }
        }
        if interpolation == Interpolation::Area && (to.width > from.width || to.height > from.height) {
            return Err(ResizeError::Enlarges {
                from_width: from.width,
                from_height: from.height,
                width: to.width,
                height: to.height,
            });
        }
        Ok(Self {
            from,
            to,
            channels,
            interpolation,
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
    pub fn resize(&self, pixels: &[u8], out: &mut [u8]) {
        self.run(&Source::Bytes { pixels }, &RowSet::ALL, out);
    }

    /// Resizes a picture into `out`, which holds an earlier picture resized. Only output rows that depend on a row in
    /// `changed` are written.
    pub(crate) fn run(&self, source: &Source<'_>, changed: &RowSet, out: &mut [u8]) {
        TABLES.with_borrow_mut(|tables| {
            let known = tables.iter().position(|(resizer, _)| resizer == self);
            let at = known.unwrap_or_else(|| {
                if tables.len() == MOST_TABLES {
                    tables.clear();
                }
                tables.push((*self, Tables::of(self)));
                tables.len() - 1
            });
            tables[at].1.run(source, changed, out);
        });
    }
}
