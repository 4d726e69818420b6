//! The TIA's state as bytes.

use super::{Dump, FrameBuffer, FrameEnd, Tia};
use crate::state::{State, WrongLength, fields};

fields!(Dump { enabled, off_cycle });

impl State for FrameBuffer {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.pixels.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.undrawn = None;
        self.pixels.load(bytes)
    }
}

impl Tia {
    /// Appends the state between two frames. What has not been drawn is drawn first, so the logs are not part of it.
    pub(crate) fn save(&mut self, bytes: &mut Vec<u8>) {
        for buffer in 0..self.buffers.len() {
            self.draw_undrawn(buffer);
        }
        let Self {
            window,
            limit,
            vsync_deadline,
            partial,
            lines,
            dump,
            shadow,
            hmove_pending,
            sound,
            beam,
            buffers,
            current,
            ..
        } = self;
        let (clock, register) = self.last_access;
        let parts: [&dyn State; 14] = [
            window,
            limit,
            vsync_deadline,
            partial,
            lines,
            dump,
            shadow,
            hmove_pending,
            &clock,
            &register,
            beam,
            buffers,
            current,
            sound,
        ];
        for part in parts {
            part.save(bytes);
        }
    }

    /// Takes the state that [`Tia::save`] gave.
    pub(crate) fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        let Self {
            window,
            limit,
            vsync_deadline,
            partial,
            lines,
            dump,
            shadow,
            hmove_pending,
            sound,
            beam,
            buffers,
            current,
            ..
        } = self;
        let (clock, register) = &mut self.last_access;
        let parts: [&mut dyn State; 14] = [
            window,
            limit,
            vsync_deadline,
            partial,
            lines,
            dump,
            shadow,
            hmove_pending,
            clock,
            register,
            beam,
            buffers,
            current,
            sound,
        ];
        parts.into_iter().try_for_each(|part| part.load(bytes))?;
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
