//! The Television Interface Adaptor, as the bus sees it (Stella Programmer's Guide).
//!
//! Writes that only matter to the picture are logged with their clocks, and nothing is drawn until somebody looks: a program
//! that reads a collision register, or a caller who asks for the screen. [`beam::Beam`] then plays the log. The picture and the
//! collisions are the same whenever that happens.
//!
//! Two frame buffers take turns, and a frame that ends early leaves the lines of the frame before the previous one in view. So a
//! frame that nobody has looked at keeps its log until its buffer has been drawn over completely.

mod beam;
mod canvas;
mod log;
mod mask;
mod picture;
mod register;
mod save;
mod span;

use crate::sound::Sound;
use crate::{FrameGeometry, HmoveBlanks, Picture, TvFormat};
pub(crate) use beam::LINE;
use beam::{Beam, Window};
use canvas::Row;
use log::{Log, Write};
use picture::{FrameBuffer, Undrawn};
pub(crate) use register::TOUCH;
use register::{ENABL, GRP0, GRP1, HMBL, HMCLR, HMOVE, HMP0, KIND, Kind, VBLANK};

/// A VSYNC deadline that no frame reaches.
const NEVER: i32 = i32::MAX;
/// Logs: the present frame's, that of the frame before it, and that of a frame whose buffer's last picture may still show.
const LOGS: usize = 3;
/// The log that is being written.
const PRESENT: usize = 0;

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
    hmove_blanks: HmoveBlanks,
    pub(crate) window: Window,
    /// Colour clock at which there are too many lines.
    pub(crate) limit: i32,
    vsync_deadline: i32,
    /// CPU cycle at which the last line began that anybody waited for, or another one.
    line: i32,
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
    /// The beam at the start of the frame, as long as the log reaches back there.
    start: Option<Beam>,
    logs: [Log; LOGS],
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

/// Whom an access was to, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) clock: i32,
    pub(crate) register: u8,
}

/// Whom a write concerns, where no HMOVE blank is pending and there are not too many lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concern {
    /// Nobody, but as an access, if the register holds the value and these bits of [`Tia::copied`] are set.
    Change(u8),
    /// The CPU, which waits for the next line.
    Wait,
    /// The TIA.
    Write,
}

/// Whom a write to a register concerns.
pub(crate) fn concern(register: u8) -> Concern {
    match (KIND[usize::from(register & 0x3F)], register & 0x3F) {
        (Kind::Idempotent, _) => Concern::Change(0),
        (Kind::Graphics, register) => Concern::Change(copies(register)),
        (Kind::Wait, _) => Concern::Wait,
        _ => Concern::Write,
    }
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
            logs: [Log::new(), Log::new(), Log::new()],
            played: 0,
            cleared: 0,
            drawing: true,
            beneath: None,
            buffers: [FrameBuffer::new(geometry), FrameBuffer::new(geometry)],
            current: 0,
        }
    }

    /// The console's reset: everything but the partial-frame flag and what is heard.
    pub(crate) fn reset(&mut self) {
        for buffer in &mut self.buffers {
            buffer.pixels.fill(0);
            buffer.rows.fill(Row::BLACK);
            buffer.undrawn = None;
        }
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
        self.beneath = None;
        self.drawing = true;
        self.begin_log(0);
    }

    /// Another television: its size and lines apply from the next reset.
    pub(crate) fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.geometry = geometry;
        self.buffers = [FrameBuffer::new(geometry), FrameBuffer::new(geometry)];
    }

    pub(crate) fn geometry(&self) -> FrameGeometry {
        self.geometry
    }

    /// The frame buffer that the last frame was drawn to.
    pub(crate) fn current(&self) -> usize {
        self.current
    }

    /// Has the other frame buffer be the current one if `count` is odd.
    pub(crate) fn swap(&mut self, count: usize) {
        self.current ^= count & 1;
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
        self.line = -line_phase / 3;
        self.beam.start_frame(self.window, clock, colour_loss);
        self.last_access = Access {
            clock: -line_phase,
            register: TOUCH,
        };
        self.beneath = self.buffers[self.current].undrawn.take();
        self.drawing = picture == Picture::Wanted;
        self.start = Some(self.beam);
        self.begin_log(-line_phase);
        self.partial = true;
        cycles
    }

    fn begin_log(&mut self, base: i32) {
        self.logs[PRESENT].clear(base);
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
                    self.keep_undrawn();
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
        self.last_access = Access { clock, register: TOUCH };
        if self.hmove_pending {
            self.touch_pending(clock);
        }
    }

    /// While HMOVE's blank waits to be drawn, it reaches as far as the first access says that comes before it is.
    #[cold]
    fn touch_pending(&mut self, clock: i32) {
        if clock >= self.window.start {
            self.push(TOUCH, 0, clock);
        }
    }

    /// Writes `value` to the register at `address`. Gives the clock after it: WSYNC moves it on to the next line's start.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u8, value: u8, cycles: i32) -> i32 {
        let register = address & 0x3F;
        let index = usize::from(register);
        let clock = cycles.wrapping_mul(3);
        if clock >= self.limit {
            return self.write_rarely(register, value, cycles);
        }
        // Nearly all writes are of these kinds, so they are done without anything that the others need.
        let counts = match KIND[index] {
            Kind::Idempotent => self.shadow[index] != value || self.hmove_pending,
            Kind::Graphics => self.graphics_change(register, value) || self.hmove_pending,
            Kind::Strobe => true,
            Kind::Wait if !self.hmove_pending => {
                self.last_access = Access { clock, register: TOUCH };
                return self.next_line(cycles);
            }
            Kind::Sound if !self.hmove_pending => {
                self.last_access = Access { clock, register };
                self.sound.write(register, value);
                return cycles;
            }
            Kind::Move => {
                if self.log(register, value, clock) {
                    self.hmove_pending = self.hmove_blanks == HmoveBlanks::Shown;
                    return cycles;
                }
                return self.write_rarely(register, value, cycles);
            }
            _ => return self.write_rarely(register, value, cycles),
        };
        if !counts {
            self.last_access = Access { clock, register };
        } else if self.log(register, value, clock) {
            self.hmove_pending &= clock < self.window.start;
            self.note(register, value);
        } else {
            return self.write_rarely(register, value, cycles);
        }
        cycles
    }

    /// Logs a write, if there is room.
    #[inline(always)]
    fn log(&mut self, register: u8, value: u8, clock: i32) -> bool {
        let logged = self.logs[PRESENT].push(Write { clock, register, value }).is_ok();
        if logged {
            self.last_access = Access { clock, register };
        }
        logged
    }

    /// Whether a write to GRP0, GRP1 or ENABL changes anything: its register, or what it copies, the other player's and, from GRP1,
    /// the ball's.
    #[inline(always)]
    fn graphics_change(&self, register: u8, value: u8) -> bool {
        self.shadow[usize::from(register)] != value || !self.copied & copies(register) != 0
    }

    /// Notes what a register holds now, for the writes to come.
    #[inline(always)]
    fn note(&mut self, register: u8, value: u8) {
        if KIND[usize::from(register)] == Kind::Graphics {
            if self.shadow[usize::from(register)] != value {
                self.copied &= !copy_bit(register);
            }
            self.copied |= copies(register);
        }
        self.shadow[usize::from(register)] = value;
    }

    #[inline(never)]
    fn write_rarely(&mut self, register: u8, value: u8, cycles: i32) -> i32 {
        let clock = cycles.wrapping_mul(3);
        if clock >= self.limit {
            // Too many lines: the frame ends with this write.
            self.frame_end = FrameEnd::Yes;
        }
        let mut cycles = cycles;
        match KIND[usize::from(register)] {
            Kind::Idempotent | Kind::Graphics | Kind::Strobe => {
                self.push(register, value, clock);
                self.note(register, value);
            }
            Kind::Order | Kind::Move => {
                self.push(register, value, clock);
                match register {
                    HMOVE => self.hmove_pending = self.hmove_blanks == HmoveBlanks::Shown,
                    HMCLR => self.shadow[usize::from(HMP0)..=usize::from(HMBL)].fill(0),
                    _ => self.cleared = self.logs[PRESENT].len(),
                }
            }
            Kind::Wait => {
                self.touch(clock);
                cycles = self.next_line(cycles);
            }
            Kind::Immediate => self.write_immediate(register, value, cycles),
            Kind::Unseen => self.touch(clock),
            Kind::Sound => {
                self.touch(clock);
                self.sound.write(register, value);
            }
        }
        self.last_access = Access { clock, register };
        cycles
    }

    /// The first cycle of a line that is `cycles` or later.
    #[inline(always)]
    fn next_line(&mut self, cycles: i32) -> i32 {
        const CYCLES: i32 = LINE / 3;
        let mut in_line = cycles.wrapping_sub(self.line);
        if !(0..CYCLES).contains(&in_line) {
            in_line = in_line.rem_euclid(CYCLES);
        }
        self.line = if in_line == 0 {
            cycles
        } else {
            cycles.wrapping_add(CYCLES - in_line)
        };
        self.line
    }

    fn write_immediate(&mut self, register: u8, value: u8, cycles: i32) {
        if register == VBLANK {
            self.write_vblank(value, cycles);
            return;
        }
        let clock = cycles.wrapping_mul(3);
        self.touch(clock);
        if value & 2 != 0 {
            self.vsync_deadline = clock.wrapping_add(LINE);
        } else if clock >= self.vsync_deadline {
            self.vsync_deadline = NEVER;
            self.frame_end = FrameEnd::Yes;
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
        // Where a frame stops in HMOVE's blank, the first access since HMOVE tells how much shows of it. Later ones add nothing.
        if clock >= self.window.start {
            self.hmove_pending = false;
        }
        let write = Write { clock, register, value };
        let log = &mut self.logs[PRESENT];
        // A log reaches further than a frame with too many lines, but not as far as a program can go on without a write.
        if !log.reaches(clock) || log.push(write).is_err() {
            self.empty_log(clock);
            // A cleared log takes a write at its own base.
            let _ = self.logs[PRESENT].push(write);
        }
    }

    /// The frame is longer than its log: what came before is drawn now.
    #[cold]
    fn empty_log(&mut self, clock: i32) {
        self.play();
        self.draw_to_last_access();
        self.settle();
        self.begin_log(clock);
    }
}

/// The bit of [`Tia::copied`] for GRP0, GRP1 or ENABL.
#[inline(always)]
fn copy_bit(register: u8) -> u8 {
    1 << (register.wrapping_sub(GRP0) & 7)
}

/// Those that a write to one of them copies, a bit each.
#[inline(always)]
fn copies(register: u8) -> u8 {
    match register {
        GRP0 => 1 << (GRP1 - GRP0),
        GRP1 => 1 | 1 << (ENABL - GRP0),
        _ => 0,
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
