//! HMOVE and the motion registers.
//!
//! HMOVE moves each object by its motion register. How far depends on the CPU cycle of the strobe within the line, because the extra
//! clocks of the motion counters are lost outside of the horizontal blank ([`MOVES`]). A strobe at the start of a line also blanks
//! its first eight pixels.

use super::Beam;
use super::line::{HBLANK, Line};
use crate::HmoveBlanks;
use crate::state::fields;
use crate::tia::object::{M0, MOVABLE, bit};

/// How far HMOVE stretches the horizontal blank: to the end of pixel 7.
pub(super) const HMOVE_BLANK_END: i32 = HBLANK + 8;

/// What HMOVE strobes leave behind for later clocks.
///
/// Invariant: without HMOVE blanks, no blank is pending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hmove {
    blanks: HmoveBlanks,
    /// A strobe will blank the first eight pixels of the line that reaches them next.
    pub(super) blank_is_pending: bool,
    /// Where in this line's horizontal blank the first access since that strobe was; 0 for none.
    pub(super) first_stop: i32,
    /// The first of this line's eight pixels that are blanked.
    pub(super) blank_from: Option<u8>,
    /// Colour clock of the last strobe.
    pub(super) last: i32,
    /// Step of the Cosmic Ark effect, while it is on.
    pub(super) cosmic_ark: Option<u8>,
}

fields!(Hmove {
    blank_is_pending,
    first_stop,
    last,
    cosmic_ark,
} where is_valid);

impl Hmove {
    /// No strobe yet.
    pub(super) fn new(blanks: HmoveBlanks) -> Self {
        Self {
            blanks,
            blank_is_pending: false,
            first_stop: 0,
            blank_from: None,
            last: 0,
            cosmic_ark: None,
        }
    }

    fn is_valid(&self) -> bool {
        (0..=HBLANK).contains(&self.first_stop) && self.cosmic_ark.is_none_or(|step| step < 4)
    }

    /// Starts a line.
    #[inline(always)]
    pub(super) fn start_line(&mut self) {
        self.first_stop = 0;
        self.blank_from = None;
    }

    /// Notes that the beam goes on from its place in `line` to `clock`, which is in this line or at its end.
    #[inline(always)]
    pub(super) fn pass(&mut self, line: &Line, clock: i32) {
        if self.blank_is_pending {
            if clock > line.start() + HBLANK {
                self.pass_blank(line, clock);
            } else if self.first_stop == 0 {
                self.first_stop = clock - line.start();
            }
        }
    }

    /// Blanks the line's first eight pixels from the beam on.
    #[inline]
    fn pass_blank(&mut self, line: &Line, clock: i32) {
        let from = (line.clock - line.start()).max(HBLANK);
        if from < HMOVE_BLANK_END {
            let first = (from - HBLANK) as u8;
            self.blank_from = Some(self.blank_from.unwrap_or(first));
            self.blank_is_pending = clock - line.start() < HMOVE_BLANK_END;
        }
    }
}

impl Beam {
    /// Writes a motion register.
    pub(super) fn set_motion(&mut self, object: usize, value: u8, clock: i32) {
        let since_hmove = clock.wrapping_sub(self.hmove.last);
        if object == M0 && since_hmove == 63 && self.movable.motion(M0) == 7 && value == 6 {
            self.hmove.cosmic_ark = Some(0);
        }
        self.movable.set_motion(object, value);
    }

    /// Strobes HMOVE.
    #[inline(always)]
    pub(super) fn move_objects(&mut self, hpos: i32, clock: i32) {
        let cycle = hpos as usize / 3;
        if self.hmove.blanks == HmoveBlanks::Shown && (cycle <= 20 || cycle == 75) {
            self.hmove.blank_is_pending = true;
        }
        self.hmove.last = clock;
        let moves = &MOVES[cycle.min(MOVES.len() - 1)];
        if self.movable.moves(moves) || !self.movable.shows_first_copies() {
            self.keep(MOVABLE);
            self.masks.stale |= self.movable.strobe(moves);
            self.show_first_copies();
        }
        // Apart from the Cosmic Ark effect, the latched parameters differ only by the position.
        if self.movable.position[M0] != self.movable.missile0.position || self.hmove.cosmic_ark.is_some() {
            self.keep(bit(M0));
            self.hmove.cosmic_ark = None;
            self.latch_missile0();
        }
    }

    /// Takes a step of the Cosmic Ark effect, at the start of a line.
    pub(super) fn move_cosmic_ark(&mut self) {
        if let Some(step) = self.hmove.cosmic_ark {
            let step = (step + 1) & 3;
            self.hmove.cosmic_ark = Some(step);
            self.movable.move_by(M0, -[18, 33, 0, 17][usize::from(step)]);
            self.latch_missile0();
            match step {
                1 => self.movable.missile0.size_code |= 1,
                2 => self.movable.missile0.hidden = true,
                _ => {}
            }
            // What is latched in step 2 may be what step 1 left, and hides the missile nevertheless.
            self.masks.stale |= bit(M0);
        }
    }
}

/// How far to the right an HMOVE moves an object, by the CPU cycle within the line and the object's motion register.
const MOVES: [[i8; 16]; 76] = {
    let mut moves = [[0; 16]; 76];
    let mut cycle = 0;
    while cycle < moves.len() {
        let reach = ((3 * cycle + 1) / 4) as i8;
        let mut motion = 0;
        while motion < 16 {
            let left = if motion < 8 { -(motion as i8) } else { 16 - motion as i8 };
            moves[cycle][motion] = if cycle <= 20 {
                max(left, reach - 9)
            } else if cycle <= 74 {
                min(left + 47 - reach, 0)
            } else {
                left
            };
            motion += 1;
        }
        cycle += 1;
    }
    moves
};

const fn max(one: i8, other: i8) -> i8 {
    if one > other { one } else { other }
}

const fn min(one: i8, other: i8) -> i8 {
    if one < other { one } else { other }
}
