//! The Television Interface Adaptor, as the bus sees it (Stella Programmer's Guide).
//!
//! Writes that only matter to the picture are logged with their clocks, and nothing is drawn until somebody looks: a program
//! that reads a collision register, or a caller who asks for the screen. [`beam::Beam`] then plays the log. The picture and the
//! collisions are the same whenever that happens.
//!
//! Two frame buffers take turns, and a frame that ends early leaves the lines of the frame before the previous one in view. So
//! each buffer keeps its last frame's log, from which it can be drawn, and the rows that this frame has left as they were.

mod beam;
mod bus;
mod canvas;
mod coverage;
mod latches;
pub(crate) mod log;
mod mask;
mod picture;
mod register;
mod save;
mod span;
mod stage;
mod still;

use crate::sound::Sound;
use crate::{FrameGeometry, HmoveBlanks, Picture, TvFormat};
pub(crate) use beam::LINE;
use beam::{Beam, Window};
use bus::Access;
pub(crate) use bus::{Concern, concern};
use coverage::Coverage;
pub use coverage::Mark;
pub(crate) use coverage::Pictures;
use latches::Latches;
use log::Log;
use picture::Buffers;
pub use picture::Screen;
pub(crate) use register::TOUCH;
pub use still::Still;

/// A VSYNC deadline that no frame reaches.
const NEVER: i32 = i32::MAX;

/// Why the CPU is to stop after the instruction in progress.
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
    /// CPU cycle at which the last line began that anybody waited for, or another one.
    pub(crate) line: i32,
    pub(crate) frame_end: FrameEnd,
    /// The two channels. A reset leaves them as they are.
    pub(crate) sound: Sound,
    /// The last frame stopped before its end, and the next call goes on with it.
    partial: bool,
    /// Lines of the last whole frame.
    lines: i32,
    dump: Dump,
    /// What each register was last written, to leave out writes that change nothing.
    pub(crate) shadow: [u8; 64],
    /// Which of GRP0, GRP1 and ENABL have been copied since they changed: bit 0 and the bits as far above it as the register.
    pub(crate) copied: u8,
    /// HMOVE will blank the next line that is drawn, so the first access in the window counts whatever it does.
    pub(crate) hmove_pending: bool,
    pub(crate) last_access: Access,
    beam: Beam,
    /// The beam at the start of the frame that is being played, as long as the log reaches back there.
    start: Option<Beam>,
    /// The present frame's log.
    pub(crate) log: Log,
    /// Entries of the log that the beam has played.
    played: usize,
    /// Entries up to which collisions are forgotten: the last CXCLR.
    cleared: usize,
    /// The current buffer gets its pixels as the beam plays the log.
    drawing: bool,
    latches: Latches,
    buffers: Buffers,
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
            beam: Beam::new(window, hmove_blanks),
            start: None,
            log: Log::new(),
            played: 0,
            cleared: 0,
            drawing: true,
            latches: Latches::default(),
            buffers: Buffers::new(geometry),
            current: 0,
            coverage: Coverage::default(),
        }
    }

    /// The console's reset: everything but the partial-frame flag and what is heard.
    pub(crate) fn reset(&mut self) {
        self.buffers.blacken();
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
        self.start = None;
        self.drawing = true;
        self.begin_log(0);
    }

    /// Another television: its size and lines apply from the next reset.
    pub(crate) fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.seek(latches::ALL);
        self.geometry = geometry;
        self.buffers = Buffers::new(geometry);
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

    /// Nobody will ask since when the capacitors charge. Machines that differ in nothing else are then the same.
    pub(crate) fn forget_charging(&mut self) {
        self.dump.off_cycle = 0;
    }

    /// Starts a frame, or goes on with a partial one. Returns by how many CPU cycles all clocks have to be set back.
    pub(crate) fn begin(&mut self, cycles: i32, picture: Picture) -> i32 {
        self.frame_end = FrameEnd::No;
        self.log.open();
        if self.partial {
            return 0;
        }
        self.choose_latches();
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
        self.drawing = picture == Picture::Wanted;
        self.start = Some(self.beam);
        self.begin_log(-line_phase);
        self.partial = true;
        cycles
    }

    fn begin_log(&mut self, base: i32) {
        self.log.clear(base);
        self.played = 0;
        self.cleared = 0;
    }

    /// The CPU stopped at `cycles`: at the frame's end, or short of it.
    pub(crate) fn finish(&mut self, cycles: i32, greying: Greying) {
        self.play();
        self.draw_to_last_access();
        self.coverage.note(self.current, self.beam.extent());
        if self.frame_end == FrameEnd::Yes {
            self.lines = self.scanlines(cycles);
            self.partial = false;
        }
        let can_be_kept = self.frame_end == FrameEnd::Yes && self.leaves_few_rows();
        match self.start.take_if(|_| can_be_kept) {
            Some(start) => self.keep(&start),
            None => self.settle(),
        }
        if self.frame_end == FrameEnd::No && greying == Greying::Due {
            self.grey_below(cycles);
        }
        self.begin_log(self.last_access.clock);
        self.log.close();
    }
}

/// Whether a partial frame is the first of its frame, whose undrawn part turns grey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Greying {
    Due,
    Done,
}

fn window(geometry: FrameGeometry, frame_start: i32) -> Window {
    let start = frame_start + LINE * i32::from(geometry.ystart);
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
