//! The registers that the picture follows from, apart from the places of the movable objects.

use crate::state::fields;
use crate::tia::span::Colours;

/// CTRLPF bit 1: the playfield's halves have the players' colours.
pub(super) const SCORE: u8 = 2;
/// CTRLPF bits 1 and 2. With both, playfield and ball are in front of all objects.
pub(super) const PRIORITY: u8 = 6;
/// All bits of the playfield registers.
const PLAYFIELD: u32 = (1 << 20) - 1;

/// The registers as of the beam. Pairs are player 0's and player 1's, or their missiles'.
///
/// Invariant: the lowest bit of each colour is set if colours are lost, and only then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Registers {
    pub(super) vblank: bool,
    /// PAL's colour loss: the previous frame had an odd number of lines.
    colour_loss: bool,
    pub(super) colours: Colours,
    pub(super) control_playfield: u8,
    /// The playfield is reflected in this line's right half: CTRLPF's bit 0 while the beam was left of it.
    pub(super) reflect: bool,
    /// PF0, PF1 and PF2, the leftmost cell lowest.
    pub(super) playfield: u32,
    pub(super) nusiz: [u8; 2],
    pub(super) reflect_player: [bool; 2],
    pub(super) graphics: [u8; 2],
    pub(super) old_graphics: [u8; 2],
    pub(super) enable_missile: [bool; 2],
    pub(super) enable_ball: bool,
    pub(super) old_enable_ball: bool,
    /// Of the players and the ball.
    pub(super) vertical_delay: [bool; 3],
    /// The missiles are locked to their players, and hidden.
    pub(super) missile_locked: [bool; 2],
}

fields!(Registers {
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
} where is_valid);

impl Registers {
    fn is_valid(&self) -> bool {
        let has_loss = |colour: &u8| colour & 1 == u8::from(self.colour_loss);
        self.colours.iter().all(has_loss) && self.playfield <= PLAYFIELD
    }

    /// Whether the colours are lost: PAL's, after a frame with an odd number of lines.
    pub(super) fn has_colour_loss(&self) -> bool {
        self.colour_loss
    }

    pub(super) fn set_colour_loss(&mut self, is_lost: bool) {
        self.colour_loss = is_lost;
        for number in 0..self.colours.len() {
            self.set_colour(number, self.colours[number]);
        }
    }

    #[inline(always)]
    pub(super) fn set_colour(&mut self, number: usize, value: u8) {
        self.colours[number] = value & 0xFE | u8::from(self.colour_loss);
    }

    /// The graphics that a player shows.
    pub(super) fn effective_graphics(&self, player: usize) -> u8 {
        if self.vertical_delay[player] {
            self.old_graphics[player]
        } else {
            self.graphics[player]
        }
    }

    pub(super) fn missile_is_enabled(&self, missile: usize) -> bool {
        self.enable_missile[missile] && !self.missile_locked[missile]
    }

    pub(super) fn ball_is_enabled(&self) -> bool {
        if self.vertical_delay[2] {
            self.old_enable_ball
        } else {
            self.enable_ball
        }
    }

    /// Whether CTRLPF gives the playfield's halves the players' colours.
    pub(super) fn has_score(&self) -> bool {
        self.control_playfield & SCORE != 0
    }
}
