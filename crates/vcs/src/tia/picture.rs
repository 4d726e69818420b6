//! From logs to pictures: what is drawn into which frame buffer, and when.

use super::beam::LINE;
use super::canvas::Canvas;
use super::log::Write;
use super::{LOGS, Tia, Undrawn, register};
use crate::WIDTH;

impl Tia {
    /// A log that no frame to be drawn needs.
    pub(super) fn free_log(&self) -> usize {
        let kept = [&self.buffers[0].undrawn, &self.buffers[1].undrawn, &self.beneath];
        (0..LOGS)
            .find(|&log| {
                kept.iter()
                    .all(|undrawn| undrawn.as_ref().is_none_or(|undrawn| undrawn.log != log))
            })
            .unwrap_or(0)
    }

    /// Brings the current buffer up to the beam, and goes on without a log.
    pub(super) fn settle(&mut self) {
        if self.drawing {
            self.beam.stop(&mut Canvas {
                pixels: &mut self.buffers[self.current].pixels,
            });
        }
        if let Some(start) = self.start.take() {
            let beneath = self.beneath.take();
            if beneath.is_some() || !self.drawing {
                if let Some(beneath) = beneath {
                    self.draw(&beneath, self.current, beneath.start.window_end());
                }
                let frame = Undrawn { log: self.log, start };
                self.draw(&frame, self.current, self.beam.clock());
            }
        }
        self.drawing = true;
        self.begin_log(self.last_access.0);
    }

    /// Draws a logged frame into a buffer.
    pub(super) fn draw(&mut self, frame: &Undrawn, buffer: usize, end: i32) {
        let mut beam = frame.start;
        let log = &self.logs[frame.log];
        let canvas = &mut Canvas {
            pixels: &mut self.buffers[buffer].pixels,
        };
        for Write { clock, register, value } in log.range(0, log.len()) {
            beam.write::<true, false>(register, value, clock, canvas);
        }
        beam.draw_to::<true, false>(end, canvas);
        beam.stop(canvas);
    }

    pub(super) fn grey_below(&mut self, cycles: i32) {
        let row = (self.scanlines(cycles) - i32::from(self.geometry.ystart)).max(0) as usize;
        if let Some(below) = self.buffers[self.current].pixels.get_mut(row * WIDTH..) {
            for pixel in below {
                *pixel = (*pixel & 0x0F) >> 1;
            }
        }
    }

    /// The picture as it stands: palette indices, row by row.
    pub(crate) fn screen(&mut self) -> &[u8] {
        self.draw_undrawn(self.current);
        &self.buffers[self.current].pixels
    }

    /// The picture as it stands, and what the other buffer holds.
    pub(crate) fn screens(&mut self) -> [&[u8]; 2] {
        self.draw_both();
        [
            &self.buffers[self.current].pixels,
            &self.buffers[1 - self.current].pixels,
        ]
    }

    /// [`Tia::screens`], to be changed.
    pub(crate) fn screens_mut(&mut self) -> [&mut [u8]; 2] {
        self.draw_both();
        let [first, second] = &mut self.buffers;
        let mut screens: [&mut [u8]; 2] = [&mut first.pixels, &mut second.pixels];
        screens.rotate_left(self.current);
        screens
    }

    /// Leaves no frame undrawn.
    pub(super) fn draw_both(&mut self) {
        for buffer in 0..self.buffers.len() {
            self.draw_undrawn(buffer);
        }
    }

    pub(super) fn draw_undrawn(&mut self, buffer: usize) {
        if let Some(frame) = self.buffers[buffer].undrawn.take() {
            self.draw(&frame, buffer, frame.start.window_end());
        }
    }

    /// Plays what is logged to the beam.
    pub(super) fn play(&mut self) {
        let log = &self.logs[self.log];
        let (from, to) = (self.played, log.len());
        let canvas = &mut Canvas {
            pixels: &mut self.buffers[self.current].pixels,
        };
        if self.drawing {
            for Write { clock, register, value } in log.range(from, to) {
                self.beam.write::<true, true>(register, value, clock, canvas);
            }
        } else {
            let cleared = self.cleared.clamp(from, to);
            for Write { clock, register, value } in log.range(from, cleared) {
                self.beam.write::<false, false>(register, value, clock, canvas);
            }
            for Write { clock, register, value } in log.range(cleared, to) {
                self.beam.write::<false, true>(register, value, clock, canvas);
            }
        }
        self.played = to;
    }

    pub(super) fn draw_to_last_access(&mut self) {
        let (clock, register) = self.last_access;
        let hpos = || clock.wrapping_sub(self.window.frame_start) % LINE;
        self.draw_to(clock.wrapping_add(register::delay(register, hpos)));
    }

    pub(super) fn draw_to(&mut self, clock: i32) {
        let canvas = &mut Canvas {
            pixels: &mut self.buffers[self.current].pixels,
        };
        if self.drawing {
            self.beam.draw_to::<true, true>(clock, canvas);
        } else {
            self.beam.draw_to::<false, true>(clock, canvas);
        }
    }
}
