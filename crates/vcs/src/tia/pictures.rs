//! The pictures of a snapshot, and the mark at which its run began.

use super::Tia;
use super::buffers::Buffers;
use super::coverage::Coverage;
use super::recording::FrameRecording;

/// The start of a run that [`Console::snapshot`](crate::Console::snapshot) ends.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The current frame buffer.
    current: usize,
}

/// The pictures in both frame buffers. Another console may show them, whichever of its buffers was the current one at the mark.
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
    /// Whether the frames since the mark draw over everything that was drawn before it: in these pictures, and in `tia`, which is in the
    /// marked state.
    pub(crate) fn cover(&self, tia: &Tia) -> bool {
        let Coverage { redrawn, drawn, .. } = self.coverage;
        let Coverage { drawn: in_tia, .. } = tia.buffers.coverage;
        let flip = self.mark.current ^ tia.buffers.current;
        (0..2).all(|buffer| redrawn[buffer] >= drawn[buffer].max(in_tia[buffer ^ flip]))
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
    /// Marks the pictures for [`Pictures::cover`], in place of an earlier mark.
    pub(crate) fn mark(&mut self) -> Mark {
        self.buffers.coverage.mark();
        Mark {
            current: self.buffers.current,
        }
    }

    /// Both pictures after a mark, as recorded frames where possible.
    pub(crate) fn pictures(&mut self, mark: Mark) -> Pictures {
        let Buffers {
            pair,
            current,
            coverage,
        } = &mut self.buffers;
        let buffers = pair.each_mut().map(|buffer| match buffer.recording() {
            Some(recording) => KeptPicture::Recorded(Box::new(recording.clone())),
            None => KeptPicture::Pixels(buffer.pixels().into()),
        });
        Pictures {
            current: *current,
            mark,
            buffers,
            coverage: *coverage,
        }
    }

    /// Shows the pictures of another console. This one is in the marked state.
    pub(crate) fn show_pictures(&mut self, pictures: &Pictures) {
        let Buffers {
            pair,
            current,
            coverage,
        } = &mut self.buffers;
        // Buffers may be numbered the other way round here.
        let flip = *current ^ pictures.mark.current;
        *current = pictures.current ^ flip;
        *coverage = if flip == 0 {
            pictures.coverage
        } else {
            pictures.coverage.swapped()
        };
        for (at, picture) in pictures.buffers.iter().enumerate() {
            let at = at ^ flip;
            match picture {
                KeptPicture::Recorded(recording) => pair[at].show(recording),
                KeptPicture::Pixels(pixels) => pair[at].overwrite().copy_from_slice(pixels),
            }
        }
    }
}
