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

/// Pixels of a side at most.
const MOST_SIDE: usize = 65_535;
/// Bytes of a pixel at most.
const MOST_CHANNELS: usize = 4;

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
    /// A side of too many pixels.
    #[error("a picture of {width} x {height}: a side has {MOST_SIDE} pixels at most")]
    TooLarge {
        /// Width asked for.
        width: usize,
        /// Height asked for.
        height: usize,
    },
    /// Pixels without bytes, or of too many.
    #[error("a pixel has 1 to {MOST_CHANNELS} bytes, not {channels}")]
    Channels {
        /// Bytes asked for.
        channels: usize,
    },
    /// A buffer that is shorter than its picture.
    #[error("a picture of {needed} bytes, and a buffer of {given}")]
    Length {
        /// Bytes of the buffer.
        given: usize,
        /// Bytes of the picture.
        needed: usize,
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
    /// [`ResizeError`] for a side of zero or of more than 65,535 pixels, and for pixels of more than four bytes, or of none.
    pub fn new(
        from: (usize, usize),
        to: (usize, usize),
        channels: usize,
        interpolation: Interpolation,
    ) -> Result<Self, ResizeError> {
        let [from, to] = [from, to].map(|(width, height)| Size { width, height });
        for side in [from, to] {
            let Size { width, height } = side;
            if width == 0 || height == 0 {
                return Err(ResizeError::Empty { width, height });
            }
            if width > MOST_SIDE || height > MOST_SIDE {
                return Err(ResizeError::TooLarge { width, height });
            }
        }
        if channels == 0 || channels > MOST_CHANNELS {
            return Err(ResizeError::Channels { channels });
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
    /// # Errors
    /// [`ResizeError::Length`] if `pixels` or `out` is shorter than a picture of the size given to [`Resizer::new`].
    pub fn resize(&self, pixels: &[u8], out: &mut [u8]) -> Result<(), ResizeError> {
        for (given, size) in [(pixels.len(), self.from), (out.len(), self.to)] {
            let needed = size.width * size.height * self.channels;
            if given < needed {
                return Err(ResizeError::Length { given, needed });
            }
        }
        self.run(&Source::Bytes { pixels }, &RowSet::ALL, out);
        Ok(())
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
