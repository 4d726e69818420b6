//! The pixels that the objects cover on the present line, as masks. They are made from the registers when a span needs them.
//!
//! A line is drawn in one go at its end where possible. When a register changes within the line, the object's mask keeps
//! its pixels left of the beam and takes the new ones from there on.

use super::Beam;
use super::movable::Missile0;
use crate::tia::mask::{self, CELL, FirstCopy, Mask};
use crate::tia::object::{BL, M0, M1, P0, PF, Set, bit};
use crate::tia::span::Objects;

/// The playfield's pixels, beside the objects. They are made from its cells, where cells are not enough.
pub(super) const PF_PIXELS: Set = bit(PF + 1);

/// The masks of the objects on the present line.
///
/// Invariants: the mask of an object that is neither stale nor joined follows from its registers. All but `enabled` and `stale` are
/// about this line alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Masks {
    /// The objects whose masks, or cells, are out of date.
    pub(super) stale: Set,
    /// The stale objects that have changed within the line. Their masks stay valid left of the pixel in `since`, and are still to be
    /// made from there on.
    parted: Set,
    since: [u8; PF + 1],
    /// The objects whose masks have parts from several values of their registers.
    joined: Set,
    /// The objects that are switched on, wherever they are.
    pub(super) enabled: Set,
    /// The objects that were switched on for a part of the pixels that wait.
    shown: Set,
    /// The playfield's.
    pub(super) cells: u64,
    pub(super) objects: Objects,
}

impl Masks {
    /// Starts a line: the masks follow from the registers alone.
    #[inline]
    pub(super) fn start_line(&mut self) {
        self.stale |= self.joined | self.parted;
        self.joined = 0;
        self.parted = 0;
        self.shown = 0;
    }

    /// Marks an object as changed, and as switched on or off.
    #[inline]
    pub(super) fn enable(&mut self, object: Set, on: bool) {
        self.stale |= object;
        self.enabled = if on {
            self.enabled | object
        } else {
            self.enabled & !object
        };
    }

    /// The objects that the pixels that wait may show.
    #[inline(always)]
    pub(super) fn waiting(&self) -> Set {
        self.enabled | self.shown
    }

    /// Notes that no pixels wait.
    #[inline(always)]
    pub(super) fn forget_waiting(&mut self) {
        self.shown = 0;
    }

    #[inline]
    fn set(&mut self, object: usize, mask: Mask) {
        let bit = bit(object);
        if self.parted & bit == 0 {
            self.objects.set(object, mask);
            self.joined &= !bit;
        } else {
            self.objects.set_from(object, usize::from(self.since[object]), mask);
            self.parted &= !bit;
            self.joined |= bit;
        }
    }

    fn set_cells(&mut self, cells: u64) {
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
}

impl Beam {
    #[inline]
    pub(super) fn enable_player(&mut self, player: usize) {
        let on = self.registers.effective_graphics(player) != 0;
        self.masks.enable(bit(P0) << player, on);
    }

    #[inline]
    pub(super) fn enable_missile(&mut self, missile: usize) {
        let on = self.registers.missile_is_enabled(missile);
        self.masks.enable(bit(M0) << missile, on);
    }

    #[inline]
    pub(super) fn enable_ball(&mut self) {
        self.masks.enable(bit(BL), self.registers.ball_is_enabled());
    }

    #[inline]
    pub(super) fn enable_playfield(&mut self) {
        self.masks.enable(bit(PF), self.registers.playfield != 0);
    }

    /// Recomputes which objects are switched on, and takes all masks for out of date.
    pub(super) fn forget_masks(&mut self) {
        self.masks.start_line();
        self.masks.stale = Set::MAX;
        for player in 0..2 {
            self.enable_player(player);
            self.enable_missile(player);
        }
        self.enable_ball();
        self.enable_playfield();
    }

    /// Keeps the pixels of `objects` left of the beam, before they change. The pixels that wait to be drawn need them.
    #[inline(always)]
    pub(super) fn keep(&mut self, objects: Set) {
        if !self.line.waits() {
            return;
        }
        let at = (self.line.clock - self.line.left()) as u8;
        let mut left = objects;
        while left != 0 {
            let object = left.trailing_zeros() as usize % self.masks.since.len();
            let bit = bit(object);
            left &= left - 1;
            if self.masks.parted & bit == 0 || self.masks.since[object] != at {
                self.refresh(bit);
                self.masks.parted |= bit;
                self.masks.since[object] = at;
            }
        }
        self.masks.shown |= self.masks.enabled & objects;
    }

    /// Remakes the masks of those `objects` that have changed, and the playfield's cells.
    #[inline]
    pub(super) fn refresh(&mut self, objects: Set) {
        let stale = self.masks.stale & objects;
        if stale != 0 {
            self.refresh_stale(stale);
        }
    }

    #[inline(never)]
    fn refresh_stale(&mut self, stale: Set) {
        self.masks.stale &= !stale;
        for player in 0..2 {
            if stale & bit(P0) << player != 0 {
                self.masks.set(P0 + player, self.player_mask(player));
            }
        }
        if stale & bit(M0) != 0 {
            let mask = if self.masks.enabled & bit(M0) != 0 {
                self.missile0_mask()
            } else {
                mask::EMPTY
            };
            self.masks.set(M0, mask);
        }
        if stale & bit(M1) != 0 {
            let mask = if self.masks.enabled & bit(M1) != 0 {
                self.missile1_mask()
            } else {
                mask::EMPTY
            };
            self.masks.set(M1, mask);
        }
        if stale & bit(BL) != 0 {
            let mask = if self.masks.enabled & bit(BL) != 0 {
                self.ball_mask()
            } else {
                mask::EMPTY
            };
            self.masks.set(BL, mask);
        }
        if stale & bit(PF) != 0 {
            let cells = mask::cells(self.registers.playfield, self.registers.reflect);
            self.masks.set_cells(cells);
        }
        if stale & PF_PIXELS != 0 {
            self.masks.objects.set(PF, mask::playfield(self.masks.cells));
        }
    }

    #[inline(always)]
    fn player_mask(&self, player: usize) -> Mask {
        let graphics = self.registers.effective_graphics(player);
        if graphics == 0 {
            return mask::EMPTY;
        }
        let pattern = if self.registers.reflect_player[player] {
            graphics
        } else {
            mask::reversed(graphics)
        };
        self.player_mask_of(pattern, player)
    }

    /// The pixels of a player that shows `pattern`, its lowest bit leftmost.
    // Inlined. Returned in memory, a mask is read back in wider words than it was written in, for which the processor waits.
    #[inline(always)]
    pub(super) fn player_mask_of(&self, pattern: u8, player: usize) -> Mask {
        mask::player(
            pattern,
            self.movable.position[player],
            self.registers.nusiz[player],
            self.movable.first_copy[player],
        )
    }

    /// The pixels of missile 0 while it is switched on.
    pub(super) fn missile0_mask(&self) -> Mask {
        let Missile0 {
            position,
            nusiz,
            size_code,
            hidden,
        } = self.movable.missile0;
        if hidden {
            mask::EMPTY
        } else {
            mask::missile(position, nusiz, size_code)
        }
    }

    /// The pixels of missile 1 while it is switched on.
    pub(super) fn missile1_mask(&self) -> Mask {
        let nusiz = self.registers.nusiz[1];
        mask::missile(self.movable.position[M1], nusiz, nusiz >> 4 & 3)
    }

    /// The pixels of the ball while it is switched on.
    pub(super) fn ball_mask(&self) -> Mask {
        mask::missile(self.movable.position[BL], 0, self.registers.control_playfield >> 4 & 3)
    }

    pub(super) fn set_reflect(&mut self, reflect: bool) {
        if self.registers.reflect != reflect {
            self.registers.reflect = reflect;
            self.masks.stale |= bit(PF);
        }
    }

    pub(super) fn show_first_copies(&mut self) {
        for player in 0..2 {
            self.set_first_copy(player, FirstCopy::Shown);
        }
    }

    fn set_first_copy(&mut self, player: usize, first: FirstCopy) {
        if self.movable.first_copy[player] != first {
            self.movable.first_copy[player] = first;
            self.masks.stale |= bit(P0) << player;
        }
    }

    pub(super) fn latch_missile0(&mut self) {
        let nusiz = self.registers.nusiz[0];
        let latched = Missile0 {
            position: self.movable.position[M0],
            nusiz: nusiz & 7,
            size_code: nusiz >> 4 & 3,
            hidden: false,
        };
        if self.movable.missile0 != latched {
            self.movable.missile0 = latched;
            self.masks.stale |= bit(M0);
        }
    }
}
