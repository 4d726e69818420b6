//! The Television Interface Adaptor (Stella Programmer's Guide).
//!
//! The TIA has two sides. The bus side (`bus`) handles at once what the CPU can notice: WSYNC, the end of a frame, the
//! paddles' capacitors. All other writes go into a [`log::Log`] with their colour clocks, unless they change nothing.
//! The picture side (`beam`) holds the registers, positions and collision latches as of a colour clock. Playing a log to
//! the beam draws pixels, collisions, both or neither. That happens
//!
//! - when the program reads a collision register: for the collisions up to that clock;
//! - at the end of a frame: for pixels and collisions if the caller wants the picture, else only for the collisions
//!   since the frame's last CXCLR;
//! - when a caller asks for the picture of a frame that was not drawn: for pixels, from the beam at the frame's start.
//!
//! Invariant: pixels and collisions do not depend on when the log is played.
//!
//! [`Tia`] is made of groups: the frame in time (`frame`), what the bus side remembers (`shadow`), the log with the beam
//! (`playback`) and the two frame buffers, which take turns (`buffers`).
//!
//! An object on a line is a 160-bit mask (`mask`), a span of a line is drawn by bit operations on masks (`span`), and pixels that
//! a frame buffer has already are not drawn again (`canvas`).

mod beam;
mod buffers;
mod bus;
mod canvas;
mod coverage;
mod frame;
pub(crate) mod log;
mod mask;
mod object;
mod pictures;
mod playback;
mod recording;
mod register;
mod save;
mod shadow;
mod span;

use crate::sound::Sound;
use crate::{Drawing, FrameGeometry, HmoveBlanks};
use beam::Beam;
pub(crate) use beam::LINE;
use buffers::Buffers;
pub(crate) use bus::{Concern, concern};
use frame::Frame;
pub(crate) use frame::FrameEnd;
pub use pictures::Mark;
pub(crate) use pictures::Pictures;
use playback::Playback;
pub(crate) use register::TOUCH;
use shadow::{Access, Shadow};

/// The TIA.
#[derive(Clone, Debug)]
pub(crate) struct Tia {
    /// Which lines a frame shows, from which the window of each frame follows.
    geometry: FrameGeometry,
    pub(crate) hmove_blanks: HmoveBlanks,
    pub(crate) frame: Frame,
    dump: Dump,
    /// The two sound channels. A reset leaves them as they are.
    pub(crate) sound: Sound,
    pub(crate) shadow: Shadow,
    pub(crate) playback: Playback,
    buffers: Buffers,
}

/// VBLANK bit 7: the paddles' capacitors are held empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dump {
    pub(crate) enabled: bool,
    /// CPU cycle at which they began to charge.
    pub(crate) off_cycle: i32,
}

impl Dump {
    /// The capacitors have charged since CPU cycle 0.
    const OFF: Self = Self {
        enabled: false,
        off_cycle: 0,
    };
}

impl Tia {
    pub(crate) fn new(geometry: FrameGeometry, hmove_blanks: HmoveBlanks) -> Self {
        let frame = Frame::new(geometry);
        let beam = Beam::new(frame.window, hmove_blanks);
        Self {
            geometry,
            hmove_blanks,
            frame,
            dump: Dump::OFF,
            sound: Sound::new(),
            shadow: Shadow::new(),
            playback: Playback::new(&beam),
            buffers: Buffers::new(geometry, &beam),
        }
    }

    /// Resets everything but the partial-frame flag and the sound, as ALE's machine does.
    pub(crate) fn reset(&mut self) {
        self.buffers.blacken();
        self.frame.reset(self.geometry);
        self.dump = Dump::OFF;
        self.shadow = Shadow::new();
        self.playback.beam = Beam::new(self.frame.window, self.hmove_blanks);
        self.playback.resume(0);
    }

    /// Changes the geometry, which applies from the next reset.
    pub(crate) fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.geometry = geometry;
        self.buffers.resize(geometry, &self.playback.beam);
    }

    pub(crate) fn geometry(&self) -> FrameGeometry {
        self.geometry
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.frame.is_partial()
    }

    /// Lines from the start of the frame to `cycles`.
    pub(crate) fn scanlines(&self, cycles: i32) -> i32 {
        self.frame.scanlines(cycles)
    }

    pub(crate) fn dump(&self) -> Dump {
        self.dump
    }

    /// Clears the cycle at which the capacitors began to charge. Without paddles nothing reads it, and saved states must not depend on it.
    pub(crate) fn forget_charging(&mut self) {
        self.dump.off_cycle = 0;
    }

    /// Starts a frame, or continues a partial one. Returns the CPU cycles by which all clocks have to be set back.
    pub(crate) fn begin(&mut self, cycles: i32, drawing: Drawing) -> i32 {
        self.frame.end = FrameEnd::No;
        if self.frame.is_partial() {
            self.buffers.resume();
            return self.set_back(cycles);
        }
        self.buffers.begin();
        self.frame.begin(self.geometry, cycles);
        self.dump.off_cycle = self.dump.off_cycle.wrapping_sub(cycles);
        let window = self.frame.window;
        let colour_loss = self.frame.loses_colours(self.geometry);
        self.playback
            .beam
            .start_frame(window, cycles.wrapping_mul(3), colour_loss);
        self.shadow.last_access = Access {
            clock: window.frame_start,
            register: TOUCH,
        };
        self.playback.drawing = drawing == Drawing::Immediate;
        if self.playback.drawing {
            self.buffers.provide_raster();
        }
        self.playback.begin_log(window.frame_start);
        self.playback.log_is_complete = true;
        cycles
    }

    /// Keeps the clocks of a frame that does not end from overflowing. Returns the CPU cycles by which they are set back.
    fn set_back(&mut self, cycles: i32) -> i32 {
        if !Frame::is_long(cycles) {
            return 0;
        }
        let clocks = 3 * frame::SET_BACK;
        self.frame.shift_clocks(clocks);
        self.dump.off_cycle = self.dump.off_cycle.wrapping_sub(frame::SET_BACK);
        self.playback.beam.shift_clocks(clocks);
        // An access before the limit of lines keeps its clock.
        let last = &mut self.shadow.last_access.clock;
        if *last >= self.frame.limit {
            *last = (*last - clocks).max(self.frame.limit);
        }
        self.playback.begin_log(*last);
        frame::SET_BACK
    }

    /// Ends the call: the CPU stopped at `cycles`, at the frame's end or short of it.
    pub(crate) fn finish(&mut self, cycles: i32, greying: Greying) {
        self.play();
        self.draw_to_last_access();
        self.buffers.note_extent(self.playback.beam.extent());
        self.frame.finish(cycles);
        let has_ended = self.frame.end == FrameEnd::Yes;
        if has_ended && self.playback.beam.window_is_drawn() && self.playback.log_is_complete {
            self.buffers.record(&self.playback);
        } else {
            self.settle();
        }
        if !has_ended && greying == Greying::Due {
            self.grey_below(cycles);
        }
        self.playback.begin_log(self.shadow.last_access.clock);
    }

    /// Plays the logged writes to the beam.
    fn play(&mut self) {
        self.playback.play(&mut self.buffers.canvas());
    }

    /// Moves the beam to a colour clock.
    fn draw_to(&mut self, clock: i32) {
        self.playback.draw_to(clock, &mut self.buffers.canvas());
    }

    /// Moves the beam to the last access.
    fn draw_to_last_access(&mut self) {
        let Access { clock, register } = self.shadow.last_access;
        let since = clock.wrapping_sub(self.frame.window.frame_start);
        self.draw_to(clock.wrapping_add(register::delay(register, since)));
    }

    /// Brings the current buffer up to the beam, and gives up the log before it.
    fn settle(&mut self) {
        self.buffers.settle(&self.playback);
        self.playback.log_is_complete = false;
        self.playback.drawing = true;
    }

    /// Turns the pixels below the beam grey, as ALE's machine does when a frame stops without an end.
    fn grey_below(&mut self, cycles: i32) {
        let row = self.scanlines(cycles) - i32::from(self.geometry.first_line);
        self.buffers.grey_from(row.max(0) as usize);
    }

    /// The present picture: palette indices, row by row.
    pub(crate) fn pixels(&mut self) -> &[u8] {
        self.buffers.pixels()
    }

    /// The present picture, and the one in the other frame buffer.
    pub(crate) fn screens(&mut self) -> [&[u8]; 2] {
        self.buffers.screens()
    }
}

/// Whether the undrawn part of a partial frame turns grey, which it does after the first call of the frame only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Greying {
    Due,
    Done,
}
