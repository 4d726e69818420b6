//! How much of both frame buffers frames have drawn.
//!
//! A frame draws from the top down, and one that ends early leaves pixels of older frames in view. So a picture depends on frames
//! before a mark only if such a frame drew further down in its buffer than any frame since.

use super::Tia;
use super::recording::FrameRecording;

/// How far down each frame buffer is drawn, in colour clocks from the top of the window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coverage {
    /// By any frame since the console's reset. Pixels beyond are black.
    drawn: [i32; 2],
    /// By a frame that began after the mark.
    redrawn: [i32; 2],
    /// The frame in progress began after the mark.
    is_after_mark: bool,
}

/// A point in a console's run that [`Console::snapshot`](crate::Console::snapshot) refers to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The current frame buffer.
    current: usize,
}

impl Coverage {
    /// The coverage of buffers with any pixels.
    pub(super) const UNKNOWN: Self = Self {
        drawn: [i32::MAX; 2],
        redrawn: [0; 2],
        is_after_mark: false,
    };

    /// Notes the start of a frame.
    pub(super) fn begin(&mut self) {
        self.is_after_mark = true;
    }

    /// Notes that the frame in progress has drawn a buffer down to `extent`.
    pub(super) fn note(&mut self, buffer: usize, extent: i32) {
        self.drawn[buffer] = self.drawn[buffer].max(extent);
        if self.is_after_mark {
            self.redrawn[buffer] = self.redrawn[buffer].max(extent);
        }
    }
}

/// The pictures in both frame buffers, for another console. Which buffer is the current one at the mark makes no difference.
#[derive(Clone, Debug)]
pub(crate) struct Pictures {
    /// The frame buffer of the last frame.
    current: usize,
    mark: Mark,
    buffers: [KeptPicture; 2],
    coverage: Coverage,
}

#[derive(Clone, Debug)]
enum KeptPicture {
    Recorded(Box<FrameRecording>),
    Pixels(Box<[u8]>),
}

impl Pictures {
    /// Whether the frames since the mark draw over all that is drawn in `tia`, if it is in the state that was marked.
    pub(crate) fn cover(&self, tia: &Tia) -> bool {
        let Coverage { redrawn, .. } = self.coverage;
        let Coverage { drawn, .. } = tia.coverage;
        let flip = self.mark.current ^ tia.current;
        redrawn[0] >= drawn[flip] && redrawn[1] >= drawn[1 - flip]
    }

    /// Bytes that the pictures take.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = self.buffers.each_ref().map(|picture| match picture {
            KeptPicture::Recorded(recording) => recording.bytes(),
            KeptPicture::Pixels(pixels) => pixels.len(),
        });
        bytes[0] + bytes[1]
    }
}

impl Tia {
    /// Marks the pictures: see [`Pictures::cover`]. Only what is drawn after the last mark counts.
    pub(crate) fn mark(&mut self) -> Mark {
        self.coverage.redrawn = [0; 2];
        self.coverage.is_after_mark = false;
        Mark { current: self.current }
    }

    /// Both pictures after a mark, as recorded frames where possible.
    pub(crate) fn pictures(&mut self, mark: Mark) -> Pictures {
        let buffers = self.buffers.each_mut().map(|buffer| match buffer.recording() {
            Some(recording) => KeptPicture::Recorded(Box::new(recording.clone())),
            None => KeptPicture::Pixels(buffer.pixels().into()),
        });
        Pictures {
            current: self.current,
            mark,
            buffers,
            coverage: self.coverage,
        }
    }

    /// Shows the pictures of another console, from the state that was marked.
    pub(crate) fn show_pictures(&mut self, pictures: &Pictures) {
        // Buffers may be numbered the other way round here.
        let flip = self.current ^ pictures.mark.current;
        self.current = pictures.current ^ flip;
        self.coverage = pictures.coverage;
        if flip != 0 {
            self.coverage.drawn.swap(0, 1);
            self.coverage.redrawn.swap(0, 1);
        }
        for (at, picture) in pictures.buffers.iter().enumerate() {
            let at = at ^ flip;
            match picture {
                KeptPicture::Recorded(recording) => self.buffers[at].show(recording),
                KeptPicture::Pixels(pixels) => self.buffers[at].overwrite().copy_from_slice(pixels),
            }
        }
    }
}
