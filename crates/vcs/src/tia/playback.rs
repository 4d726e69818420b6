//! The log of the present frame, and the beam that it is played to.

use super::beam::Beam;
use super::canvas::Canvas;
use super::log::Log;
use super::recording::replay;
use crate::state::fields;

/// The log and the beam.
///
/// Invariant: playing the first `played` entries of the log from `start` leads to `beam`, apart from collisions that are forgotten
/// later in the log, and from going on to a later clock with the same registers.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    pub(super) beam: Beam,
    /// The beam at the log's beginning.
    pub(super) start: Beam,
    pub(crate) log: Log,
    /// The log reaches back to the frame's start.
    pub(super) log_is_complete: bool,
    /// Entries of the log that the beam has played.
    played: usize,
    /// Entries of the log up to the last CXCLR.
    cleared: usize,
    /// Playing draws pixels, not only collisions.
    pub(super) drawing: bool,
}

// The log is empty between two frames.
fields!(Playback { beam });

impl Playback {
    pub(super) fn new(beam: &Beam) -> Self {
        Self {
            beam: *beam,
            start: *beam,
            log: Log::new(),
            log_is_complete: false,
            played: 0,
            cleared: 0,
            drawing: true,
        }
    }

    /// Continues from the beam with an empty log, for clocks from `base` on.
    pub(super) fn begin_log(&mut self, base: i32) {
        self.log.clear(base);
        self.start = self.beam;
        self.played = 0;
        self.cleared = 0;
    }

    /// Continues with an empty log that does not reach back to the frame's start. Pixels are drawn from now on.
    pub(super) fn resume(&mut self, base: i32) {
        self.log_is_complete = false;
        self.drawing = true;
        self.begin_log(base);
    }

    /// Notes that the last write of the log is a CXCLR.
    pub(super) fn note_clear(&mut self) {
        self.cleared = self.log.len();
    }

    /// Plays the logged writes to the beam.
    pub(super) fn play(&mut self, canvas: &mut Canvas<'_>) {
        let writes = self.log.writes();
        let (from, to) = (self.played, self.log.len());
        let beam = &mut self.beam;
        if self.drawing {
            beam.play::<true, true>(writes.range(from..to), canvas);
        } else {
            // CXCLR forgets the collisions before it.
            let cleared = self.cleared.clamp(from, to);
            beam.play::<false, false>(writes.range(from..cleared), canvas);
            beam.play::<false, true>(writes.range(cleared..to), canvas);
        }
        self.played = to;
    }

    /// Moves the beam to a colour clock.
    pub(super) fn draw_to(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        if self.drawing {
            self.beam.draw_to::<true, true>(clock, canvas);
        } else {
            self.beam.draw_to::<false, true>(clock, canvas);
        }
    }

    /// Draws the pixels of the log again, up to the beam.
    pub(super) fn replay(&self, canvas: &mut Canvas<'_>) {
        replay(self.log.writes(), self.start, self.beam.clock(), canvas);
    }

    /// Draws the pixels that ALE's machine has drawn ahead of the beam.
    pub(super) fn draw_ahead(&self, canvas: &mut Canvas<'_>) {
        self.beam.draw_ahead(&self.start, self.log.writes(), canvas);
    }
}
