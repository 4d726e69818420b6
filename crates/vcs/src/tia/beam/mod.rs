//! The beam: the TIA's registers as the picture sees them, drawn up to a colour clock.
//!
//! A [`Beam`] knows nothing of the CPU. It is fed the writes of a frame with their clocks, in order, and draws what lies
//! between them: pixels, collisions, both or neither. Because it is a small `Copy` value, the start of a frame can be kept and
//! the frame drawn later, when somebody looks at it.

mod draw;
mod latches;
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

/// Objects, a bit each: bit `n` is that of movable object `n`, the next the playfield's.
const BIT_P0: u8 = 1;
const BIT_P1: u8 = 2;
const BIT_M0: u8 = 4;
const BIT_M1: u8 = 8;
const BIT_BL: u8 = 16;
const BIT_PF: u8 = 32;
/// The players and missiles, the ball.
const MOVABLE: u8 = 31;
/// The playfield's pixels, which are made from its cells where somebody asks for more than these.
const BIT_PF_PIXELS: u8 = 64;

/// Index into the five movable objects.
const M0: usize = 2;
const M1: usize = 3;
const BL: usize = 4;
/// The playfield's place after them.
const PF: usize = 5;

/// Pixels of a cell of the playfield.
const CELL: usize = 4;

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
    /// Colour clock up to which nothing can change any more.
    last: i32,
    /// Colour clock up to which this line's pixels are drawn, at least that of its first one. The others up to `last` wait, and
    /// `objects` and `cells` know what they were.
    drawn: i32,
    /// Colour clock at which the line that is being drawn ends.
    line_end: i32,
    /// Which row of the picture that line is.
    row: usize,
    /// HMOVE blanks the first eight pixels of the next line that reaches them.
    hmove_blank: bool,
    /// Where in the horizontal blank the first access in this line was while the blank waited; 0 for none.
    first_stop: i32,
    /// The first of this line's eight pixels that HMOVE's blank hides.
    blank_from: Option<u8>,
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
    /// The objects whose motion is not 0.
    moving: u8,
    first_copy: [FirstCopy; 2],
    missile0: Missile0,
    /// The objects whose masks, or cells, are to be made anew before the next span.
    stale: u8,
    /// Those of them that keep what they have before the pixel that `since` tells.
    parted: u8,
    since: [u8; 6],
    /// Those whose masks are not made of their present registers alone.
    joined: u8,
    /// Those that are switched on, wherever they are.
    enabled: u8,
    /// Those that were switched on for a part of what has not been drawn.
    shown: u8,
    cells: u64,
    objects: Objects,
    /// The sixteen latches, two a read register from CXM0P on; the lower bit of a pair is the register's bit 7.
    collisions: u16,
    /// Those of them that are looked for; the others may lack collisions.
    sought: u16,
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
            drawn: window.frame_start + HBLANK,
            line_end: window.frame_start + LINE,
            row: 0,
            hmove_blank: false,
            first_stop: 0,
            blank_from: None,
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
            moving: 0,
            first_copy: [FirstCopy::Shown; 2],
            missile0: Missile0::default(),
            stale: 0,
            parted: 0,
            since: [0; 6],
            joined: 0,
            enabled: 0,
            shown: 0,
            cells: 0,
            objects: Objects::default(),
            collisions: 0,
            sought: u16::MAX,
        }
    }

    /// Makes anew what follows from the registers, after they have been restored.
    pub(crate) fn forget_masks(&mut self) {
        self.start_objects();
        self.stale = u8::MAX;
        self.drawn = self.last.max(self.line_end - WIDTH as i32);
        self.blank_from = None;
        self.moving = (0..5).fold(0, |moving, object| {
            moving | u8::from(self.motion[object] != 0) << object
        });
        for player in 0..2 {
            self.enable_player(player);
            self.enable_missile(player);
        }
        self.enable_ball();
        self.enable(BIT_PF, self.playfield != 0);
    }

    /// Starts a frame: the clocks have been set back by `shift`, and the window is where it says.
    pub(crate) fn start_frame(&mut self, window: Window, shift: i32, colour_loss: bool) {
        self.window = window;
        self.last = window.start;
        self.line_end = window.start + LINE;
        self.row = 0;
        self.start_line();
        self.last_hmove = self.last_hmove.wrapping_sub(shift);
        self.colour_loss = colour_loss;
        for colour in &mut self.colours {
            *colour = *colour & 0xFE | u8::from(colour_loss);
        }
    }

    /// A line begins: nothing of it is drawn, and the objects are what their registers say.
    #[inline]
    fn start_line(&mut self) {
        self.drawn = self.line_end - WIDTH as i32;
        self.first_stop = 0;
        self.blank_from = None;
        self.start_objects();
    }

    #[inline]
    fn start_objects(&mut self) {
        self.stale |= self.joined | self.parted;
        self.joined = 0;
        self.parted = 0;
        self.shown = 0;
    }

    /// Colour clock up to which the picture is drawn.
    pub(crate) fn clock(&self) -> i32 {
        self.last
    }

    /// Colour clock after the last line shown.
    pub(crate) fn window_end(&self) -> i32 {
        self.window.end
    }

    /// Lines shown.
    pub(crate) fn window_rows(&self) -> usize {
        ((self.window.end - self.window.start) / LINE) as usize
    }

    /// Colour clocks from the start of the window to the beam.
    pub(crate) fn extent(&self) -> i32 {
        (self.last.min(self.window.end) - self.window.start).max(0)
    }

    /// Rows of the window that have been drawn to their ends.
    pub(crate) fn rows_drawn(&self) -> usize {
        (self.extent() / LINE) as usize
    }

    /// Every pixel of the window has been drawn.
    pub(crate) fn window_is_drawn(&self) -> bool {
        self.last >= self.window.end
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
        self.enable(BIT_P0 << player, self.effective_graphics(player) != 0);
    }

    #[inline]
    fn enable_missile(&mut self, missile: usize) {
        let on = self.enable_missile[missile] && !self.missile_locked[missile];
        self.enable(BIT_M0 << missile, on);
    }

    #[inline]
    fn enable_ball(&mut self) {
        self.enable(BIT_BL, self.ball_is_enabled());
    }

    /// These objects are about to change: what they have covered so far is kept for the pixels that wait to be drawn.
    #[inline]
    fn keep(&mut self, objects: u8) {
        if self.last > self.drawn {
            self.keep_part(objects);
        }
    }

    #[inline(never)]
    fn keep_part(&mut self, objects: u8) {
        let at = (self.last - (self.line_end - WIDTH as i32)) as u8;
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

    /// Makes the masks of those `objects` that have changed, and the playfield's cells.
    #[inline]
    fn refresh(&mut self, objects: u8) {
        let stale = self.stale & objects;
        if stale != 0 {
            self.refresh_stale(stale);
        }
    }

    #[inline(never)]
    fn refresh_stale(&mut self, stale: u8) {
        self.stale &= !stale;
        for player in 0..2 {
            if stale & BIT_P0 << player != 0 {
                self.set_mask(span::PLAYER + player, self.player_mask(player));
            }
        }
        if stale & BIT_M0 != 0 {
            let Missile0 {
                position,
                nusiz,
                size_code,
                hidden,
            } = self.missile0;
            let shown = self.enabled & BIT_M0 != 0 && !hidden;
            let mask = if shown {
                mask::missile(position, nusiz, size_code)
            } else {
                mask::EMPTY
            };
            self.set_mask(span::MISSILE, mask);
        }
        if stale & BIT_M1 != 0 {
            let shown = self.enabled & BIT_M1 != 0;
            let nusiz = self.nusiz[1];
            let mask = if shown {
                mask::missile(self.position[M1], nusiz, nusiz >> 4 & 3)
            } else {
                mask::EMPTY
            };
            self.set_mask(span::MISSILE + 1, mask);
        }
        if stale & BIT_BL != 0 {
            let shown = self.enabled & BIT_BL != 0;
            let size_code = self.control_playfield >> 4 & 3;
            let mask = if shown {
                mask::missile(self.position[BL], 0, size_code)
            } else {
                mask::EMPTY
            };
            self.set_mask(span::BALL, mask);
        }
        if stale & BIT_PF != 0 {
            self.set_cells();
        }
        if stale & BIT_PF_PIXELS != 0 {
            self.objects.set(span::PLAYFIELD, mask::playfield(self.cells));
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
        if self.parted & BIT_PF == 0 {
            self.cells = cells;
            self.joined &= !BIT_PF;
        } else {
            let kept = (1 << (usize::from(self.since[PF]) / CELL)) - 1;
            self.cells = self.cells & kept | cells & !kept;
            self.parted &= !BIT_PF;
            self.joined |= BIT_PF;
        }
        self.stale |= BIT_PF_PIXELS;
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
            self.stale |= BIT_PF;
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
            self.stale |= BIT_P0 << player;
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
            self.stale |= BIT_M0;
        }
    }
}

/// A position back on the line, less than a line away from it.
#[inline]
fn wrap(position: i32) -> u8 {
    let width = WIDTH as i32;
    let position = if position < 0 { position + width } else { position };
    (if position >= width { position - width } else { position }) as u8
}
