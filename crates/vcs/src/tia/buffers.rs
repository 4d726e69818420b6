//! The two frame buffers, and when they are drawn.
//!
//! Frames are drawn to the buffers in turns, so a frame that ends early leaves rows of the frame before the previous one
//! in view. A buffer therefore knows its last whole frame as pixels, as a [`FrameRecording`], or as both, and is brought
//! up to date before anything is drawn over it or read from it.
//!
//! Invariant: what a buffer shows does not depend on when it is drawn.

use super::beam::Beam;
use super::canvas::{Canvas, Row};
use super::recording::{FrameRecording, replay};
use super::{Access, Tia, latches, register};
use crate::{FrameGeometry, WIDTH};

/// One frame buffer.
#[derive(Clone, Debug)]
pub(super) struct FrameBuffer {
    pixels: Box<[u8]>,
    /// What each row of `pixels` holds.
    rows: Box<[Row]>,
    recording: FrameRecording,
    content: Content,
}

/// Where the content of a frame buffer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    /// In the pixels. The recording is unused.
    Pixels,
    /// In the recording. The pixels are those of an older frame.
    Recording,
    /// In both.
    Both,
}

impl FrameBuffer {
    /// A black buffer. `beam` is any beam.
    pub(super) fn new(geometry: FrameGeometry, beam: &Beam) -> Self {
        let height = usize::from(geometry.height);
        Self {
            pixels: vec![0; WIDTH * height].into(),
            rows: vec![Row::BLACK; height].into(),
            recording: FrameRecording::empty(beam),
            content: Content::Pixels,
        }
    }

    /// Blackens the buffer.
    pub(super) fn blacken(&mut self) {
        self.pixels.fill(0);
        self.rows.fill(Row::BLACK);
        self.content = Content::Pixels;
    }

    /// Brings the pixels up to date.
    fn draw(&mut self) {
        if self.content == Content::Recording {
            self.content = Content::Both;
            let Self {
                pixels,
                rows,
                recording,
                ..
            } = self;
            recording.draw(&mut Canvas { pixels, rows });
        }
    }

    /// The pixels, up to date: a palette index a pixel, row by row.
    pub(super) fn pixels(&mut self) -> &[u8] {
        self.draw();
        &self.pixels
    }

    /// The pixels, up to date, for the caller to change.
    pub(super) fn pixels_mut(&mut self) -> &mut [u8] {
        self.draw();
        self.rows.fill(Row::UNKNOWN);
        self.content = Content::Pixels;
        &mut self.pixels
    }

    /// The pixels as they lie, to draw a newer frame over them.
    fn canvas(&mut self) -> Canvas<'_> {
        Canvas {
            pixels: &mut self.pixels,
            rows: &mut self.rows,
        }
    }

    /// The recording of the frame that the buffer shows, if it was a whole one.
    pub(super) fn recording(&self) -> Option<&FrameRecording> {
        (self.content != Content::Pixels).then_some(&self.recording)
    }

    /// Shows a recorded frame, which is drawn when it is asked for.
    pub(super) fn show(&mut self, recording: &FrameRecording) {
        self.recording.clone_from(recording);
        self.content = Content::Recording;
    }

    /// Shows these pixels.
    pub(super) fn put(&mut self, pixels: &[u8]) {
        self.pixels.copy_from_slice(pixels);
        self.rows.fill(Row::UNKNOWN);
        self.content = Content::Pixels;
    }
}

impl Tia {
    fn current_buffer(&mut self) -> &mut FrameBuffer {
        &mut self.buffers[self.current]
    }

    /// Records the frame that has just ended, which began with the beam at `start` and has drawn the whole window.
    pub(super) fn record(&mut self, start: &Beam) {
        let buffer = &mut self.buffers[self.current];
        buffer.recording.record(start, &self.log, self.cleared);
        buffer.content = if self.drawing {
            Content::Both
        } else {
            Content::Recording
        };
        self.cleared_frames = if self.cleared > 0 {
            self.cleared_frames.saturating_add(1)
        } else {
            0
        };
    }

    /// Brings the current buffer up to the beam, and gives up the log before it.
    pub(super) fn settle(&mut self) {
        self.seek(latches::ALL);
        self.cleared_frames = 0;
        let start = self.start.take();
        let buffer = &mut self.buffers[self.current];
        if self.drawing {
            self.beam.stop(&mut buffer.canvas());
        }
        // Rows below the beam are those of the buffer's older frame, so that frame is drawn first.
        if let Some(start) = start
            && (buffer.content == Content::Recording || !self.drawing)
        {
            buffer.draw();
            replay(self.log.writes(), start, self.beam.clock(), &mut buffer.canvas());
        }
        buffer.content = Content::Pixels;
        self.drawing = true;
    }

    /// Turns the pixels below the beam grey, as ALE's machine does when a frame stops without an end.
    pub(super) fn grey_below(&mut self, cycles: i32) {
        let row = (self.scanlines(cycles) - i32::from(self.geometry.ystart)).max(0) as usize;
        let Canvas { pixels, rows } = self.current_buffer().canvas();
        for pixel in pixels.iter_mut().skip(row * WIDTH) {
            *pixel = (*pixel & 0x0F) >> 1;
        }
        for row in rows.iter_mut().skip(row) {
            *row = Row::UNKNOWN;
        }
    }

    /// The present picture: palette indices, row by row.
    pub(crate) fn pixels(&mut self) -> &[u8] {
        self.current_buffer().pixels()
    }

    /// The present picture, and the one in the other frame buffer.
    pub(crate) fn screens(&mut self) -> [&[u8]; 2] {
        let current = self.current;
        let mut screens = self.buffers.each_mut().map(FrameBuffer::pixels);
        screens.rotate_left(current);
        screens
    }

    /// [`Tia::screens`], for the caller to change.
    pub(crate) fn screens_mut(&mut self) -> [&mut [u8]; 2] {
        // The recordings are given up, so latches could not be recovered later.
        self.seek(latches::ALL);
        self.cleared_frames = 0;
        let current = self.current;
        let mut screens = self.buffers.each_mut().map(FrameBuffer::pixels_mut);
        screens.rotate_left(current);
        screens
    }

    /// Plays the logged writes to the beam.
    pub(super) fn play(&mut self) {
        let writes = self.log.writes();
        let (from, to) = (self.played, self.log.len());
        let canvas = &mut self.buffers[self.current].canvas();
        let beam = &mut self.beam;
        if self.drawing {
            beam.play::<true, true>(writes.range(from..to), canvas);
        } else {
            // CXCLR forgets the collisions before it.
            let cleared = self.cleared.clamp(from, to);
            beam.play::<false, false>(writes.range(from..cleared), canvas);
            beam.play::<false, true>(writes.range(cleared..to), canvas);
        }
        self.played = to;
    }

    /// Moves the beam to the last access.
    pub(super) fn draw_to_last_access(&mut self) {
        let Access { clock, register } = self.last_access;
        let since = clock.wrapping_sub(self.window.frame_start);
        self.draw_to(clock.wrapping_add(register::delay(register, since)));
    }

    /// Moves the beam to a colour clock.
    pub(super) fn draw_to(&mut self, clock: i32) {
        let canvas = &mut self.buffers[self.current].canvas();
        if self.drawing {
            self.beam.draw_to::<true, true>(clock, canvas);
        } else {
            self.beam.draw_to::<false, true>(clock, canvas);
        }
    }
}
