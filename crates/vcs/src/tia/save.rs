//! The TIA's state as bytes.

use super::{Dump, FrameBuffer, FrameEnd, Tia};
use crate::state::{State, WrongLength, fields};

fields!(Dump { enabled, off_cycle });
fields!(FrameBuffer { pixels });
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
    buffers,
    current,
    sound,
});

impl Tia {
    /// Appends the state between two frames. What has not been drawn is drawn first, so the logs are not part of it.
    pub(crate) fn save_drawn(&mut self, bytes: &mut Vec<u8>) {
        for buffer in 0..self.buffers.len() {
            self.draw_undrawn(buffer);
        }
        self.save(bytes);
    }

    /// Takes the state that [`Tia::save_drawn`] gave.
    pub(crate) fn load_drawn(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.load(bytes)?;
        for buffer in &mut self.buffers {
            buffer.undrawn = None;
        }
        self.current &= 1;
        self.frame_end = if self.partial { FrameEnd::No } else { FrameEnd::Yes };
        self.beam.forget_masks();
        self.start = None;
        self.beneath = None;
        self.drawing = true;
        self.begin_log(self.last_access.0);
        Ok(())
    }
}
