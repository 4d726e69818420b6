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
//! Two frame buffers take turns (`buffers`). An object on a line is a 160-bit mask (`mask`), a span of a line is drawn by
//! bit operations on masks (`span`), and pixels that a frame buffer has already are not drawn again (`canvas`).

mod beam;
mod buffers;
mod bus;
mod canvas;
mod coverage;
pub(crate) mod log;
mod mask;
mod object;
mod pictures;
mod recording;
mod register;
mod save;
mod span;

use crate::sound::Sound;
use crate::{Drawing, FrameGeometry, HmoveBlanks, TvFormat};
pub(crate) use beam::LINE;
use beam::{Beam, Window};
use buffers::FrameBuffer;
use bus::Access;
pub(crate) use bus::{Concern, concern};
use coverage::Coverage;
use log::Log;
pub use pictures::Mark;
pub(crate) use pictures::Pictures;
pub(crate) use register::TOUCH;

/// A VSYNC deadline that no frame reaches.
const NEVER: i32 = i32::MAX;

/// CPU cycles after which the clocks of a frame that does not end are set back. The limit of lines is far below.
const LONG_FRAME: i32 = 1 << 28;
/// CPU cycles by which they are set back: an even number of lines.
const SET_BACK: i32 = LONG_FRAME / 2 / (2 * LINE / 3) * (2 * LINE / 3);
/// An upper bound of the CPU cycles of one call.
const LONGEST_CALL: i32 = 1 << 22;

/// Whether the frame ends after the instruction in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum FrameEnd {
    /// The frame goes on.
    No,
    /// VSYNC was on for long enough and is off, or there were too many lines.
    Yes,
}

/// The TIA.
#[derive(Clone, Debug)]
pub(crate) struct Tia {
    geometry: FrameGeometry,
    pub(crate) hmove_blanks: HmoveBlanks,
    pub(crate) window: Window,
    /// Colour clock at which there are too many lines.
    pub(crate) limit: i32,
    vsync_deadline: i32,
    /// CPU cycle at which a recent line began, from which WSYNC computes the next one.
    pub(crate) line: i32,
    pub(crate) frame_end: FrameEnd,
    /// The two sound channels. A reset leaves them as they are.
    pub(crate) sound: Sound,
    /// The last frame stopped before its end. The next call continues it.
    partial: bool,
    /// Lines of the last frame that ended.
    lines: i32,
    dump: Dump,
    /// The last value written to each register, to leave out writes that change nothing.
    pub(crate) shadow: [u8; 64],
    /// Which of GRP0, GRP1 and ENABL have been copied to their delayed registers since they changed: a bit each, GRP0's lowest.
    pub(crate) copied: u8,
    /// An HMOVE blank is pending: the next access in the window is logged even if it changes nothing.
    pub(crate) hmove_pending: bool,
    pub(crate) last_access: Access,
    beam: Beam,
    /// The beam at the log's beginning.
    start: Beam,
    /// The log reaches back to the frame's start.
    log_is_complete: bool,
    /// The present frame's log.
    pub(crate) log: Log,
    /// Entries of the log that the beam has played.
    played: usize,
    /// Entries of the log up to the last CXCLR.
    cleared: usize,
    /// Playing the log draws pixels to the current buffer.
    drawing: bool,
    buffers: [FrameBuffer; 2],
    /// The index of the buffer of the last frame, or of the one in progress.
    current: usize,
    coverage: Coverage,
}

/// VBLANK bit 7: the paddles' capacitors are held empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dump {
    pub(crate) enabled: bool,
    /// CPU cycle at which they began to charge.
    pub(crate) off_cycle: i32,
}

impl Tia {
    pub(crate) fn new(geometry: FrameGeometry, hmove_blanks: HmoveBlanks) -> Self {
        let window = window(geometry, 0);
        let beam = Beam::new(window, hmove_blanks);
        Self {
            geometry,
            hmove_blanks,
            window,
            limit: limit(geometry, 0),
            vsync_deadline: NEVER,
            line: 0,
            frame_end: FrameEnd::No,
            sound: Sound::new(),
            partial: false,
            lines: 0,
            dump: Dump {
                enabled: false,
                off_cycle: 0,
            },
            shadow: [0; 64],
            copied: 0,
            hmove_pending: false,
            last_access: Access {
                clock: 0,
                register: TOUCH,
            },
            beam,
            start: beam,
            log_is_complete: false,
            log: Log::new(),
            played: 0,
            cleared: 0,
            drawing: true,
            buffers: buffers(geometry, &beam),
            current: 0,
            coverage: Coverage::default(),
        }
    }

    /// Resets everything but the partial-frame flag and the sound, as ALE's machine does.
    pub(crate) fn reset(&mut self) {
        self.buffers.iter_mut().for_each(FrameBuffer::blacken);
        self.current = 0;
        self.coverage = Coverage::default();
        self.window = window(self.geometry, 0);
        self.limit = limit(self.geometry, 0);
        self.vsync_deadline = NEVER;
        self.line = 0;
        self.lines = 0;
        self.dump = Dump {
            enabled: false,
            off_cycle: 0,
        };
        self.shadow = [0; 64];
        self.copied = 0;
        self.hmove_pending = false;
        self.last_access = Access {
            clock: 0,
            register: TOUCH,
        };
        self.beam = Beam::new(self.window, self.hmove_blanks);
        self.log_is_complete = false;
        self.drawing = true;
        self.begin_log(0);
    }

    /// Changes the geometry, which applies from the next reset.
    pub(crate) fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.geometry = geometry;
        self.buffers = buffers(geometry, &self.beam);
    }

    pub(crate) fn geometry(&self) -> FrameGeometry {
        self.geometry
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.partial
    }

    /// Lines from the start of the frame to `cycles`.
    pub(crate) fn scanlines(&self, cycles: i32) -> i32 {
        cycles.wrapping_mul(3).wrapping_sub(self.window.frame_start) / LINE
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
        self.frame_end = FrameEnd::No;
        if self.partial {
            self.resume_drawing();
            return self.set_back(cycles);
        }
        self.current = 1 - self.current;
        self.coverage.begin();
        let clock = cycles.wrapping_mul(3);
        let line_phase = clock.wrapping_sub(self.window.frame_start) % LINE;
        self.vsync_deadline = self.vsync_deadline.wrapping_sub(clock);
        self.dump.off_cycle = self.dump.off_cycle.wrapping_sub(cycles);
        self.window = window(self.geometry, -line_phase);
        self.limit = limit(self.geometry, -line_phase);
        let colour_loss = self.geometry.tv == TvFormat::Pal && self.lines & 1 != 0;
        self.line = -line_phase / 3;
        self.beam.start_frame(self.window, clock, colour_loss);
        self.last_access = Access {
            clock: -line_phase,
            register: TOUCH,
        };
        self.drawing = drawing == Drawing::Immediate;
        if self.drawing {
            self.provide_raster();
        }
        self.begin_log(-line_phase);
        self.log_is_complete = true;
        self.partial = true;
        cycles
    }

    /// Keeps the clocks of a frame that does not end from overflowing. Returns the CPU cycles by which they are set back.
    fn set_back(&mut self, cycles: i32) -> i32 {
        if cycles < LONG_FRAME {
            return 0;
        }
        let clocks = 3 * SET_BACK;
        self.vsync_deadline = self.vsync_deadline.wrapping_sub(clocks);
        self.dump.off_cycle = self.dump.off_cycle.wrapping_sub(SET_BACK);
        self.beam.shift_clocks(clocks);
        // An access before the limit of lines keeps its clock.
        if self.last_access.clock >= self.limit {
            self.last_access.clock = (self.last_access.clock - clocks).max(self.limit);
        }
        self.begin_log(self.last_access.clock);
        SET_BACK
    }

    fn begin_log(&mut self, base: i32) {
        self.log.clear(base);
        self.start = self.beam;
        self.played = 0;
        self.cleared = 0;
    }

    /// Ends the call: the CPU stopped at `cycles`, at the frame's end or short of it.
    pub(crate) fn finish(&mut self, cycles: i32, greying: Greying) {
        self.play();
        self.draw_to_last_access();
        self.coverage.note(self.current, self.beam.extent());
        if self.frame_end == FrameEnd::Yes {
            self.lines = self.scanlines(cycles);
            self.partial = false;
        }
        let frame_is_drawn = self.frame_end == FrameEnd::Yes && self.beam.window_is_drawn();
        if frame_is_drawn && self.log_is_complete {
            self.record();
        } else {
            self.settle();
        }
        if self.frame_end == FrameEnd::No && greying == Greying::Due {
            self.grey_below(cycles);
        }
        self.begin_log(self.last_access.clock);
    }
}

/// Whether the undrawn part of a partial frame turns grey, which it does after the first call of the frame only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Greying {
    Due,
    Done,
}

fn buffers(geometry: FrameGeometry, beam: &Beam) -> [FrameBuffer; 2] {
    [FrameBuffer::new(geometry, beam), FrameBuffer::new(geometry, beam)]
}

fn window(geometry: FrameGeometry, frame_start: i32) -> Window {
    let start = frame_start + LINE * i32::from(geometry.first_line);
    Window {
        frame_start,
        start,
        end: start + LINE * i32::from(geometry.height),
    }
}

fn limit(geometry: FrameGeometry, frame_start: i32) -> i32 {
    let lines = match geometry.tv {
        TvFormat::Ntsc => 290,
        TvFormat::Pal => 342,
    };
    frame_start + LINE * (lines + 1)
}
