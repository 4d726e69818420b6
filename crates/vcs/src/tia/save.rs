//! The TIA's state as bytes.

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
    /// Appends the state between two frames. What has not been drawn is drawn first, so the logs are not part of it.
    pub(crate) fn save_drawn(&mut self, bytes: &mut Vec<u8>) {
        self.save_registers(bytes);
        for picture in self.buffers.draw_both() {
            picture.save(bytes);
        }
        self.current.save(bytes);
        self.sound.save(bytes);
    }

    /// Takes the state that [`Tia::save_drawn`] gave.
    pub(crate) fn load_drawn(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load(bytes)?;
        for picture in self.buffers.forget() {
            picture.load(bytes)?;
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

    /// Takes what [`Tia::save_registers`] gave: all but the pictures, which of them is the current one, and the sound.
    pub(crate) fn load_registers(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.load(bytes)?;
        self.resume();
        Ok(())
    }

    /// Goes on from what has been loaded, with nothing logged.
    fn resume(&mut self) {
        self.buffers.forget();
        self.coverage = Coverage::UNKNOWN;
        self.line = self.window.frame_start / 3;
        self.frame_end = if self.partial { FrameEnd::No } else { FrameEnd::Yes };
        self.beam.forget_masks();
        self.beam.seek(latches::ALL);
        self.start = None;
        self.drawing = true;
        self.begin_log(self.last_access.clock);
    }
}
