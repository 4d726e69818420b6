//! The pixels that the objects cover on a line, as masks. They are made from the registers when a span needs them.
//!
//! A line is drawn in one go at its end where possible. When a register changes within the line, the object's mask keeps
//! its pixels left of the beam and takes the new ones from there on. An object in `parted` has changed within the line: its mask is
//! valid left of `since`, and is still to be made from there on. The mask of an object in `joined` has parts from several register
//! values.

use super::{Beam, CELL, Missile0, PF_PIXELS};
use crate::WIDTH;
use crate::tia::mask::{self, FirstCopy};
use crate::tia::object::{BL, M0, M1, P0, PF, bit};

impl Beam {
    fn effective_graphics(&self, player: usize) -> u8 {
        if self.vertical_delay[player] {
            self.old_graphics[player]
        } else {
            self.graphics[player]
        }
    }

    fn ball_is_enabled(&self) -> bool {
        if self.vertical_delay[2] {
            self.old_enable_ball
        } else {
            self.enable_ball
        }
    }

    /// Marks an object as changed, and as switched on or off.
    #[inline]
    pub(super) fn enable(&mut self, object: u8, on: bool) {
        self.stale |= object;
        self.enabled = if on {
            self.enabled | object
        } else {
            self.enabled & !object
        };
    }

    #[inline]
    pub(super) fn enable_player(&mut self, player: usize) {
        self.enable(bit(P0) << player, self.effective_graphics(player) != 0);
    }

    #[inline]
    pub(super) fn enable_missile(&mut self, missile: usize) {
        let on = self.enable_missile[missile] && !self.missile_locked[missile];
        self.enable(bit(M0) << missile, on);
    }

    #[inline]
    pub(super) fn enable_ball(&mut self) {
        self.enable(bit(BL), self.ball_is_enabled());
    }

    /// Keeps the pixels of `objects` left of the beam, before they change. The pixels that wait to be drawn need them.
    #[inline]
    pub(super) fn keep(&mut self, objects: u8) {
        if self.clock > self.drawn {
            self.keep_part(objects);
        }
    }

    #[inline(never)]
    fn keep_part(&mut self, objects: u8) {
        let at = (self.clock - (self.line_end - WIDTH as i32)) as u8;
        let mut left = objects;
        while left != 0 {
            let object = left.trailing_zeros() as usize % self.since.len();
            let bit = 1 << object;
            left &= left - 1;
            if self.parted & bit == 0 || self.since[object] != at {
                self.refresh(bit);
                self.parted |= bit;
                self.since[object] = at;
            }
        }
        self.shown |= self.enabled & objects;
    }

    /// Remakes the masks of those `objects` that have changed, and the playfield's cells.
    #[inline]
    pub(super) fn refresh(&mut self, objects: u8) {
        let stale = self.stale & objects;
        if stale != 0 {
            self.refresh_stale(stale);
        }
    }

    #[inline(never)]
    fn refresh_stale(&mut self, stale: u8) {
        self.stale &= !stale;
        for player in 0..2 {
            if stale & bit(P0) << player != 0 {
                self.set_mask(P0 + player, self.player_mask(player));
            }
        }
        if stale & bit(M0) != 0 {
            let mask = if self.enabled & bit(M0) != 0 {
                self.missile0_mask()
            } else {
                mask::EMPTY
            };
            self.set_mask(M0, mask);
        }
        if stale & bit(M1) != 0 {
            let mask = if self.enabled & bit(M1) != 0 {
                self.missile1_mask()
            } else {
                mask::EMPTY
            };
            self.set_mask(M1, mask);
        }
        if stale & bit(BL) != 0 {
            let mask = if self.enabled & bit(BL) != 0 {
                self.ball_mask()
            } else {
                mask::EMPTY
            };
            self.set_mask(BL, mask);
        }
        if stale & bit(PF) != 0 {
            self.set_cells();
        }
        if stale & PF_PIXELS != 0 {
            self.objects.set(PF, mask::playfield(self.cells));
        }
    }

    #[inline]
    fn set_mask(&mut self, object: usize, mask: mask::Mask) {
        let bit = 1 << object;
        if self.parted & bit == 0 {
            self.objects.set(object, mask);
            self.joined &= !bit;
        } else {
            self.objects.set_from(object, usize::from(self.since[object]), mask);
            self.parted &= !bit;
            self.joined |= bit;
        }
    }

    fn set_cells(&mut self) {
        let cells = mask::cells(self.playfield, self.reflect);
        if self.parted & bit(PF) == 0 {
            self.cells = cells;
            self.joined &= !bit(PF);
        } else {
            let kept = (1 << (usize::from(self.since[PF]) / CELL)) - 1;
            self.cells = self.cells & kept | cells & !kept;
            self.parted &= !bit(PF);
            self.joined |= bit(PF);
        }
        self.stale |= PF_PIXELS;
    }

    fn player_mask(&self, player: usize) -> mask::Mask {
        let graphics = self.effective_graphics(player);
        let graphics = if self.reflect_player[player] {
            graphics.reverse_bits()
        } else {
            graphics
        };
        mask::player(
            graphics,
            self.position[player],
            self.nusiz[player],
            self.first_copy[player],
        )
    }

    /// The pixels of missile 0 while it is switched on.
    pub(super) fn missile0_mask(&self) -> mask::Mask {
        let Missile0 {
            position,
            nusiz,
            size_code,
            hidden,
        } = self.missile0;
        if hidden {
            mask::EMPTY
        } else {
            mask::missile(position, nusiz, size_code)
        }
    }

    /// The pixels of missile 1 while it is switched on.
    pub(super) fn missile1_mask(&self) -> mask::Mask {
        let nusiz = self.nusiz[1];
        mask::missile(self.position[M1], nusiz, nusiz >> 4 & 3)
    }

    /// The pixels of the ball while it is switched on.
    pub(super) fn ball_mask(&self) -> mask::Mask {
        mask::missile(self.position[BL], 0, self.control_playfield >> 4 & 3)
    }

    pub(super) fn set_reflect(&mut self, reflect: bool) {
        if self.reflect != reflect {
            self.reflect = reflect;
            self.stale |= bit(PF);
        }
    }

    pub(super) fn show_first_copies(&mut self) {
        for player in 0..2 {
            self.set_first_copy(player, FirstCopy::Shown);
        }
    }

    fn set_first_copy(&mut self, player: usize, first: FirstCopy) {
        if self.first_copy[player] != first {
            self.first_copy[player] = first;
            self.stale |= bit(P0) << player;
        }
    }

    pub(super) fn latch_missile0(&mut self) {
        let latched = Missile0 {
            position: self.position[M0],
            nusiz: self.nusiz[0] & 7,
            size_code: self.nusiz[0] >> 4 & 3,
            hidden: false,
        };
        if self.missile0 != latched {
            self.missile0 = latched;
            self.stale |= bit(M0);
        }
    }
}
