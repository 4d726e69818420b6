//! Room for the two pictures. Consoles of a thread that take turns need it but once, as long as each can draw its pictures again.

use super::canvas::{Canvas, Row};
use crate::WIDTH;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rooms that a thread keeps for whoever asks next: so many consoles can take turns without drawing over each other's pictures.
const MOST_IDLE: usize = 2;

thread_local! {
    /// Those that nobody holds.
    static IDLE: RefCell<Vec<Stage>> = const { RefCell::new(Vec::new()) };
}

/// The last stamp.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Two pictures to draw to.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// Given when it was handed back last, never twice: whoever has the same had it last.
    stamp: u64,
    pub(super) pictures: [Drawing; 2],
}

/// A picture, row by row.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub(super) pixels: Box<[u8]>,
    /// What each row of pixels holds.
    pub(super) rows: Box<[Row]>,
    /// Of each row that has not been written since.
    signatures: Box<[u64]>,
    /// Nobody has drawn since they were made.
    signed: bool,
}

impl Stage {
    /// Takes one of pictures of `height` rows that hold anything: that with this stamp, if nobody has taken it since.
    pub(super) fn take(height: usize, stamp: u64) -> Self {
        Self::idle(height, |idle| {
            let known = idle.iter().position(|stage| stage.stamp == stamp);
            known.or((idle.len() == MOST_IDLE).then_some(0))
        })
    }

    /// Takes one for a moment.
    pub(super) fn borrow(height: usize) -> Self {
        Self::idle(height, |_| Some(0))
    }

    /// Takes the idle one that is chosen, if it is of that height, or else a new one.
    fn idle(height: usize, choose: impl FnOnce(&[Self]) -> Option<usize>) -> Self {
        let idle = IDLE.with_borrow_mut(|idle| {
            let chosen = choose(idle)?;
            let fits = idle.get(chosen)?.pictures[0].rows.len() == height;
            fits.then(|| idle.remove(chosen))
        });
        idle.unwrap_or_else(|| Self {
            stamp: 0,
            pictures: [Drawing::black(height), Drawing::black(height)],
        })
    }

    /// Hands it back, and gives the stamp by which it can be known again.
    pub(super) fn hand_back(mut self) -> u64 {
        let stamp = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.stamp = stamp;
        IDLE.with_borrow_mut(|idle| {
            if idle.len() == MOST_IDLE {
                idle.remove(0);
            }
            idle.push(self);
        });
        stamp
    }

    /// The stamp of when it was handed back last.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }
}

impl Drawing {
    fn black(height: usize) -> Self {
        Self {
            pixels: vec![0; WIDTH * height].into(),
            rows: vec![Row::BLACK; height].into(),
            signatures: vec![0; height].into(),
            signed: false,
        }
    }

    /// Blackens all of it.
    pub(super) fn blacken(&mut self) {
        self.pixels.fill(0);
        self.rows.fill(Row::BLACK);
        self.signed = false;
    }

    /// The pixels, which become any.
    pub(super) fn forget(&mut self) -> &mut [u8] {
        self.rows.fill(Row::UNKNOWN);
        self.signed = false;
        &mut self.pixels
    }

    /// Makes the signatures of the rows that have been written.
    pub(super) fn sign(&mut self) {
        if std::mem::replace(&mut self.signed, true) {
            return;
        }
        let rows = self.rows.iter_mut().zip(self.pixels.as_chunks().0);
        for ((row, pixels), signed) in rows.zip(&mut self.signatures) {
            if std::mem::take(&mut row.written) {
                *signed = row.sign(pixels);
            }
        }
    }

    /// What [`Drawing::sign`] has made.
    pub(super) fn signatures(&self) -> &[u64] {
        &self.signatures
    }

    pub(super) fn canvas(&mut self) -> Canvas<'_> {
        self.signed = false;
        Canvas {
            pixels: &mut self.pixels,
            rows: &mut self.rows,
        }
    }
}
