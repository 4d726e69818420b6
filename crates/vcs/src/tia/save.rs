//! The TIA's part of a saved state.

use super::bus::COPIES;
use super::coverage::Coverage;
use super::{Access, Dump, FrameEnd, LINE, LONG_FRAME, LONGEST_CALL, Tia, limit, window};
use crate::state::{InvalidState, State, fields};
use crate::{HmoveBlanks, TvFormat, sound};

fields!(Access { clock, register });
fields!(Dump { enabled, off_cycle });
fields!(Tia {
    window,
    limit,
    vsync_deadline,
    partial,
    lines,
    dump,
    shadow,
    copied,
    hmove_pending,
    last_access,
    beam,
});

impl Tia {
    /// Appends the state between two frames. Both buffers are drawn first, so recordings are not part of it.
    pub(crate) fn save_with_pictures(&mut self, bytes: &mut Vec<u8>) {
        self.save(bytes);
        for buffer in &mut self.buffers {
            buffer.pixels().save(bytes);
        }
        self.current.save(bytes);
        self.sound.save(bytes);
    }

    /// Takes the state that [`Tia::save_with_pictures`] gave.
    pub(crate) fn load_with_pictures(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load_fields(bytes)?;
        for buffer in &mut self.buffers {
            buffer.overwrite().load(bytes)?;
        }
        self.current.load(bytes)?;
        if self.current >= self.buffers.len() {
            return Err(InvalidState);
        }
        self.sound.load(bytes)
    }

    /// Appends the state without the pictures, the number of the current one, and the sound counters.
    pub(crate) fn save_without_pictures(&mut self, bytes: &mut Vec<u8>) {
        self.save(bytes);
        self.sound.registers().save(bytes);
    }

    /// Takes what [`Tia::save_without_pictures`] gave.
    pub(crate) fn load_without_pictures(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load_fields(bytes)?;
        let mut registers = [0; sound::REGISTERS];
        registers.load(bytes)?;
        self.sound.set_registers(registers);
        Ok(())
    }

    fn load_fields(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load(bytes)?;
        if !self.is_valid() {
            return Err(InvalidState);
        }
        self.resume();
        Ok(())
    }

    /// Whether a console with this geometry can have the loaded fields.
    fn is_valid(&self) -> bool {
        let start = self.window.frame_start;
        let has_blanks = self.hmove_pending || self.beam.has_hmove_blank();
        (1 - LINE..=0).contains(&start)
            && self.window == window(self.geometry, start)
            && self.limit == limit(self.geometry, start)
            && self.beam.is_valid(self.window)
            && (!self.beam.has_colour_loss() || self.geometry.tv == TvFormat::Pal)
            && (!has_blanks || self.hmove_blanks == HmoveBlanks::Shown)
            && self.copied & !COPIES == 0
            && self.last_access.clock >= start
            && usize::from(self.last_access.register) < self.shadow.len()
            && (0..=3 * (LONG_FRAME + LONGEST_CALL) / LINE).contains(&self.lines)
    }

    /// Whether a frame can be at this CPU cycle.
    pub(crate) fn can_be_at(&self, cycles: i32) -> bool {
        (0..LONG_FRAME + LONGEST_CALL).contains(&cycles) && self.last_access.clock <= 3 * cycles
    }

    /// Recomputes what follows from the loaded fields, with an empty log.
    fn resume(&mut self) {
        self.coverage = Coverage::UNKNOWN;
        self.line = self.window.frame_start / 3;
        self.frame_end = if self.partial { FrameEnd::No } else { FrameEnd::Yes };
        self.beam.resume();
        self.log_is_complete = false;
        self.drawing = true;
        self.begin_log(self.last_access.clock);
    }
}
