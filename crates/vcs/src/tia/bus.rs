//! The TIA's registers as the CPU reads and writes them.
//!
//! Effects that the CPU can notice happen at once; other writes are logged. Writes that change nothing are left out of the log.

use super::beam::LINE;
use super::log::Write;
use super::register::{ENABL, GRP0, GRP1, HMBL, HMCLR, HMOVE, HMP0, KIND, Kind, TOUCH, VBLANK};
use super::{FrameEnd, NEVER, Tia};
use crate::HmoveBlanks;

/// An access to the TIA: its register and its colour clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) clock: i32,
    pub(crate) register: u8,
}

/// The part of the console that handles a write, unless the frame has too many lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concern {
    /// The log, unless the register holds the value already, the bits `copied` of [`Tia::copied`] are set, and no HMOVE blank
    /// is pending. A changed value clears the bit `copy` of [`Tia::copied`]; then the write sets the bits `copied`.
    Change { copied: u8, copy: u8 },
    /// The log, always.
    Strobe,
    /// The log, always; an HMOVE blank is pending afterwards.
    Move,
    /// The CPU, which waits for the next line. While an HMOVE blank is pending, [`Tia::write`].
    Wait,
    /// [`Tia::write`].
    Write,
}

/// The handler of a write to `register`.
pub(crate) fn concern(register: u8) -> Concern {
    match (KIND[usize::from(register & 0x3F)], register & 0x3F) {
        (Kind::Idempotent, _) => Concern::Change { copied: 0, copy: 0 },
        (Kind::Graphics, register) => Concern::Change {
            copied: copies(register),
            copy: copy_bit(register),
        },
        (Kind::Strobe, _) => Concern::Strobe,
        (Kind::Move, _) => Concern::Move,
        (Kind::Wait, _) => Concern::Wait,
        _ => Concern::Write,
    }
}

impl Tia {
    /// Reads bits 7 and 6 of collision register `register` (0..=7).
    pub(crate) fn read_collisions(&mut self, register: u8, cycles: i32) -> u8 {
        let clock = cycles.wrapping_mul(3);
        self.touch(clock);
        self.play();
        self.draw_to(clock);
        self.beam.collision_bits(register)
    }

    /// Notes an access at `cycles` that changes nothing.
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

    /// Logs the access for a pending HMOVE blank: its width depends on the first access before it is drawn.
    #[cold]
    fn touch_pending(&mut self, clock: i32) {
        if clock >= self.window.start {
            self.push(TOUCH, 0, clock);
        }
    }

    /// Writes `value` to the register at `address`, and returns the CPU cycle after it: WSYNC moves to the next line's start.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u8, value: u8, cycles: i32) -> i32 {
        let register = address & 0x3F;
        let index = usize::from(register);
        let clock = cycles.wrapping_mul(3);
        if clock >= self.limit {
            return self.write_rarely(register, value, cycles);
        }
        // Nearly all writes are of these kinds. The others are handled in a function of their own.
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

    /// Logs a write, if the log has room.
    #[inline(always)]
    fn log(&mut self, register: u8, value: u8, clock: i32) -> bool {
        let logged = self.log.push(Write { clock, register, value }).is_ok();
        if logged {
            self.last_access = Access { clock, register };
        }
        logged
    }

    /// Whether a write to GRP0, GRP1 or ENABL changes anything: its register, or a register that it copies to its delayed one.
    #[inline(always)]
    fn graphics_change(&self, register: u8, value: u8) -> bool {
        self.shadow[usize::from(register)] != value || !self.copied & copies(register) != 0
    }

    /// Notes what a register holds, to leave out later writes that change nothing.
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
                    _ => self.cleared = self.log.len(),
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

    /// The first CPU cycle of a line at or after `cycles`.
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
        let changes = (*shadow ^ value) & 2 != 0;
        if changes {
            *shadow = value;
        }
        // For a pending HMOVE blank the write counts with its delay, even if it changes nothing.
        if changes || self.hmove_pending {
            self.push(VBLANK, value, clock);
        }
    }

    #[inline]
    fn push(&mut self, register: u8, value: u8, clock: i32) {
        // Only the first access since HMOVE counts for its blank.
        if clock >= self.window.start {
            self.hmove_pending = false;
        }
        let write = Write { clock, register, value };
        let log = &mut self.log;
        // The clocks of a log cover more than a frame, but a program may go on without a write for longer.
        if !log.reaches(clock) || log.push(write).is_err() {
            self.empty_log(clock);
            // An empty log takes a write at its base.
            let _ = self.log.push(write);
        }
    }

    /// Draws what is logged, and empties the log, because the frame does not fit.
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

/// All bits of [`Tia::copied`].
pub(super) const COPIES: u8 = 1 | 1 << (GRP1 - GRP0) | 1 << (ENABL - GRP0);

/// The bits of [`Tia::copied`] of the registers that a write to `register` copies.
#[inline(always)]
fn copies(register: u8) -> u8 {
    match register {
        GRP0 => 1 << (GRP1 - GRP0),
        GRP1 => 1 | 1 << (ENABL - GRP0),
        _ => 0,
    }
}
