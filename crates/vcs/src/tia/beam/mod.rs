//! The beam: the TIA's registers as the picture sees them, drawn up to a colour clock.
//!
//! A [`Beam`] knows nothing of the CPU. It is fed the writes of a frame with their clocks, in order, and draws what lies
//! between them: pixels, collisions, both or neither. Because it is a small `Copy` value, the start of a frame can be kept and
//! the frame drawn later, when somebody looks at it.

mod draw;
mod write;

use super::mask::{self, FirstCopy};
use super::span::{self, Colours, Objects};
use crate::state::fields;
use crate::{HmoveBlanks, WIDTH};

/// Colour clocks of a line.
pub(crate) const LINE: i32 = 228;
/// Colour clocks of the horizontal blank, before pixel 0.
const HBLANK: i32 = 68;
/// How far HMOVE stretches the horizontal blank: to the end of pixel 7.
const HMOVE_BLANK_END: i32 = 76;

/// Bits of [`Beam::stale`]: the object masks to be made anew before the next span. Bit `n` is that of movable object `n`.
const STALE_P0: u8 = 1;
const STALE_M0: u8 = 4;
const STALE_M1: u8 = 8;
const STALE_BL: u8 = 16;
const STALE_PF: u8 = 32;
/// All of them.
const ALL: u8 = 63;

/// Index into the five movable objects.
const M0: usize = 2;
const M1: usize = 3;
const BL: usize = 4;

/// Where the window on the picture begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Colour clock at which the frame began.
    pub(crate) frame_start: i32,
    /// Colour clock of the first line shown.
    pub(crate) start: i32,
    /// Colour clock after the last line shown.
    pub(crate) end: i32,
}

/// Missile 0 keeps the parameters of the last event that latched them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Missile0 {
    position: u8,
    nusiz: u8,
    size_code: u8,
    hidden: bool,
}

/// The picture's side of the TIA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    window: Window,
    hmove_blanks: HmoveBlanks,
    /// Colour clock up to which the picture is drawn.
    last: i32,
    /// Colour clock at which the line that is being drawn ends.
    line_end: i32,
    /// Where that line begins in the picture.
    row: usize,
    /// HMOVE blanks the first eight pixels of the next line that reaches them.
    hmove_blank: bool,
    /// Where in the horizontal blank the first access in this line was while the blank waited; 0 for none.
    first_stop: i32,
    last_hmove: i32,
    /// Step of the Cosmic Ark effect, while it is on.
    cosmic_ark: Option<u8>,
    vblank: bool,
    /// PAL's colour loss: the previous frame had an odd number of lines.
    colour_loss: bool,
    colours: Colours,
    control_playfield: u8,
    reflect: bool,
    playfield: u32,
    nusiz: [u8; 2],
    reflect_player: [bool; 2],
    graphics: [u8; 2],
    old_graphics: [u8; 2],
    enable_missile: [bool; 2],
    enable_ball: bool,
    old_enable_ball: bool,
    vertical_delay: [bool; 3],
    missile_locked: [bool; 2],
    position: [u8; 5],
    motion: [u8; 5],
    first_copy: [FirstCopy; 2],
    missile0: Missile0,
    stale: u8,
    /// The objects that are switched on, wherever they are: bit `n` is that of movable object `n`, the next the playfield's.
    enabled: u8,
    objects: Objects,
    /// The sixteen latches, two a read register from CXM0P on; the lower bit of a pair is the register's bit 7.
    collisions: u16,
}

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
});

fields!(Beam {
    window,
    last,
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

impl Beam {
    /// The beam after power-on, with nothing drawn since `window.frame_start`.
    pub(crate) fn new(window: Window, hmove_blanks: HmoveBlanks) -> Self {
        Self {
            window,
            hmove_blanks,
            last: window.frame_start,
            line_end: window.frame_start + LINE,
            row: 0,
            hmove_blank: false,
            first_stop: 0,
            last_hmove: 0,
            cosmic_ark: None,
            vblank: false,
            colour_loss: false,
            colours: [0; 4],
            control_playfield: 0,
            reflect: false,
            playfield: 0,
            nusiz: [0; 2],
            reflect_player: [false; 2],
            graphics: [0; 2],
            old_graphics: [0; 2],
            enable_missile: [false; 2],
            enable_ball: false,
            old_enable_ball: false,
            vertical_delay: [false; 3],
            missile_locked: [false; 2],
            position: [0; 5],
            motion: [0; 5],
            first_copy: [FirstCopy::Shown; 2],
            missile0: Missile0::default(),
            stale: 0,
            enabled: 0,
            objects: Objects::default(),
            collisions: 0,
        }
    }

    /// Makes anew what follows from the registers, after they have been restored.
    pub(crate) fn forget_masks(&mut self) {
        self.stale = u8::MAX;
        for player in 0..2 {
            self.enable_player(player);
            self.enable_missile(player);
        }
        self.enable_ball();
        self.enable(STALE_PF, self.playfield != 0);
    }

    /// Starts a frame: the clocks have been set back by `shift`, and the window is where it says.
    pub(crate) fn start_frame(&mut self, window: Window, shift: i32, colour_loss: bool) {
        self.window = window;
        self.last = window.start;
        self.line_end = window.start + LINE;
        self.row = 0;
        self.first_stop = 0;
        self.last_hmove = self.last_hmove.wrapping_sub(shift);
        self.colour_loss = colour_loss;
        for colour in &mut self.colours {
            *colour = *colour & 0xFE | u8::from(colour_loss);
        }
    }

    /// Colour clock up to which the picture is drawn.
    pub(crate) fn clock(&self) -> i32 {
        self.last
    }

    /// Colour clock after the last line shown.
    pub(crate) fn window_end(&self) -> i32 {
        self.window.end
    }

    /// Every pixel of the window has been drawn.
    pub(crate) fn window_is_drawn(&self) -> bool {
        self.last >= self.window.end
    }

    /// The collision latches as the bits 7 and 6 of read register `register` (0..=7).
    pub(crate) fn collision_bits(&self, register: u8) -> u8 {
        let pair = self.collisions >> (2 * (register & 7)) & 3;
        (pair as u8 & 1) << 7 | (pair as u8 & 2) << 5
    }

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

    /// Notes that an object has changed and whether it is switched on.
    #[inline]
    fn enable(&mut self, object: u8, on: bool) {
        self.stale |= object;
        self.enabled = if on {
            self.enabled | object
        } else {
            self.enabled & !object
        };
    }

    #[inline]
    fn enable_player(&mut self, player: usize) {
        self.enable(STALE_P0 << player, self.effective_graphics(player) != 0);
    }

    #[inline]
    fn enable_missile(&mut self, missile: usize) {
        let on = self.enable_missile[missile] && !self.missile_locked[missile];
        self.enable(STALE_M0 << missile, on);
    }

    #[inline]
    fn enable_ball(&mut self) {
        self.enable(STALE_BL, self.ball_is_enabled());
    }

    /// Makes the masks of those `objects` that have changed.
    #[inline]
    fn refresh(&mut self, objects: u8) {
        let stale = self.stale & objects;
        if stale != 0 {
            self.stale &= !objects;
            self.refresh_stale(stale);
        }
    }

    #[inline(never)]
    fn refresh_stale(&mut self, stale: u8) {
        for player in 0..2 {
            if stale & STALE_P0 << player != 0 {
                self.objects.set(span::PLAYER + player, self.player_mask(player));
            }
        }
        if stale & STALE_M0 != 0 {
            let Missile0 {
                position,
                nusiz,
                size_code,
                hidden,
            } = self.missile0;
            let shown = self.enabled & STALE_M0 != 0 && !hidden;
            let mask = if shown {
                mask::missile(position, nusiz, size_code)
            } else {
                mask::EMPTY
            };
            self.objects.set(span::MISSILE, mask);
        }
        if stale & STALE_M1 != 0 {
            let shown = self.enabled & STALE_M1 != 0;
            let nusiz = self.nusiz[1];
            let mask = if shown {
                mask::missile(self.position[M1], nusiz, nusiz >> 4 & 3)
            } else {
                mask::EMPTY
            };
            self.objects.set(span::MISSILE + 1, mask);
        }
        if stale & STALE_BL != 0 {
            let shown = self.enabled & STALE_BL != 0;
            let size_code = self.control_playfield >> 4 & 3;
            let mask = if shown {
                mask::missile(self.position[BL], 0, size_code)
            } else {
                mask::EMPTY
            };
            self.objects.set(span::BALL, mask);
        }
        if stale & STALE_PF != 0 {
            self.objects
                .set(span::PLAYFIELD, mask::playfield(self.playfield, self.reflect));
        }
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

    fn set_reflect(&mut self, reflect: bool) {
        if self.reflect != reflect {
            self.reflect = reflect;
            self.stale |= STALE_PF;
        }
    }

    fn show_first_copies(&mut self) {
        for player in 0..2 {
            self.set_first_copy(player, FirstCopy::Shown);
        }
    }

    fn set_first_copy(&mut self, player: usize, first: FirstCopy) {
        if self.first_copy[player] != first {
            self.first_copy[player] = first;
            self.stale |= STALE_P0 << player;
        }
    }

    fn latch_missile0(&mut self) {
        let latched = Missile0 {
            position: self.position[M0],
            nusiz: self.nusiz[0] & 7,
            size_code: self.nusiz[0] >> 4 & 3,
            hidden: false,
        };
        if self.missile0 != latched {
            self.missile0 = latched;
            self.stale |= STALE_M0;
        }
    }
}

/// A position back on the line.
fn wrap(position: i32) -> u8 {
    position.rem_euclid(WIDTH as i32) as u8
}
