//! The TIA's part of a saved state.

use super::coverage::Coverage;
use super::{Access, Dump, FrameEnd, Tia, latches};
use crate::state::{InvalidState, State, fields};

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
    pub(crate) fn save_drawn(&mut self, bytes: &mut Vec<u8>) {
        self.save_registers(bytes);
        for buffer in &mut self.buffers {
            buffer.pixels().save(bytes);
        }
        self.current.save(bytes);
        self.sound.save(bytes);
    }

    /// Takes the state that [`Tia::save_drawn`] gave.
    pub(crate) fn load_drawn(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load(bytes)?;
        for buffer in &mut self.buffers {
            buffer.pixels_mut().load(bytes)?;
        }
        self.current.load(bytes)?;
        self.sound.load(bytes)?;
        self.current &= 1;
        self.resume();
        Ok(())
    }

    /// Appends the state but for the pictures, which of them is the current one, and the sound.
    pub(crate) fn save_registers(&mut self, bytes: &mut Vec<u8>) {
        self.seek(latches::ALL);
        self.save(bytes);
    }

    /// Takes what [`Tia::save_registers`] gave.
    pub(crate) fn load_registers(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load(bytes)?;
        self.resume();
        Ok(())
    }

    /// Recomputes what follows from the loaded fields, with an empty log.
    fn resume(&mut self) {
        self.coverage = Coverage::UNKNOWN;
        self.cleared_frames = 0;
        self.line = self.window.frame_start / 3;
        self.frame_end = if self.partial { FrameEnd::No } else { FrameEnd::Yes };
        self.beam.forget_masks();
        self.beam.seek(latches::ALL);
        self.start = None;
        self.drawing = true;
        self.begin_log(self.last_access.clock);
    }
}
