//! The TIA's part of a saved state.

use super::coverage::Coverage;
use super::{Dump, Frame, Tia};
use crate::state::{InvalidState, State, fields};
use crate::{HmoveBlanks, TvFormat, sound};

fields!(Dump { enabled, off_cycle });
fields!(Tia {
    frame,
    dump,
    shadow,
    playback,
});

impl Tia {
    /// Appends the state between two frames. Both buffers are drawn first, so recordings are not part of it.
    pub(crate) fn save_with_pictures(&mut self, bytes: &mut Vec<u8>) {
        self.save(bytes);
        for buffer in &mut self.buffers.pair {
            buffer.pixels().save(bytes);
        }
        self.buffers.current.save(bytes);
        self.sound.save(bytes);
    }

    /// Takes the state that [`Tia::save_with_pictures`] gave.
    pub(crate) fn load_with_pictures(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load_fields(bytes)?;
        for buffer in &mut self.buffers.pair {
            buffer.overwrite().load(bytes)?;
        }
        self.buffers.current.load(bytes)?;
        if self.buffers.current >= self.buffers.pair.len() {
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
        let beam = &self.playback.beam;
        let window = self.frame.window;
        let has_blanks = self.shadow.hmove_pending || beam.has_hmove_blank();
        self.frame.is_valid(self.geometry)
            && beam.is_valid(window)
            && (!beam.has_colour_loss() || self.geometry.tv == TvFormat::Pal)
            && (!has_blanks || self.hmove_blanks == HmoveBlanks::Shown)
            && self.shadow.last_access.clock >= window.frame_start
    }

    /// Whether a frame can be at this CPU cycle.
    pub(crate) fn can_be_at(&self, cycles: i32) -> bool {
        Frame::can_be_at(cycles) && self.shadow.last_access.clock <= 3 * cycles
    }

    /// Recomputes what follows from the loaded fields, with an empty log.
    fn resume(&mut self) {
        self.buffers.coverage = Coverage::UNKNOWN;
        self.frame.resume();
        self.playback.beam.resume();
        self.playback.resume(self.shadow.last_access.clock);
    }
}
