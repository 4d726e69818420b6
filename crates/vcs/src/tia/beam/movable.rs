//! The movable objects: where they are, and how far HMOVE moves them.

use crate::WIDTH;
use crate::state::fields;
use crate::tia::mask::FirstCopy;
use crate::tia::object::{PF, Set};

/// The movable objects' places, by the number of the object.
///
/// Invariant: a position is on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Movable {
    pub(super) position: [u8; PF],
    /// The motion registers, four bits each.
    motion: [u8; PF],
    /// Of the players.
    pub(super) first_copy: [FirstCopy; 2],
    pub(super) missile0: Missile0,
}

/// The parameters of missile 0 as of the last event that latched them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Missile0 {
    pub(super) position: u8,
    pub(super) nusiz: u8,
    pub(super) size_code: u8,
    pub(super) hidden: bool,
}

fields!(Movable {
    position,
    motion,
    first_copy,
    missile0,
} where is_valid);

fields!(Missile0 {
    position,
    nusiz,
    size_code,
    hidden
} where is_valid);

impl Movable {
    /// All objects at pixel 0, without motion.
    pub(super) fn new() -> Self {
        Self {
            position: [0; PF],
            motion: [0; PF],
            first_copy: [FirstCopy::Shown; 2],
            missile0: Missile0::default(),
        }
    }

    fn is_valid(&self) -> bool {
        self.position.into_iter().all(is_position) && self.motion.iter().all(|&motion| motion < 16)
    }

    pub(super) fn motion(&self, object: usize) -> u8 {
        self.motion[object]
    }

    pub(super) fn set_motion(&mut self, object: usize, value: u8) {
        self.motion[object] = value;
    }

    /// HMCLR.
    pub(super) fn clear_motion(&mut self) {
        self.motion = [0; PF];
    }

    /// Whether an HMOVE with these `moves` may move an object.
    #[inline(always)]
    pub(super) fn moves(&self, moves: &[i8; 16]) -> bool {
        self.motion != [0; PF] || moves[0] != 0
    }

    /// Moves each object to the right by `moves` of its motion. Returns the objects that move.
    #[inline(never)]
    pub(super) fn strobe(&mut self, moves: &[i8; 16]) -> Set {
        let mut moved = 0;
        for object in 0..PF {
            let movement = moves[usize::from(self.motion[object] & 0xF)];
            self.move_by(object, movement.into());
            moved |= Set::from(movement != 0) << object;
        }
        moved
    }

    /// Whether all copies of both players are shown.
    #[inline(always)]
    pub(super) fn shows_first_copies(&self) -> bool {
        matches!(self.first_copy, [FirstCopy::Shown, FirstCopy::Shown])
    }

    /// Moves an object to the right, by less than a line.
    #[inline(always)]
    pub(super) fn move_by(&mut self, object: usize, pixels: i32) {
        self.position[object] = wrap(i32::from(self.position[object]) + pixels);
    }
}

impl Missile0 {
    fn is_valid(self) -> bool {
        is_position(self.position) && self.nusiz < 8 && self.size_code < 4
    }
}

fn is_position(position: u8) -> bool {
    usize::from(position) < WIDTH
}

/// Wraps a position that is less than a line beyond either end of the line.
#[inline]
pub(super) fn wrap(position: i32) -> u8 {
    let width = WIDTH as i32;
    let position = if position < 0 { position + width } else { position };
    (if position >= width { position - width } else { position }) as u8
}
