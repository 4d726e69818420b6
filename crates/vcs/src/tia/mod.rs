//! The Television Interface Adaptor, as the bus sees it (Stella Programmer's Guide).
//!
//! Writes that only matter to the picture are logged with their clocks, and nothing is drawn until somebody looks: a program
//! that reads a collision register, or a caller who asks for the screen. [`beam::Beam`] then plays the log. The picture and the
//! collisions are the same whenever that happens.
//!
//! Two frame buffers take turns, and a frame that ends early leaves the lines of the frame before the previous one in view. So a
//! frame that nobody has looked at keeps its log until its buffer has been drawn over completely.

mod beam;
mod log;
mod mask;
mod picture;
mod register;
mod save;
mod span;

use crate::sound::Sound;
use crate::{FrameGeometry, HmoveBlanks, Picture, TvFormat, WIDTH};
use beam::{Beam, LINE, Window};
use log::{Log, Write};
use register::{CXCLR, HMOVE, KIND, Kind, TOUCH, VBLANK, VSYNC, WSYNC};

/// A VSYNC deadline that no frame reaches.
const NEVER: i32 = i32::MAX;
/// Logs: one for each frame buffer, and one for a frame whose buffer's last picture may still show.
const LOGS: usize = 3;

/// A frame that has been logged from its start and can be drawn later.
#[derive(Clone, Debug)]
struct Undrawn {
    log: usize,
    start: Beam,
}

/// One of the two pictures.
#[derive(Clone, Debug)]
struct FrameBuffer {
    pixels: Box<[u8]>,
    /// The frame that covers all of this buffer and has not been drawn into it.
    undrawn: Option<Undrawn>,
}

/// Why the CPU is to stop after the instruction in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    hmove_blanks: HmoveBlanks,
    window: Window,
    /// Colour clock at which there are too many lines.
    limit: i32,
    vsync_deadline: i32,
    pub(crate) frame_end: FrameEnd,
    /// The two channels. A reset leaves them as they are.
    pub(crate) sound: Sound,
    /// The last frame stopped before its end, and the next call goes on with it.
    partial: bool,
    /// Lines of the last whole frame.
    lines: i32,
    dump: Dump,
    /// What each register was last written, to leave out writes that change nothing.
    shadow: [u8; 64],
    /// HMOVE will blank the next line that is drawn, so every access counts until it is.
    hmove_pending: bool,
    last_access: (i32, u8),
    beam: Beam,
    /// The beam at the start of the frame, as long as the log reaches back there.
    start: Option<Beam>,
    logs: [Log; LOGS],
    log: usize,
    /// Entries of the log that the beam has played.
    played: usize,
    /// Entries up to which collisions are forgotten: the last CXCLR.
    cleared: usize,
    /// The current buffer gets its pixels as the beam plays the log.
    drawing: bool,
    /// What shows in the current buffer where this frame does not reach.
    beneath: Option<Undrawn>,
    buffers: [FrameBuffer; 2],
    current: usize,
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
        let buffer = || FrameBuffer {
            pixels: vec![0; WIDTH * usize::from(geometry.height)].into(),
            undrawn: None,
        };
        Self {
            geometry,
            hmove_blanks,
            window,
            limit: limit(geometry, 0),
            vsync_deadline: NEVER,
            frame_end: FrameEnd::No,
            sound: Sound::new(),
            partial: false,
            lines: 0,
            dump: Dump {
                enabled: false,
                off_cycle: 0,
            },
            shadow: [0; 64],
            hmove_pending: false,
            last_access: (0, TOUCH),
            beam: Beam::new(window, hmove_blanks),
            start: None,
            logs: [Log::new(), Log::new(), Log::new()],
            log: 0,
            played: 0,
            cleared: 0,
            drawing: true,
            beneath: None,
            buffers: [buffer(), buffer()],
            current: 0,
        }
    }

    /// The console's reset: everything but the partial-frame flag and what is heard.
    pub(crate) fn reset(&mut self) {
        for buffer in &mut self.buffers {
            buffer.pixels.fill(0);
            buffer.undrawn = None;
        }
        self.window = window(self.geometry, 0);
        self.limit = limit(self.geometry, 0);
        self.vsync_deadline = NEVER;
        self.lines = 0;
        self.dump = Dump {
            enabled: false,
            off_cycle: 0,
        };
        self.shadow = [0; 64];
        self.hmove_pending = false;
        self.last_access = (0, TOUCH);
        self.beam = Beam::new(self.window, self.hmove_blanks);
        self.start = None;
        self.beneath = None;
        self.drawing = true;
        self.begin_log(0);
    }

    /// Another television: its size and lines apply from the next reset.
    pub(crate) fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.geometry = geometry;
        for buffer in &mut self.buffers {
            buffer.pixels = vec![0; WIDTH * usize::from(geometry.height)].into();
            buffer.undrawn = None;
        }
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

    /// Starts a frame, or goes on with a partial one. Returns by how many CPU cycles all clocks have to be set back.
    pub(crate) fn begin(&mut self, cycles: i32, picture: Picture) -> i32 {
        self.frame_end = FrameEnd::No;
        if self.partial {
            return 0;
        }
        self.current = 1 - self.current;
        let clock = cycles.wrapping_mul(3);
        let line_phase = clock.wrapping_sub(self.window.frame_start) % LINE;
        self.vsync_deadline = self.vsync_deadline.wrapping_sub(clock);
        self.dump.off_cycle = self.dump.off_cycle.wrapping_sub(cycles);
        self.window = window(self.geometry, -line_phase);
        self.limit = limit(self.geometry, -line_phase);
        let colour_loss = self.geometry.tv == TvFormat::Pal && self.lines & 1 != 0;
        self.beam.start_frame(self.window, clock, colour_loss);
        self.last_access = (-line_phase, TOUCH);
        self.beneath = self.buffers[self.current].undrawn.take();
        self.log = self.free_log();
        self.drawing = picture == Picture::Wanted;
        self.start = Some(self.beam);
        self.begin_log(-line_phase);
        self.partial = true;
        cycles
    }

    fn begin_log(&mut self, base: i32) {
        self.logs[self.log].clear(base);
        self.played = 0;
        self.cleared = 0;
    }

    /// The CPU stopped at `cycles`: at the frame's end, or short of it.
    pub(crate) fn finish(&mut self, cycles: i32, greying: Greying) {
        self.play();
        self.draw_to_last_access();
        if self.frame_end == FrameEnd::Yes {
            self.lines = self.scanlines(cycles);
            self.partial = false;
            if self.beam.window_is_drawn() && self.start.is_some() {
                self.beneath = None;
                if !self.drawing {
                    self.buffers[self.current].undrawn = self.start.map(|start| Undrawn { log: self.log, start });
                }
                return;
            }
        }
        self.settle();
        if self.frame_end == FrameEnd::No && greying == Greying::Due {
            self.grey_below(cycles);
        }
    }

    /// Reads collision register `register` (0..=7): bits 7 and 6.
    pub(crate) fn read_collisions(&mut self, register: u8, cycles: i32) -> u8 {
        let clock = cycles.wrapping_mul(3);
        self.touch(clock);
        self.play();
        self.draw_to(clock);
        self.beam.collision_bits(register)
    }

    /// An access at `cycles` that changes nothing.
    #[inline]
    pub(crate) fn read(&mut self, cycles: i32) {
        self.touch(cycles.wrapping_mul(3));
    }

    #[inline]
    fn touch(&mut self, clock: i32) {
        self.last_access = (clock, TOUCH);
        if self.hmove_pending {
            self.touch_pending(clock);
        }
    }

    /// While HMOVE's blank waits to be drawn, it reaches as far as the first access says that comes before it is.
    #[cold]
    fn touch_pending(&mut self, clock: i32) {
        if clock >= self.window.start {
            self.push(TOUCH, 0, clock);
            let hpos = clock.wrapping_sub(self.window.frame_start) % LINE;
            self.hmove_pending = hpos < 76;
        }
    }

    /// Writes `value` to the register at `address`. WSYNC moves `cycles` on to the next line's start.
    #[inline]
    pub(crate) fn write(&mut self, address: u16, value: u8, cycles: &mut i32) {
        let register = address as u8 & 0x3F;
        let clock = cycles.wrapping_mul(3);
        if clock >= self.limit {
            self.frame_end = FrameEnd::Yes;
        }
        let index = usize::from(register);
        match KIND[index] {
            Kind::Idempotent if self.shadow[index] == value && !self.hmove_pending => self.touch(clock),
            Kind::Idempotent | Kind::Strobe => {
                self.shadow[index] = value;
                self.push(register, value, clock);
                if register == HMOVE {
                    self.hmove_pending = self.hmove_blanks == HmoveBlanks::Shown;
                } else if register == CXCLR {
                    self.cleared = self.logs[self.log].len();
                }
            }
            Kind::Unseen => self.touch(clock),
            Kind::Sound => {
                self.touch(clock);
                self.sound.write(register, value);
            }
            Kind::Immediate => self.write_immediate(register, value, cycles),
        }
        self.last_access = (clock, register);
    }

    fn write_immediate(&mut self, register: u8, value: u8, cycles: &mut i32) {
        let clock = cycles.wrapping_mul(3);
        match register {
            WSYNC => {
                self.touch(clock);
                let in_line = cycles.wrapping_sub(self.window.frame_start / 3) % (LINE / 3);
                if in_line != 0 {
                    *cycles = cycles.wrapping_add(LINE / 3 - in_line);
                }
            }
            VSYNC => {
                self.touch(clock);
                if value & 2 != 0 {
                    self.vsync_deadline = clock.wrapping_add(LINE);
                } else if clock >= self.vsync_deadline {
                    self.vsync_deadline = NEVER;
                    self.frame_end = FrameEnd::Yes;
                }
            }
            _ => self.write_vblank(value, *cycles),
        }
    }

    fn write_vblank(&mut self, value: u8, cycles: i32) {
        let dump = value & 0x80 != 0;
        if self.dump.enabled && !dump {
            self.dump.off_cycle = cycles;
        }
        self.dump.enabled = dump;
        let clock = cycles.wrapping_mul(3);
        let shadow = &mut self.shadow[usize::from(VBLANK)];
        if (*shadow ^ value) & 2 == 0 {
            self.touch(clock);
        } else {
            *shadow = value;
            self.push(VBLANK, value, clock);
        }
    }

    #[inline]
    fn push(&mut self, register: u8, value: u8, clock: i32) {
        if self.logs[self.log].push(Write { clock, register, value }).is_err() {
            self.push_to_full(register, value, clock);
        }
    }

    /// The frame is longer than its log: what came before is drawn now.
    #[cold]
    fn push_to_full(&mut self, register: u8, value: u8, clock: i32) {
        self.play();
        self.draw_to_last_access();
        self.settle();
        self.begin_log(clock);
        // A cleared log takes a write at its own base.
        let _ = self.logs[self.log].push(Write { clock, register, value });
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
