//! The TIA's registers as the CPU reads and writes them.
//!
//! Effects that the CPU can notice happen at once; other writes are logged. Writes that change nothing are left out of the log.

use super::log::Write;
use super::register::{HMCLR, HMOVE, KIND, Kind, TOUCH, VBLANK};
use super::shadow::{Access, copies, copy_bit};
use super::{FrameEnd, Tia};
use crate::HmoveBlanks;
use crate::bus::WRITE_REGISTER;

/// The part of the console that handles a write, unless the frame has too many lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concern {
    /// The log, unless the register holds the value already, the bits `copied` of [`Shadow::copied`] are set, and no HMOVE blank
    /// is pending. A changed value clears the bit `copy` of [`Shadow::copied`]; then the write sets the bits `copied`.
    ///
    /// [`Shadow::copied`]: super::shadow::Shadow::copied
    Change { copied: u8, copy: u8 },
    /// The log, always.
    Strobe,
    /// The log, always; an HMOVE blank is pending afterwards.
    Move,
    /// The sound. While an HMOVE blank is pending, [`Tia::write`].
    Sound,
    /// The CPU, which waits for the next line. While an HMOVE blank is pending, [`Tia::write`].
    Wait,
    /// [`Tia::write`].
    Write,
}

/// The handler of a write to `register`.
pub(crate) fn concern(register: u8) -> Concern {
    match KIND[usize::from(register)] {
        Kind::Idempotent => Concern::Change { copied: 0, copy: 0 },
        Kind::Graphics => Concern::Change {
            copied: copies(register),
            copy: copy_bit(register),
        },
        Kind::Strobe => Concern::Strobe,
        Kind::Move => Concern::Move,
        Kind::Sound => Concern::Sound,
        Kind::Wait => Concern::Wait,
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
        self.playback.beam.collision_bits(register)
    }

    /// Notes an access at `cycles` that changes nothing.
    #[inline]
    pub(crate) fn read(&mut self, cycles: i32) {
        self.touch(cycles.wrapping_mul(3));
    }

    #[inline]
    fn touch(&mut self, clock: i32) {
        self.shadow.last_access = Access { clock, register: TOUCH };
        if self.shadow.hmove_pending {
            self.touch_pending(clock);
        }
    }

    /// Logs the access for a pending HMOVE blank: its width depends on the first access before it is drawn.
    #[cold]
    fn touch_pending(&mut self, clock: i32) {
        if clock >= self.frame.window.start {
            self.push(TOUCH, 0, clock);
        }
    }

    /// Writes `value` to the register at `address`, and returns the CPU cycle after it: WSYNC moves to the next line's start.
    #[inline(never)]
    pub(crate) fn write(&mut self, address: u8, value: u8, cycles: i32) -> i32 {
        self.write_here(address, value, cycles)
    }

    /// [`Tia::write`] without a call.
    #[inline(always)]
    pub(crate) fn write_here(&mut self, address: u8, value: u8, cycles: i32) -> i32 {
        let register = address & WRITE_REGISTER as u8;
        let index = usize::from(register);
        let clock = cycles.wrapping_mul(3);
        if clock >= self.frame.limit {
            return self.write_rarely(register, value, cycles);
        }
        // Nearly all writes are of these kinds. The others are handled in a function of their own.
        let counts = match KIND[index] {
            Kind::Idempotent => self.shadow.registers[index] != value || self.shadow.hmove_pending,
            Kind::Graphics => self.shadow.graphics_change(register, value) || self.shadow.hmove_pending,
            Kind::Strobe => true,
            Kind::Wait if !self.shadow.hmove_pending => {
                self.shadow.last_access = Access { clock, register: TOUCH };
                return self.frame.next_line(cycles);
            }
            Kind::Sound if !self.shadow.hmove_pending => {
                self.shadow.last_access = Access { clock, register };
                self.sound.write(register, value);
                return cycles;
            }
            Kind::Move => {
                if self.log(register, value, clock) {
                    self.shadow.hmove_pending = self.hmove_blanks == HmoveBlanks::Shown;
                    return cycles;
                }
                return self.write_rarely(register, value, cycles);
            }
            _ => return self.write_rarely(register, value, cycles),
        };
        if !counts {
            self.shadow.last_access = Access { clock, register };
        } else if self.log(register, value, clock) {
            self.shadow.hmove_pending &= clock < self.frame.window.start;
            self.shadow.note(register, value);
        } else {
            return self.write_rarely(register, value, cycles);
        }
        cycles
    }

    /// Logs a write, if the log has room.
    #[inline(always)]
    fn log(&mut self, register: u8, value: u8, clock: i32) -> bool {
        let logged = self.playback.log.push(Write { clock, register, value }).is_ok();
        if logged {
            self.shadow.last_access = Access { clock, register };
        }
        logged
    }

    #[inline(never)]
    fn write_rarely(&mut self, register: u8, value: u8, cycles: i32) -> i32 {
        let clock = cycles.wrapping_mul(3);
        if clock >= self.frame.limit {
            // Too many lines: the frame ends with this write.
            self.frame.end = FrameEnd::Yes;
        }
        let mut cycles = cycles;
        match KIND[usize::from(register)] {
            Kind::Idempotent | Kind::Graphics | Kind::Strobe => {
                self.push(register, value, clock);
                self.shadow.note(register, value);
            }
            Kind::Order | Kind::Move => {
                self.push(register, value, clock);
                match register {
                    HMOVE => self.shadow.hmove_pending = self.hmove_blanks == HmoveBlanks::Shown,
                    HMCLR => self.shadow.clear_motion(),
                    _ => self.playback.note_clear(),
                }
            }
            Kind::Wait => {
                self.touch(clock);
                cycles = self.frame.next_line(cycles);
            }
            Kind::Immediate => self.write_immediate(register, value, cycles),
            Kind::Unseen => self.touch(clock),
            Kind::Sound => {
                self.touch(clock);
                self.sound.write(register, value);
            }
        }
        self.shadow.last_access = Access { clock, register };
        cycles
    }

    fn write_immediate(&mut self, register: u8, value: u8, cycles: i32) {
        if register == VBLANK {
            self.write_vblank(value, cycles);
            return;
        }
        let clock = cycles.wrapping_mul(3);
        self.touch(clock);
        self.frame.write_vsync(value, clock);
    }

    fn write_vblank(&mut self, value: u8, cycles: i32) {
        let dump = value & 0x80 != 0;
        if self.dump.enabled && !dump {
            self.dump.off_cycle = cycles;
        }
        self.dump.enabled = dump;
        // For a pending HMOVE blank the write counts with its delay, even if it changes nothing.
        if self.shadow.note_vblank(value) || self.shadow.hmove_pending {
            self.push(VBLANK, value, cycles.wrapping_mul(3));
        }
    }

    #[inline]
    fn push(&mut self, register: u8, value: u8, clock: i32) {
        // Only the first access since HMOVE counts for its blank.
        if clock >= self.frame.window.start {
            self.shadow.hmove_pending = false;
        }
        let write = Write { clock, register, value };
        let log = &mut self.playback.log;
        // The clocks of a log cover more than a frame, but a program may go on without a write for longer.
        if !log.reaches(clock) || log.push(write).is_err() {
            self.log_anew(write);
        }
    }

    /// Draws what is logged, and begins the log anew with `write`, because the frame does not fit.
    #[cold]
    fn log_anew(&mut self, write: Write) {
        self.play();
        self.draw_to_last_access();
        self.settle();
        self.playback.begin_log(write.clock);
        let logged = self.playback.log.push(write);
        logged.expect("an empty log takes a write at its base");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tia::log::CAPACITY;
    use crate::tia::register::{NUSIZ0, RESBL};
    use crate::{Drawing, FrameGeometry, TvFormat};

    #[test]
    fn an_hmove_for_which_the_log_has_no_room_blanks_pixels_too() {
        let geometry = FrameGeometry {
            tv: TvFormat::Ntsc,
            first_line: 34,
            height: 210,
        };
        for blanks in [HmoveBlanks::Shown, HmoveBlanks::Hidden] {
            let mut tia = Tia::new(geometry, blanks);
            tia.begin(0, Drawing::OnDemand);
            for number in 0..CAPACITY {
                tia.write([NUSIZ0, RESBL][number % 2], 0, 3 * number as i32);
            }
            assert_eq!(tia.playback.log.len(), CAPACITY);
            tia.write(HMOVE, 0, 3 * CAPACITY as i32);
            assert_eq!(tia.playback.log.len(), 1);
            assert_eq!(tia.shadow.hmove_pending, blanks == HmoveBlanks::Shown);
        }
    }
}
