//! From logs to pictures: what is drawn into which frame buffer, and when.

use super::beam::Beam;
use super::canvas::{Canvas, Row};
use super::log::{Log, Write};
use super::{Access, KEPT, Tia, register};
use crate::{FrameGeometry, WIDTH};

/// A frame that has been logged from its start and can be drawn later.
#[derive(Clone, Debug)]
pub(super) struct Undrawn {
    pub(super) log: usize,
    pub(super) start: Beam,
}

/// One of the two pictures.
#[derive(Clone, Debug)]
pub(super) struct FrameBuffer {
    pub(super) pixels: Box<[u8]>,
    /// What each row of pixels holds.
    pub(super) rows: Box<[Row]>,
    /// The frame that covers all of this buffer and has not been drawn into it.
    pub(super) undrawn: Option<Undrawn>,
}

impl FrameBuffer {
    /// A black picture.
    pub(super) fn new(geometry: FrameGeometry) -> Self {
        let height = usize::from(geometry.height);
        Self {
            pixels: vec![0; WIDTH * height].into(),
            rows: vec![Row::BLACK; height].into(),
            undrawn: None,
        }
    }

    pub(super) fn canvas(&mut self) -> Canvas<'_> {
        Canvas {
            pixels: &mut self.pixels,
            rows: &mut self.rows,
        }
    }
}

impl Tia {
    /// Keeps the frame, which has covered all of its buffer, to be drawn when somebody looks.
    pub(super) fn keep_undrawn(&mut self) {
        let other = &self.buffers[1 - self.current].undrawn;
        let log = (0..KEPT)
            .find(|&log| other.as_ref().is_none_or(|other| other.log != log))
            .unwrap_or(KEPT - 1);
        self.kept[log].copy_from(&self.log);
        self.buffers[self.current].undrawn = self.start.map(|start| Undrawn { log, start });
    }

    /// Brings the current buffer up to the beam, and goes on without a log.
    pub(super) fn settle(&mut self) {
        if self.drawing {
            self.beam.stop(&mut self.buffers[self.current].canvas());
        }
        if let Some(start) = self.start.take() {
            let beneath = self.beneath.take();
            if beneath.is_some() || !self.drawing {
                if let Some(beneath) = beneath {
                    self.draw(&beneath, self.current);
                }
                let canvas = &mut self.buffers[self.current].canvas();
                replay(&self.log, start, self.beam.clock(), canvas);
            }
        }
        self.drawing = true;
        self.begin_log(self.last_access.clock);
    }

    pub(super) fn grey_below(&mut self, cycles: i32) {
        let row = (self.scanlines(cycles) - i32::from(self.geometry.ystart)).max(0) as usize;
        let FrameBuffer { pixels, rows, .. } = &mut self.buffers[self.current];
        for pixel in pixels.iter_mut().skip(row * WIDTH) {
            *pixel = (*pixel & 0x0F) >> 1;
        }
        for row in rows.iter_mut().skip(row) {
            *row = Row::UNKNOWN;
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
        for buffer in &mut self.buffers {
            buffer.rows.fill(Row::UNKNOWN);
        }
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
            self.draw(&frame, buffer);
        }
    }

    /// Draws a kept frame into a buffer.
    fn draw(&mut self, frame: &Undrawn, buffer: usize) {
        let canvas = &mut self.buffers[buffer].canvas();
        replay(&self.kept[frame.log], frame.start, frame.start.window_end(), canvas);
    }

    /// Plays what is logged to the beam.
    pub(super) fn play(&mut self) {
        let log = &self.log;
        let (from, to) = (self.played, log.len());
        let canvas = &mut self.buffers[self.current].canvas();
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
        let Access { clock, register } = self.last_access;
        let since = clock.wrapping_sub(self.window.frame_start);
        self.draw_to(clock.wrapping_add(register::delay(register, since)));
    }

    pub(super) fn draw_to(&mut self, clock: i32) {
        let canvas = &mut self.buffers[self.current].canvas();
        if self.drawing {
            self.beam.draw_to::<true, true>(clock, canvas);
        } else {
            self.beam.draw_to::<false, true>(clock, canvas);
        }
    }
}

/// Draws what a log holds, from the beam at its beginning up to a colour clock.
fn replay(log: &Log, mut beam: Beam, end: i32, canvas: &mut Canvas<'_>) {
    for Write { clock, register, value } in log.range(0, log.len()) {
        beam.write::<true, false>(register, value, clock, canvas);
    }
    beam.draw_to::<true, false>(end, canvas);
    beam.stop(canvas);
}
