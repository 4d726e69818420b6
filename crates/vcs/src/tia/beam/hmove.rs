//! HMOVE and the motion registers.
//!
//! HMOVE moves each object by its motion register. How far depends on the CPU cycle of the strobe within the line, because the extra
//! clocks of the motion counters are lost outside of the horizontal blank ([`MOVES`]). A strobe at the start of a line also blanks
//! its first eight pixels.

use super::{Beam, wrap};
use crate::HmoveBlanks;
use crate::tia::object::{M0, MOVABLE};

impl Beam {
    /// Writes a motion register.
    pub(super) fn set_motion(&mut self, object: usize, value: u8, clock: i32) {
        let since_hmove = clock.wrapping_sub(self.last_hmove);
        if object == M0 && since_hmove == 63 && self.motion[M0] == 7 && value == 6 {
            self.cosmic_ark = Some(0);
        }
        self.motion[object] = value;
        self.moving = self.moving & !(1 << object) | u8::from(value != 0) << object;
    }

    /// Strobes HMOVE.
    pub(super) fn move_objects(&mut self, hpos: i32, clock: i32) {
        let cycle = hpos / 3;
        self.keep(MOVABLE);
        let moves = &MOVES[cycle as usize % MOVES.len()];
        let mut left = if moves[0] == 0 { self.moving } else { MOVABLE };
        while left != 0 {
            let object = left.trailing_zeros() as usize % self.motion.len();
            left &= left - 1;
            let movement = moves[usize::from(self.motion[object] & 0xF)];
            if movement != 0 {
                self.position[object] = wrap(i32::from(self.position[object]) + i32::from(movement));
                self.stale |= 1 << object;
            }
        }
        if self.hmove_blanks == HmoveBlanks::Shown && (cycle <= 20 || cycle == 75) {
            self.hmove_blank = true;
        }
        self.show_first_copies();
        self.last_hmove = clock;
        // Apart from the Cosmic Ark effect, the latched parameters differ only by the position.
        if self.position[M0] != self.missile0.position || self.cosmic_ark.is_some() {
            self.cosmic_ark = None;
            self.latch_missile0();
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
