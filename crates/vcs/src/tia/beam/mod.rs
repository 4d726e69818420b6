//! The beam: the TIA's registers, positions and collision latches as of a colour clock.
//!
//! A [`Beam`] does not know the CPU. It takes the writes of a frame with their colour clocks, in order, and draws the pixels
//! between them, their collisions, both or neither. It is a small `Copy` value, so a copy of it and the writes since then
//! suffice to draw a frame later.
//!
//! A write within a line does not draw what lies left of it. The pixels wait, and the objects' masks take the change from
//! the beam on (`masks`). The line is drawn in one go at its end (`draw`), unless masks cannot hold a change, such as a new
//! value of a colour in use.
//!
//! What most writes and lines run is inlined into the loop over the writes. The V8 of Node 20 inlines no function of a module, and with calls
//! instead steps take some 7 percent longer there.

mod ahead;
mod draw;
mod hmove;
mod line;
mod masks;
mod movable;
mod registers;
mod write;

use super::span;
use crate::HmoveBlanks;
use crate::state::fields;
use hmove::Hmove;
pub(crate) use line::LINE;
use line::Line;
use masks::Masks;
use movable::Movable;
use registers::Registers;

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

/// The picture's side of the TIA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    /// The part of the frame that is drawn.
    window: Window,
    line: Line,
    hmove: Hmove,
    registers: Registers,
    movable: Movable,
    masks: Masks,
    /// The collision latches, two for each read register from CXM0P on; the lower bit of a pair is the register's bit 7.
    collisions: u16,
}

fields!(Window {
    frame_start,
    start,
    end
});
fields!(Beam {
    window,
    line,
    hmove,
    registers,
    movable,
    collisions,
});

impl Beam {
    /// The beam after power-on, at the start of a frame.
    pub(crate) fn new(window: Window, hmove_blanks: HmoveBlanks) -> Self {
        Self {
            window,
            line: Line::first(window.frame_start),
            hmove: Hmove::new(hmove_blanks),
            registers: Registers::default(),
            movable: Movable::new(),
            masks: Masks::default(),
            collisions: 0,
        }
    }

    /// Recomputes what follows from the loaded fields.
    pub(crate) fn resume(&mut self) {
        self.line.forget_waiting();
        self.hmove.blank_from = None;
        self.forget_masks();
    }

    /// Whether a beam in this window can have the loaded fields.
    pub(crate) fn is_valid(&self, window: Window) -> bool {
        self.window == window && self.line.is_valid(window) && self.collisions & !span::possible(u8::MAX) == 0
    }

    /// Starts a frame with this window. All clocks have been set back by `shift`.
    pub(crate) fn start_frame(&mut self, window: Window, shift: i32, colour_loss: bool) {
        self.window = window;
        self.line = Line::first(window.start);
        self.start_line();
        self.shift_clocks(shift);
        self.registers.set_colour_loss(colour_loss);
    }

    /// Sets back all clocks except those of the window.
    pub(crate) fn shift_clocks(&mut self, clocks: i32) {
        self.hmove.last = self.hmove.last.wrapping_sub(clocks);
    }

    /// Starts to draw the present line.
    #[inline]
    fn start_line(&mut self) {
        self.hmove.start_line();
        self.masks.start_line();
    }

    /// The beam's colour clock.
    pub(crate) fn clock(&self) -> i32 {
        self.line.clock
    }

    /// The end of the last line shown.
    pub(crate) fn window_end(&self) -> i32 {
        self.window.end
    }

    /// Colour clocks from the start of the window to the beam.
    pub(crate) fn extent(&self) -> i32 {
        (self.line.clock.min(self.window.end) - self.window.start).max(0)
    }

    /// Whether every line of the window has been drawn.
    pub(crate) fn window_is_drawn(&self) -> bool {
        self.line.clock >= self.window.end
    }

    /// Whether the colours are lost: PAL's, after a frame with an odd number of lines.
    pub(crate) fn has_colour_loss(&self) -> bool {
        self.registers.has_colour_loss()
    }

    /// Whether an HMOVE is going to blank pixels.
    pub(crate) fn has_hmove_blank(&self) -> bool {
        self.hmove.blank_is_pending
    }

    /// The collision latches of read register `register` (0..=7), as its bits 7 and 6.
    pub(crate) fn collision_bits(&self, register: u8) -> u8 {
        let pair = self.collisions >> (2 * (register & 7)) & 3;
        (pair as u8 & 1) << 7 | (pair as u8 & 2) << 5
    }
}
