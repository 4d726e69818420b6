//! Pixels that ALE's machine draws ahead of the beam. They are seen where a frame ends within a line; otherwise later pixels replace them.
//!
//! There are two kinds, measured with ale-py:
//!
//! - HMOVE's blank is drawn as a whole when the beam reaches it.
//! - For some sets of objects, four pixels are drawn at once where no object can be among them. If the frame ends within such a group,
//!   the whole group is drawn.

use super::Beam;
use super::hmove::HMOVE_BLANK_END;
use super::line::HBLANK;
use crate::tia::canvas::Canvas;
use crate::tia::log::{Write, Writes};
use crate::tia::mask::{self, CELL, Mask};
use crate::tia::object::{BL, M0, M1, P0, P1, PF, Set, bit};

/// No write moves the beam further than this beyond its clock.
const REACH: i32 = 16;

impl Beam {
    /// Draws the pixels ahead of the beam at a frame's end. Playing `writes` from `start` has led to this beam.
    pub(crate) fn draw_ahead(&self, start: &Self, writes: Writes<'_>, canvas: &mut Canvas<'_>) {
        if self.line.clock == start.line.clock || self.line.clock >= self.window.end {
            return;
        }
        let x = (self.line.clock - self.line.left()).max(0) as usize;
        if self.hmove.first_stop > 0 {
            // Measured: if the first access after HMOVE is at colour clock c of the line, the blank ends at pixel 76 - c.
            canvas.blank(self.line.row, x, (HMOVE_BLANK_END - self.hmove.first_stop) as usize);
        }
        let group = self.line.clock - (x % CELL) as i32;
        if !x.is_multiple_of(CELL) && start.line.clock <= group {
            start.at(group, writes).draw_group(self.line.clock, group, canvas);
        }
        if self.hmove.blank_is_pending && x > 0 {
            canvas.blank(self.line.row, x, (HMOVE_BLANK_END - HBLANK) as usize);
        }
    }

    /// Plays `writes` from this beam on, as far as they take effect up to colour clock `clock`, and moves the beam there.
    fn at(&self, clock: i32, writes: Writes<'_>) -> Self {
        let mut beam = *self;
        let mut nowhere = Canvas {
            pixels: &mut [],
            rows: &mut [],
        };
        for write in writes.iter() {
            let before = (write.clock > clock - REACH).then_some(beam);
            let Write {
                clock: at,
                register,
                value,
            } = write;
            beam.write::<false, false>(register, value, at, &mut nowhere);
            if let Some(before) = before.filter(|_| beam.line.clock > clock) {
                beam = before;
                break;
            }
        }
        beam.go_to::<false, false>(clock, &mut nowhere);
        beam
    }

    /// Draws the rest of a group of pixels from colour clock `from` on. The group begins at `group`, and the beam is in it. Does nothing where
    /// groups are not drawn as a whole.
    fn draw_group(mut self, from: i32, group: i32, canvas: &mut Canvas<'_>) {
        if self.registers.vblank || !self.draws_groups() || !self.is_free(group) {
            return;
        }
        self.go_to::<false, false>(from, canvas);
        self.resume();
        self.draw_to::<true, false>(group + CELL as i32, canvas);
    }

    /// Whether ALE's machine draws groups of pixels at once for the objects that are switched on.
    fn draws_groups(&self) -> bool {
        const P0_P1: Set = bit(P0) | bit(P1);
        const M0_M1: Set = bit(M0) | bit(M1);
        const BL_P1: Set = bit(BL) | bit(P1);
        const BL_M0: Set = bit(BL) | bit(M0);
        const BL_M1: Set = bit(BL) | bit(M1);
        const PF_P0: Set = bit(PF) | bit(P0);
        const PF_P1: Set = bit(PF) | bit(P1);
        const PF_BL: Set = bit(PF) | bit(BL);
        match self.masks.enabled {
            P0_P1 | M0_M1 | BL_P1 | BL_M0 | BL_M1 => true,
            PF_P0 | PF_P1 | PF_BL => !self.registers.has_score(),
            enabled => enabled.is_power_of_two(),
        }
    }

    /// Whether the group of pixels that begins at colour clock `group` has none of the ball, of a missile, or of a player's copies,
    /// whatever the player's graphics are.
    fn is_free(&self, group: i32) -> bool {
        let x = (group - self.line.left()) as usize;
        let (before, after) = (mask::before(x), mask::before(x + CELL));
        let is_free = |mask: Mask| (0..3).all(|word| mask[word] & after[word] & !before[word] == 0);
        let on = |object: Set| self.masks.enabled & object != 0;
        (0..2).all(|number| !on(bit(P0) << number) || is_free(self.player_mask_of(0xFF, number)))
            && (!on(bit(M0)) || is_free(self.missile0_mask()))
            && (!on(bit(M1)) || is_free(self.missile1_mask()))
            && (!on(bit(BL)) || is_free(self.ball_mask()))
    }
}
