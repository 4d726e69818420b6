//! From logs to pictures: what is drawn into which frame buffer, and when.

use super::beam::Beam;
use super::canvas::{Canvas, Row};
use super::log::{Log, Write};
use super::{Access, Tia, latches, register};
use crate::{FrameGeometry, WIDTH};
use std::ops::Range;

/// One of the two pictures.
#[derive(Clone, Debug)]
pub(super) struct FrameBuffer {
    pub(super) pixels: Box<[u8]>,
    /// What each row of pixels holds.
    pub(super) rows: Box<[Row]>,
    /// The last frame that covered all of this buffer, as long as its log is kept.
    pub(super) frame: Option<Frame>,
    /// What was written in that frame.
    pub(super) log: Box<Log>,
    /// It has not been drawn into this buffer.
    pub(super) undrawn: bool,
}

/// A frame that has been logged from its start.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The beam at its start.
    pub(super) start: Beam,
    /// Entries of its log up to its last CXCLR.
    pub(super) cleared: usize,
    /// The colour clock up to which it was played.
    pub(super) end: i32,
}

impl FrameBuffer {
    /// A black picture.
    pub(super) fn new(geometry: FrameGeometry) -> Self {
        let height = usize::from(geometry.height);
        Self {
            pixels: vec![0; WIDTH * height].into(),
            rows: vec![Row::BLACK; height].into(),
            frame: None,
            log: Box::new(Log::new()),
            undrawn: false,
        }
    }

    /// Nothing is left of the last frame but its pixels.
    pub(super) fn forget_frame(&mut self) {
        self.frame = None;
        self.undrawn = false;
    }

    /// Draws the last frame, if it has not been.
    pub(super) fn draw(&mut self) {
        if let Some(Frame { start, .. }) = self.frame
            && self.undrawn
        {
            let canvas = &mut Canvas {
                pixels: &mut self.pixels,
                rows: &mut self.rows,
            };
            replay(&self.log, start, start.window_end(), canvas);
        }
        self.undrawn = false;
    }

    pub(super) fn canvas(&mut self) -> Canvas<'_> {
        Canvas {
            pixels: &mut self.pixels,
            rows: &mut self.rows,
        }
    }
}

impl Tia {
    /// Keeps what was written in the frame, which has covered all of its buffer.
    pub(super) fn keep(&mut self, start: &Beam) {
        let buffer = &mut self.buffers[self.current];
        buffer.log.copy_from(&self.log);
        buffer.frame = Some(Frame {
            start: *start,
            cleared: self.cleared,
            end: self.beam.clock(),
        });
        buffer.undrawn = !self.drawing;
    }

    /// Brings the current buffer up to the beam, and goes on without a log.
    pub(super) fn settle(&mut self) {
        self.seek(latches::ALL);
        let buffer = &mut self.buffers[self.current];
        if self.drawing {
            self.beam.stop(&mut buffer.canvas());
        }
        if let Some(start) = self.start.take()
            && (buffer.undrawn || !self.drawing)
        {
            buffer.draw();
            replay(&self.log, start, self.beam.clock(), &mut buffer.canvas());
        }
        buffer.forget_frame();
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
        self.buffers[self.current].draw();
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
        self.buffers.iter_mut().for_each(FrameBuffer::draw);
    }

    /// Plays what is logged to the beam.
    pub(super) fn play(&mut self) {
        let log = &self.log;
        let (from, to) = (self.played, log.len());
        let canvas = &mut self.buffers[self.current].canvas();
        let beam = &mut self.beam;
        if self.drawing {
            play::<true, true>(beam, log, from..to, canvas);
        } else {
            let cleared = self.cleared.clamp(from, to);
            play::<false, false>(beam, log, from..cleared, canvas);
            play::<false, true>(beam, log, cleared..to, canvas);
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

/// Plays writes to the beam.
#[inline(never)]
pub(super) fn play<const PIXELS: bool, const COLLISIONS: bool>(
    beam: &mut Beam,
    log: &Log,
    writes: Range<usize>,
    canvas: &mut Canvas<'_>,
) {
    for Write { clock, register, value } in log.range(writes) {
        beam.write::<PIXELS, COLLISIONS>(register, value, clock, canvas);
    }
}

/// Draws what a log holds, from the beam at its beginning up to a colour clock. Its latches are nobody's.
fn replay(log: &Log, mut beam: Beam, end: i32, canvas: &mut Canvas<'_>) {
    beam.seek(latches::NONE);
    play::<true, true>(&mut beam, log, 0..log.len(), canvas);
    beam.draw_to::<true, true>(end, canvas);
    beam.stop(canvas);
}
