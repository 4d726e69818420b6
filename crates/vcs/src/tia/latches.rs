//! Collision latches on demand.
//!
//! Looking for collisions is a large part of the cost of a frame, and most programs read few of the fifteen latches. So the
//! beam looks only for those that the program has read since the reset ([`Beam::sought`]). That saves 8 to 9 % of the instructions
//! of a preprocessed step. When another latch is needed, the writes since the last CXCLR are played again for it. That takes
//! recordings: latches are left out of a frame only if both frames before it were recorded and executed a CXCLR.
//!
//! Invariant: a latch that is read or saved has the value that it would have if all were always looked for.

use super::Tia;
use super::beam::Beam;
use super::canvas::Canvas;
use super::log::Writes;

/// All latches, two for each read register.
pub(super) const ALL: u16 = u16::MAX;

impl Tia {
    /// Chooses the latches to look for in the frame that is about to begin.
    pub(super) fn choose_latches(&mut self) {
        let chosen = if self.cleared_frames >= 2 {
            self.latches_read
        } else {
            ALL
        };
        self.seek(chosen);
        self.beam.seek(chosen);
    }

    /// Notes that the program reads a collision register, up to which the log has been played.
    pub(super) fn read_latches(&mut self, register: u8) {
        let pair = 3 << (2 * (register & 7));
        self.latches_read |= pair;
        self.seek(pair);
    }

    /// Makes these latches valid, and looks for them from now on.
    pub(super) fn seek(&mut self, latches: u16) {
        let latches = latches | self.beam.sought();
        if latches != self.beam.sought() {
            self.recover(latches);
        }
    }

    /// Recovers latches from the writes since the last CXCLR, which are those of this frame, which may have ended, or those of
    /// the frame before it too. The log has been played.
    #[cold]
    fn recover(&mut self, latches: u16) {
        let now = self.beam.clock();
        let [last, before] = [self.current, 1 - self.current].map(|buffer| self.buffers[buffer].recording());
        let (mut beam, writes, cleared) = match (self.start, last) {
            (Some(start), _) => (start, self.log.writes(), self.cleared),
            (None, Some(ended)) => ended.parts(),
            (None, None) => return,
        };
        beam.seek(latches);
        if cleared == 0
            && let Some(before) = before
        {
            let (mut older, writes, cleared) = before.parts();
            older.seek(latches);
            let end = older.window_end();
            play_collisions(&mut older, writes, cleared, end);
            beam.set_collisions(older.collisions());
        }
        play_collisions(&mut beam, writes, cleared, now);
        self.beam.set_collisions(beam.collisions());
        self.beam.seek(latches);
    }
}

/// Plays writes up to a colour clock, with collisions from the write number `cleared` on.
fn play_collisions(beam: &mut Beam, writes: Writes<'_>, cleared: usize, end: i32) {
    let canvas = &mut Canvas {
        pixels: &mut [],
        rows: &mut [],
    };
    beam.play::<false, false>(writes.range(0..cleared), canvas);
    beam.play::<false, true>(writes.range(cleared..writes.entries.len()), canvas);
    beam.draw_to::<false, true>(end, canvas);
}
