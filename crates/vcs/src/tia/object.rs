//! The six objects of a picture by their numbers, and sets of objects.
//!
//! A number is the index into whatever is kept for each object. The five movable objects come first.

pub(super) const P0: usize = 0;
pub(super) const P1: usize = 1;
pub(super) const M0: usize = 2;
pub(super) const M1: usize = 3;
pub(super) const BL: usize = 4;
pub(super) const PF: usize = 5;

/// A set of objects: bit `n` stands for object `n`.
pub(super) type Set = u8;

/// The players, the missiles and the ball.
pub(super) const MOVABLE: Set = bit(PF) - 1;

/// The set of one object. Shifted left by one, player 0 or missile 0 becomes the other one.
#[inline(always)]
pub(super) const fn bit(object: usize) -> Set {
    1 << object
}
