//! Resizes. The tables and scratch rows of a resize are kept once for each thread, and shared by all equal resizers.

use std::cell::RefCell;

use thiserror::Error;

use super::Source;
use super::changes::RowSet;
use super::interpolation::{Interpolation, Size};
use super::tables::Tables;

/// The most tables that a thread keeps. When it has as many, the next new one clears them.
const MOST_TABLES: usize = 8;

thread_local! {
    /// The tables made by this thread.
    static TABLES: RefCell<Vec<(Resizer, Tables)>> = const { RefCell::new(Vec::new()) };
}

/// Why a resize is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResizeError {
    /// A side of zero pixels.
    #[error("a picture of {width} x {height} has no pixels")]
    Empty {
        /// Width asked for.
        width: usize,
        /// Height asked for.
        height: usize,
    },
}

/// Resizes pictures of one size to another. A thread's first resize of a kind allocates its tables, later ones nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resizer {
    from: Size,
    to: Size,
    channels: usize,
    interpolation: Interpolation,
}

impl Resizer {
    /// A resize of `from` (width, height) to `to`, of `channels` bytes a pixel.
    ///
    /// # Errors
    /// [`ResizeError`] if a side is zero.
    pub fn new(
        from: (usize, usize),
        to: (usize, usize),
        channels: usize,
        interpolation: Interpolation,
    ) -> Result<Self, ResizeError> {
        let [from, to] = [from, to].map(|(width, height)| Size { width, height });
        for side in [from, to] {
            if side.width == 0 || side.height == 0 {
                return Err(ResizeError::Empty {
                    width: side.width,
                    height: side.height,
                });
            }
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
    /// If `pixels` or `out` is shorter than a picture of the size given to [`Resizer::new`].
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
                let made = Tables::new(self.from, self.to, self.channels, self.interpolation);
                tables.push((*self, made));
                tables.len() - 1
            });
            tables[at].1.run(source, changed, out);
        });
    }
}
