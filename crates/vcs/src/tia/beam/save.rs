//! The beam's part of a saved state.

use super::{Beam, HBLANK, LINE, Missile0, Window};
use crate::WIDTH;
use crate::state::fields;
use crate::tia::span;

fields!(Window {
    frame_start,
    start,
    end
});
fields!(Missile0 {
    position,
    nusiz,
    size_code,
    hidden
} where is_valid);

fields!(Beam {
    window,
    clock,
    line_end,
    row,
    hmove_blank,
    first_stop,
    last_hmove,
    cosmic_ark,
    vblank,
    colour_loss,
    colours,
    control_playfield,
    reflect,
    playfield,
    nusiz,
    reflect_player,
    graphics,
    old_graphics,
    enable_missile,
    enable_ball,
    old_enable_ball,
    vertical_delay,
    missile_locked,
    position,
    motion,
    first_copy,
    missile0,
    collisions,
});

/// All bits of the playfield registers.
const PLAYFIELD: u32 = (1 << 20) - 1;

fn is_position(position: u8) -> bool {
    usize::from(position) < WIDTH
}

impl Missile0 {
    fn is_valid(self) -> bool {
        is_position(self.position) && self.nusiz < 8 && self.size_code < 4
    }
}

impl Beam {
    /// Whether a beam in this window can have the loaded fields.
    pub(crate) fn is_valid(&self, window: Window) -> bool {
        self.window == window && self.place_is_valid() && self.registers_are_valid()
    }

    fn place_is_valid(&self) -> bool {
        // A reset within a frame leaves the beam at the frame's start, from where it counts rows.
        let Window {
            frame_start,
            start,
            end,
        } = self.window;
        let lines = (self.row as i64 + 1) * i64::from(LINE);
        let is_row = |first: i32| i64::from(self.line_end) - i64::from(first) == lines;
        self.line_end <= end
            && (is_row(start) || is_row(frame_start))
            && (self.line_end - LINE..=self.line_end).contains(&self.clock)
            && (0..=HBLANK).contains(&self.first_stop)
    }

    fn registers_are_valid(&self) -> bool {
        self.cosmic_ark.is_none_or(|step| step < 4)
            && self
                .colours
                .iter()
                .all(|colour| colour & 1 == u8::from(self.colour_loss))
            && self.playfield <= PLAYFIELD
            && self.position.into_iter().all(is_position)
            && self.motion.iter().all(|&motion| motion < 16)
            && self.collisions & !span::possible(u8::MAX) == 0
    }

    /// Whether the colours are lost: PAL's, after a frame with an odd number of lines.
    pub(crate) fn has_colour_loss(&self) -> bool {
        self.colour_loss
    }

    /// Whether an HMOVE is going to blank pixels.
    pub(crate) fn has_hmove_blank(&self) -> bool {
        self.hmove_blank
    }
}
