//! Frame recordings.
//!
//! A [`FrameRecording`] holds the TIA writes of one frame with their colour clocks, and the beam at the frame's start.
//! Replaying it reproduces the frame's pixels, so a skipped frame can still be drawn when a caller asks for it.
//!
//! Invariant: a replay depends on the recording alone, and two replays give the same bytes. Only frames that drew every
//! line of the window are recorded; the picture of any other frame has rows of an older one in it.

use super::beam::Beam;
use super::canvas::Canvas;
use super::log::{Log, Writes};

/// Capacity for writes grows in multiples of this.
const CAPACITY_STEP: usize = 256;

/// A completely drawn frame, as the writes that drew it.
#[derive(Debug)]
pub(super) struct FrameRecording {
    /// The beam at the frame's start.
    start: Beam,
    /// The colour clock that the clocks of the entries are relative to.
    base: i32,
    /// The writes, packed as in [`Log`].
    entries: Vec<u32>,
}

impl Clone for FrameRecording {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            ..*self
        }
    }

    /// Copies `source` without allocating where the entries fit.
    fn clone_from(&mut self, source: &Self) {
        self.set(&source.start, source.writes());
    }
}

impl FrameRecording {
    /// A frame without writes. Allocates nothing.
    pub(super) fn empty(start: &Beam) -> Self {
        Self {
            start: *start,
            base: 0,
            entries: Vec::new(),
        }
    }

    /// Records the frame that began with the beam at `start` and whose writes are in `log`.
    pub(super) fn record(&mut self, start: &Beam, log: &Log) {
        self.set(start, log.writes());
    }

    fn set(&mut self, start: &Beam, Writes { base, entries }: Writes<'_>) {
        (self.start, self.base) = (*start, base);
        self.entries.clear();
        if self.entries.capacity() < entries.len() {
            self.entries
                .reserve_exact(entries.len().next_multiple_of(CAPACITY_STEP));
        }
        self.entries.extend_from_slice(entries);
    }

    /// Draws the frame onto `canvas`, which covers the whole window.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        replay(self.writes(), self.start, self.start.window_end(), canvas);
    }

    /// Bytes that the recording takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<u32>() * self.entries.capacity()
    }

    fn writes(&self) -> Writes<'_> {
        Writes {
            base: self.base,
            entries: &self.entries,
        }
    }
}

/// Draws the pixels of a log, from the beam at its beginning up to the colour clock `end`.
pub(super) fn replay(writes: Writes<'_>, mut beam: Beam, end: i32, canvas: &mut Canvas<'_>) {
    beam.play::<true, false>(writes, canvas);
    beam.draw_to::<true, false>(end, canvas);
}
