//! The beam: the TIA's registers, positions and collision latches as of a colour clock.
//!
//! A [`Beam`] does not know the CPU. It takes the writes of a frame with their colour clocks, in order, and draws the pixels
//! between them, their collisions, both or neither. It is a small `Copy` value, so a copy of it and the writes since then
//! suffice to draw a frame later.
//!
//! A write within a line does not draw what lies left of it. The pixels wait, and the objects' masks take the change from
//! the beam on (`objects`). The line is drawn in one go at its end (`draw`), unless masks cannot hold a change, such as a new
//! value of a colour in use.

mod ahead;
mod draw;
mod hmove;
mod objects;
mod save;
mod write;

use super::mask::FirstCopy;
use super::object::{PF, Set, bit};
use super::span::{Colours, Objects};
use crate::{HmoveBlanks, WIDTH};

/// Colour clocks of a line.
pub(crate) const LINE: i32 = 228;
/// Colour clocks of the horizontal blank, before pixel 0.
const HBLANK: i32 = 68;
/// How far HMOVE stretches the horizontal blank: to the end of pixel 7.
const HMOVE_BLANK_END: i32 = 76;

/// The playfield's pixels, beside the objects. They are made from its cells, where cells are not enough.
const PF_PIXELS: Set = bit(PF + 1);

/// Pixels of a cell of the playfield.
const CELL: usize = 4;

/// The part of a frame that is shown, in colour clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The frame's start.
    pub(crate) frame_start: i32,
    /// The start of the first line shown.
    pub(crate) start: i32,
    /// The end of the last line shown.
    pub(crate) end: i32,
}

/// The parameters of missile 0 as of the last event that latched them.
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
    /// The beam's colour clock: nothing before it can change.
    clock: i32,
    /// Colour clock up to which this line's pixels are drawn, at least its first pixel's. The pixels from here to `clock` wait,
    /// and `objects` and `cells` hold what covers them.
    drawn: i32,
    /// Colour clock at which the present line ends.
    line_end: i32,
    /// The present line's row in the picture.
    row: usize,
    /// An HMOVE will blank the first eight pixels of the line that reaches them next.
    hmove_blank: bool,
    /// Where in this line's horizontal blank the first access since that HMOVE was; 0 for none.
    first_stop: i32,
    /// The first of this line's eight pixels that an HMOVE blanks.
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
    /// The objects whose masks, or cells, are out of date.
    stale: u8,
    /// The stale objects whose masks stay valid left of the pixel in `since`.
    parted: u8,
    since: [u8; 6],
    /// The objects whose masks have parts from earlier values of their registers.
    joined: u8,
    /// The objects that are switched on, wherever they are.
    enabled: u8,
    /// The objects that were switched on for a part of the pixels that wait.
    shown: u8,
    cells: u64,
    objects: Objects,
    /// The collision latches, two for each read register from CXM0P on; the lower bit of a pair is the register's bit 7.
    collisions: u16,
}

impl Beam {
    /// The beam after power-on, at the start of a frame.
    pub(crate) fn new(window: Window, hmove_blanks: HmoveBlanks) -> Self {
        Self {
            window,
            hmove_blanks,
            clock: window.frame_start,
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
        }
    }

    /// Recomputes what follows from the registers, after these have been restored.
    pub(crate) fn forget_masks(&mut self) {
        self.start_objects();
        self.stale = u8::MAX;
        self.drawn = self.clock.max(self.line_end - WIDTH as i32);
        self.blank_from = None;
        self.moving = (0..5).fold(0, |moving, object| {
            moving | u8::from(self.motion[object] != 0) << object
        });
        for player in 0..2 {
            self.enable_player(player);
            self.enable_missile(player);
        }
        self.enable_ball();
        self.enable(bit(PF), self.playfield != 0);
    }

    /// Starts a frame with this window. All clocks have been set back by `shift`.
    pub(crate) fn start_frame(&mut self, window: Window, shift: i32, colour_loss: bool) {
        self.window = window;
        self.clock = window.start;
        self.line_end = window.start + LINE;
        self.row = 0;
        self.start_line();
        self.shift_clocks(shift);
        self.colour_loss = colour_loss;
        for colour in &mut self.colours {
            *colour = *colour & 0xFE | u8::from(colour_loss);
        }
    }

    /// Sets back all clocks except those of the window.
    pub(crate) fn shift_clocks(&mut self, clocks: i32) {
        self.last_hmove = self.last_hmove.wrapping_sub(clocks);
    }

    /// Starts a line: nothing of it is drawn, and the masks follow from the registers alone.
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

    /// The beam's colour clock.
    pub(crate) fn clock(&self) -> i32 {
        self.clock
    }

    /// The end of the last line shown.
    pub(crate) fn window_end(&self) -> i32 {
        self.window.end
    }

    /// Colour clocks from the start of the window to the beam.
    pub(crate) fn extent(&self) -> i32 {
        (self.clock.min(self.window.end) - self.window.start).max(0)
    }

    /// Whether every line of the window has been drawn.
    pub(crate) fn window_is_drawn(&self) -> bool {
        self.clock >= self.window.end
    }

    /// The collision latches of read register `register` (0..=7), as its bits 7 and 6.
    pub(crate) fn collision_bits(&self, register: u8) -> u8 {
        let pair = self.collisions >> (2 * (register & 7)) & 3;
        (pair as u8 & 1) << 7 | (pair as u8 & 2) << 5
    }
}

/// Wraps a position that is less than a line beyond either end of the line.
#[inline]
fn wrap(position: i32) -> u8 {
    let width = WIDTH as i32;
    let position = if position < 0 { position + width } else { position };
    (if position >= width { position - width } else { position }) as u8
}
