//! A frame that can be drawn again, because what was written in it is kept.

use super::beam::Beam;
use super::canvas::Canvas;
use super::latches;
use super::log::{Log, Writes};
use super::picture::play;
use super::stage::Stage;
use std::cell::RefCell;
use std::sync::Arc;

/// Frames without an owner that are kept for their room.
const MOST_SPARE: usize = 4;
/// Room for writes comes in multiples of this.
const ROOM: usize = 256;

thread_local! {
    /// Frames without an owner.
    static SPARE: RefCell<Vec<Arc<Frame>>> = const { RefCell::new(Vec::new()) };
}

/// A whole frame. Clones are the same frame.
#[derive(Clone, Debug)]
pub struct Still(Arc<Frame>);

#[derive(Clone, Debug)]
struct Frame {
    /// The beam at its start.
    start: Beam,
    /// The colour clock up to which it was played.
    end: i32,
    /// How many writes there were up to its last CXCLR.
    cleared: usize,
    /// What the clocks of the writes are counted from.
    base: i32,
    entries: Vec<u32>,
    /// The last rows of its picture, if it ended above them: those of older frames.
    below: Vec<u8>,
}

impl Still {
    /// Keeps what a log holds and the rows that are left from older frames, if possible in the room of `old`.
    pub(super) fn keep(start: &Beam, end: i32, cleared: usize, log: &Log, below: &[u8], old: Option<Self>) -> Self {
        let old = old.and_then(|mut old| Arc::get_mut(&mut old.0).is_some().then_some(old.0));
        let spare = old.or_else(|| SPARE.with_borrow_mut(Vec::pop));
        let mut frame = spare.unwrap_or_else(|| {
            Arc::new(Frame {
                start: *start,
                end,
                cleared,
                base: 0,
                entries: Vec::new(),
                below: Vec::new(),
            })
        });
        let kept = Arc::make_mut(&mut frame);
        let Writes { base, entries } = log.writes();
        (kept.start, kept.end, kept.cleared, kept.base) = (*start, end, cleared, base);
        kept.entries.clear();
        if kept.entries.capacity() < entries.len() {
            kept.entries.reserve_exact(entries.len().next_multiple_of(ROOM));
        }
        kept.entries.extend_from_slice(entries);
        kept.below.clear();
        kept.below.extend_from_slice(below);
        Self(frame)
    }

    /// Drops it, and keeps its room for another where nobody else has it.
    pub fn retire(mut self) {
        if Arc::get_mut(&mut self.0).is_some() {
            SPARE.with_borrow_mut(|spare| {
                if spare.len() < MOST_SPARE {
                    spare.push(self.0);
                }
            });
        }
    }

    /// Whether two are the same frame.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Draws it into `pixels`: a palette index a pixel, [`crate::WIDTH`] a row, as many rows of its console's picture as fit.
    pub fn draw(&self, pixels: &mut [u8]) {
        let mut stage = Stage::borrow(self.0.start.window_rows());
        let [picture, _] = &mut stage.pictures;
        self.draw_on(&mut picture.canvas());
        pixels.copy_from_slice(&picture.pixels[..pixels.len()]);
        stage.hand_back();
    }

    /// Draws it onto a canvas of its console's size.
    pub(super) fn draw_on(&self, canvas: &mut Canvas<'_>) {
        let Frame { start, ref below, .. } = *self.0;
        replay(self.writes(), start, start.window_end(), canvas);
        canvas.put_last(below);
    }

    /// What was written.
    pub(super) fn writes(&self) -> Writes<'_> {
        Writes {
            base: self.0.base,
            entries: &self.0.entries,
        }
    }

    /// The beam at its start, and the colour clock up to which it was played.
    pub(super) fn span(&self) -> (Beam, i32) {
        (self.0.start, self.0.end)
    }

    /// The same frame in room of its own.
    pub(super) fn copy(&self) -> Self {
        Self(Arc::new(Frame::clone(&self.0)))
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Frame>() + 4 * self.0.entries.capacity() + self.0.below.capacity()
    }

    /// How many writes there were up to its last CXCLR.
    pub(super) fn cleared(&self) -> usize {
        self.0.cleared
    }
}

/// Draws what a log holds, from the beam at its beginning up to a colour clock. Its latches are nobody's.
pub(super) fn replay(writes: Writes<'_>, mut beam: Beam, end: i32, canvas: &mut Canvas<'_>) {
    beam.seek(latches::NONE);
    play::<true, true>(&mut beam, writes, canvas);
    beam.draw_to::<true, true>(end, canvas);
    beam.stop(canvas);
}
