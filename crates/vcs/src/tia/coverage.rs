//! How far down frames have drawn each frame buffer.
//!
//! A frame draws from the top down. One that ends early leaves pixels of older frames in view. So a picture depends on frames
//! before a mark only if one of them drew further down in its buffer than every frame since.

/// How far down each frame buffer is drawn, in colour clocks from the top of the window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coverage {
    /// By any frame since the console's reset. Pixels beyond are black.
    pub(super) drawn: [i32; 2],
    /// By a frame that began after the mark.
    pub(super) redrawn: [i32; 2],
    /// The frame in progress began after the mark.
    is_after_mark: bool,
}

impl Coverage {
    /// The coverage of buffers with any pixels.
    pub(super) const UNKNOWN: Self = Self {
        drawn: [i32::MAX; 2],
        redrawn: [0; 2],
        is_after_mark: false,
    };

    /// Sets the mark here.
    pub(super) fn mark(&mut self) {
        self.redrawn = [0; 2];
        self.is_after_mark = false;
    }

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

    /// The same with the two buffers exchanged.
    pub(super) fn swapped(mut self) -> Self {
        self.drawn.swap(0, 1);
        self.redrawn.swap(0, 1);
        self
    }
}
