//! The two frame buffers, and when they are drawn.
//!
//! Frames are drawn to the buffers in turns, so a frame that ends early leaves rows of the frame before the previous one
//! in view. A buffer therefore holds its last completely drawn frame as pixels, as a [`FrameRecording`], or as both, and is brought
//! up to date before anything is drawn over it or read from it.
//!
//! Pixels are allocated when a buffer is first drawn. A buffer whose frame is recorded gives its pixels to the other one if that
//! needs some, so a console whose frames are drawn completely has the pixels of one buffer: 34 KB, or 40 KB with PAL. Both buffers have pixels
//! from two frames in a row that end early to the next two that do not, and while both are read.
//!
//! Invariant: what a buffer shows does not depend on when it is drawn.

use super::beam::Beam;
use super::canvas::{Canvas, Row};
use super::coverage::Coverage;
use super::playback::Playback;
use super::recording::FrameRecording;
use crate::{FrameGeometry, WIDTH};

/// Pixels, and what each row of them holds.
#[derive(Clone, Debug)]
struct Raster {
    pixels: Box<[u8]>,
    rows: Box<[Row]>,
}

impl Raster {
    fn black(height: usize) -> Self {
        Self {
            pixels: vec![0; WIDTH * height].into(),
            rows: vec![Row::BLACK; height].into(),
        }
    }

    fn blacken(&mut self) {
        self.pixels.fill(0);
        self.rows.fill(Row::BLACK);
    }

    fn canvas(&mut self) -> Canvas<'_> {
        Canvas {
            pixels: &mut self.pixels,
            rows: &mut self.rows,
        }
    }
}

/// One frame buffer.
#[derive(Clone, Debug)]
pub(super) struct FrameBuffer {
    height: usize,
    /// Present if the content is in the pixels.
    raster: Option<Raster>,
    recording: FrameRecording,
    content: Content,
}

/// Where the content of a frame buffer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    /// The buffer is black. Its raster, if it has one, belongs to another frame.
    Black,
    /// In the raster. The recording is unused.
    Pixels,
    /// In the recording. The raster, if there is one, belongs to another frame.
    Recording,
    /// In both.
    Both,
}

impl FrameBuffer {
    /// A black buffer. `beam` is any beam.
    pub(super) fn new(geometry: FrameGeometry, beam: &Beam) -> Self {
        Self {
            height: usize::from(geometry.height),
            raster: None,
            recording: FrameRecording::empty(beam),
            content: Content::Black,
        }
    }

    /// Blackens the buffer.
    pub(super) fn blacken(&mut self) {
        self.content = Content::Black;
    }

    /// The raster, allocated if there is none. Its pixels are not up to date.
    fn raster(&mut self) -> &mut Raster {
        let height = self.height;
        self.raster.get_or_insert_with(|| Raster::black(height))
    }

    /// Takes the raster out, unless it alone holds the content.
    fn give_raster(&mut self) -> Option<Raster> {
        self.content = match self.content {
            Content::Pixels => return None,
            Content::Both => Content::Recording,
            content => content,
        };
        self.raster.take()
    }

    /// Brings the pixels up to date.
    fn draw(&mut self) -> &mut Raster {
        match self.content {
            Content::Pixels | Content::Both => {}
            Content::Black => {
                self.content = Content::Pixels;
                self.raster().blacken();
            }
            Content::Recording => {
                self.content = Content::Both;
                let height = self.height;
                let raster = self.raster.get_or_insert_with(|| Raster::black(height));
                self.recording.draw(&mut raster.canvas());
            }
        }
        self.raster()
    }

    /// The pixels, up to date: a palette index a pixel, row by row.
    pub(super) fn pixels(&mut self) -> &[u8] {
        &self.draw().pixels
    }

    /// The pixels without an update, to draw a newer frame over them. Empty without a raster: drawing to it has no effect.
    fn canvas(&mut self) -> Canvas<'_> {
        match &mut self.raster {
            Some(raster) => raster.canvas(),
            None => Canvas {
                pixels: &mut [],
                rows: &mut [],
            },
        }
    }

    /// The recording of the frame that the buffer shows, if it was drawn completely.
    pub(super) fn recording(&self) -> Option<&FrameRecording> {
        matches!(self.content, Content::Recording | Content::Both).then_some(&self.recording)
    }

    /// Shows a recorded frame, which is drawn when it is asked for.
    pub(super) fn show(&mut self, recording: &FrameRecording) {
        self.recording.clone_from(recording);
        self.content = Content::Recording;
    }

    /// Pixels for the caller to write, all of them.
    pub(super) fn overwrite(&mut self) -> &mut [u8] {
        self.content = Content::Pixels;
        let raster = self.raster();
        raster.rows.fill(Row::UNKNOWN);
        &mut raster.pixels
    }
}

/// Both frame buffers.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    pub(super) pair: [FrameBuffer; 2],
    /// The index of the buffer of the last frame, or of the one in progress.
    pub(super) current: usize,
    pub(super) coverage: Coverage,
}

impl Buffers {
    /// Black buffers. `beam` is any beam.
    pub(super) fn new(geometry: FrameGeometry, beam: &Beam) -> Self {
        Self {
            pair: [FrameBuffer::new(geometry, beam), FrameBuffer::new(geometry, beam)],
            current: 0,
            coverage: Coverage::default(),
        }
    }

    pub(super) fn blacken(&mut self) {
        self.pair.iter_mut().for_each(FrameBuffer::blacken);
        self.current = 0;
        self.coverage = Coverage::default();
    }

    /// Makes buffers for another geometry.
    pub(super) fn resize(&mut self, geometry: FrameGeometry, beam: &Beam) {
        self.pair = Self::new(geometry, beam).pair;
    }

    /// Starts a frame.
    pub(super) fn begin(&mut self) {
        self.current = 1 - self.current;
        self.coverage.begin();
    }

    /// Gives the current buffer a raster to draw to: the other buffer's, if it is free.
    pub(super) fn provide_raster(&mut self) {
        if self.pair[self.current].raster.is_none() {
            self.pair[self.current].raster = self.pair[1 - self.current].give_raster();
            self.pair[self.current].raster();
        }
    }

    /// Prepares the current buffer for a frame that continues: its content is in its pixels alone.
    pub(super) fn resume(&mut self) {
        self.provide_raster();
        let buffer = &mut self.pair[self.current];
        buffer.draw();
        buffer.content = Content::Pixels;
    }

    /// The current buffer, to draw the present frame to it.
    pub(super) fn canvas(&mut self) -> Canvas<'_> {
        self.pair[self.current].canvas()
    }

    /// Notes how far down the present frame has drawn the current buffer.
    pub(super) fn note_extent(&mut self, extent: i32) {
        self.coverage.note(self.current, extent);
    }

    /// Records the frame that has just ended, which has drawn the whole window.
    pub(super) fn record(&mut self, frame: &Playback) {
        let buffer = &mut self.pair[self.current];
        let older_ended_early = buffer.content == Content::Pixels;
        buffer.recording.record(&frame.start, &frame.log);
        buffer.content = if frame.drawing {
            Content::Both
        } else {
            Content::Recording
        };
        if older_ended_early {
            self.free_other_raster();
        }
    }

    /// Frees the pixels that frames which ended early may have given the other buffer.
    // Inlined, it makes every frame 3 to 5 % slower.
    #[cold]
    fn free_other_raster(&mut self) {
        self.pair[1 - self.current].give_raster();
    }

    /// Brings the current buffer up to the beam. Its content is then in its pixels alone.
    pub(super) fn settle(&mut self, frame: &Playback) {
        self.provide_raster();
        let buffer = &mut self.pair[self.current];
        // Rows below the beam are those of the buffer's older frame, so that frame is drawn first.
        let has_older = matches!(buffer.content, Content::Pixels | Content::Both);
        if frame.log_is_complete && !(has_older && frame.drawing) {
            frame.replay(&mut buffer.draw().canvas());
        }
        frame.draw_ahead(&mut buffer.canvas());
        buffer.content = Content::Pixels;
    }

    /// Turns the pixels of the current buffer grey, from row `row` on.
    pub(super) fn grey_from(&mut self, row: usize) {
        let Canvas { pixels, rows } = self.canvas();
        for pixel in pixels.iter_mut().skip(row * WIDTH) {
            *pixel = (*pixel & 0x0F) >> 1;
        }
        for row in rows.iter_mut().skip(row) {
            *row = Row::UNKNOWN;
        }
    }

    /// The present picture: palette indices, row by row.
    pub(super) fn pixels(&mut self) -> &[u8] {
        self.provide_raster();
        self.pair[self.current].pixels()
    }

    /// The present picture, and the one in the other buffer.
    pub(super) fn screens(&mut self) -> [&[u8]; 2] {
        let current = self.current;
        let mut screens = self.pair.each_mut().map(FrameBuffer::pixels);
        screens.rotate_left(current);
        screens
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tia::shadow::Access;
    use crate::tia::{FrameEnd, Greying, LINE, TOUCH, Tia};
    use crate::{Drawing, HmoveBlanks, TvFormat};

    #[test]
    fn both_buffers_have_pixels_only_around_frames_that_end_early() {
        let geometry = FrameGeometry {
            tv: TvFormat::Ntsc,
            first_line: 34,
            height: 210,
        };
        let mut tia = Tia::new(geometry, HmoveBlanks::default());
        let mut rasters_after = |frames: &[i32]| {
            for lines in frames {
                tia.begin(0, Drawing::Immediate);
                let clock = LINE * lines;
                let register = TOUCH;
                tia.shadow.last_access = Access { clock, register };
                tia.frame.end = FrameEnd::Yes;
                tia.finish(clock / 3, Greying::Done);
            }
            tia.buffers.pair.iter().filter(|buffer| buffer.raster.is_some()).count()
        };
        assert_eq!(rasters_after(&[262, 262, 262]), 1);
        assert_eq!(rasters_after(&[100, 100]), 2);
        assert_eq!(rasters_after(&[262, 262]), 1);
    }
}
