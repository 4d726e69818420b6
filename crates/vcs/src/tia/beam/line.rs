//! The beam's place: the present line, and how much of it is drawn.

use super::Window;
use crate::WIDTH;
use crate::state::fields;

/// Colour clocks of a line.
pub(crate) const LINE: i32 = 228;
/// Colour clocks of the horizontal blank, before pixel 0.
pub(super) const HBLANK: i32 = LINE - WIDTH as i32;

/// The present line, and the beam's place in it.
///
/// Invariant: the beam is in the line or at its end. Pixels left of the beam are drawn or wait; those right of it are neither.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The beam's colour clock: nothing before it can change.
    pub(super) clock: i32,
    /// Colour clock up to which the pixels are drawn, at least the first pixel's. The pixels from here to `clock` wait, and the masks
    /// hold what covers them.
    pub(super) drawn: i32,
    /// Colour clock at which the line ends.
    pub(super) end: i32,
    /// The line's row in the picture.
    pub(super) row: usize,
}

fields!(Line { clock, end, row });

impl Line {
    /// The line that begins at colour clock `start` and is the first row, with the beam at its start.
    pub(super) fn first(start: i32) -> Self {
        Self {
            clock: start,
            drawn: start + HBLANK,
            end: start + LINE,
            row: 0,
        }
    }

    /// Colour clock at which the line began.
    #[inline(always)]
    pub(super) fn start(&self) -> i32 {
        self.end - LINE
    }

    /// Colour clock of pixel 0.
    #[inline(always)]
    pub(super) fn left(&self) -> i32 {
        self.end - WIDTH as i32
    }

    /// Whether pixels wait to be drawn.
    #[inline(always)]
    pub(super) fn waits(&self) -> bool {
        self.clock > self.drawn
    }

    /// Goes on to the next line, of which nothing is drawn. The beam stays where it is.
    #[inline(always)]
    pub(super) fn next(&mut self) {
        self.end += LINE;
        self.row += 1;
        self.drawn = self.left();
    }

    /// Sets all clocks forward.
    #[inline(always)]
    pub(super) fn add_clocks(&mut self, clocks: i32) {
        self.clock += clocks;
        self.drawn += clocks;
        self.end += clocks;
    }

    /// Counts the pixels left of the beam as drawn.
    pub(super) fn forget_waiting(&mut self) {
        self.drawn = self.clock.max(self.left());
    }

    /// Whether a beam in this window can be here.
    pub(super) fn is_valid(&self, window: Window) -> bool {
        // A reset within a frame leaves the beam at the frame's start, from where it counts rows.
        let Window {
            frame_start,
            start,
            end,
        } = window;
        let lines = (self.row as i64 + 1) * i64::from(LINE);
        let is_row = |first: i32| i64::from(self.end) - i64::from(first) == lines;
        self.end <= end && (is_row(start) || is_row(frame_start)) && (self.start()..=self.end).contains(&self.clock)
    }
}
