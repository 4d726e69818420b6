//! Which collision latches are looked for. Programs read few of the fifteen, so the others are only made when somebody asks after
//! all, from the logs since they were cleared last.

use super::Tia;
use super::beam::Beam;
use super::canvas::Canvas;
use super::log::Writes;
use super::picture::play;

/// All latches, two a read register.
pub(super) const ALL: u16 = u16::MAX;
pub(super) const NONE: u16 = 0;
/// Frames after which a latch is forgotten that was not read, at least; it takes less than twice as long.
const PERIOD: u32 = 128;
/// Frames for which all are looked for after it was in vain to leave some out.
const CAUTION: u32 = 256;

/// Which latches the program reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Latches {
    /// Those read in this period, and in the one before.
    read: [u16; 2],
    /// Frames left of the period.
    left: u32,
    /// Frames for which all are still looked for.
    caution: u32,
}

impl Latches {
    /// Those that are read often.
    fn often_read(&mut self) -> u16 {
        if self.left == 0 {
            self.left = PERIOD;
            self.read = [0, self.read[0]];
        }
        self.left -= 1;
        self.read[0] | self.read[1]
    }
}

impl Tia {
    /// A frame is about to begin: says which latches are looked for in it. All, unless the frame before it cleared them and is kept.
    pub(super) fn choose_latches(&mut self) {
        let often_read = self.latches.often_read();
        let before = self.buffers.still(self.current);
        let can_be_sought_later = before.is_some_and(|still| still.cleared() > 0);
        let caution = &mut self.latches.caution;
        *caution = if can_be_sought_later || self.beam.sought() == ALL {
            caution.saturating_sub(1)
        } else {
            CAUTION
        };
        let chosen = if can_be_sought_later && *caution == 0 {
            often_read
        } else {
            ALL
        };
        self.seek(chosen);
        self.beam.seek(chosen);
    }

    /// The program reads a register, up to which all has been played.
    pub(super) fn read_latches(&mut self, register: u8) {
        let pair = 3 << (2 * (register & 7));
        self.latches.read[0] |= pair;
        self.seek(pair);
    }

    /// Has these latches be what they are if they had always been looked for, and looks for them from now on.
    pub(super) fn seek(&mut self, latches: u16) {
        let latches = latches | self.beam.sought();
        if latches != self.beam.sought() {
            self.seek_since_cleared(latches);
        }
    }

    /// Plays again what was written since the latches were cleared last, in this frame, which may have ended, or the one before it.
    /// All that has been logged has been played.
    #[cold]
    fn seek_since_cleared(&mut self, latches: u16) {
        let now = self.beam.clock();
        let (mut beam, writes, cleared) = match (self.start, self.buffers.still(self.current)) {
            (Some(start), _) => (start, self.log.writes(), self.cleared),
            (None, Some(ended)) => (ended.span().0, ended.writes(), ended.cleared()),
            (None, None) => return,
        };
        beam.seek(latches);
        if cleared == 0
            && let Some(still) = self.buffers.still(1 - self.current)
        {
            let (mut before, end) = still.span();
            before.seek(latches);
            play_collisions(&mut before, still.writes(), still.cleared(), end);
            beam.set_collisions(before.collisions());
        }
        play_collisions(&mut beam, writes, cleared, now);
        self.beam.set_collisions(beam.collisions());
        self.beam.seek(latches);
    }
}

/// Plays a log for the collisions after the last CXCLR.
fn play_collisions(beam: &mut Beam, writes: Writes<'_>, cleared: usize, end: i32) {
    let canvas = &mut Canvas {
        pixels: &mut [],
        rows: &mut [],
    };
    play::<false, false>(beam, writes.range(0..cleared), canvas);
    play::<false, true>(beam, writes.range(cleared..writes.entries.len()), canvas);
    beam.draw_to::<false, true>(end, canvas);
}
