//! QueueFrames: the last observations as one.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use crate::chain::{Env, Outcome, View};
use crate::image::Colours;
use crate::spec::Padding;

/// A stack of observations in its final order.
pub(crate) struct FrameQueue {
    /// Observations in the stack.
    pub(crate) n: usize,
    /// Bytes of one observation that lie together in the stack, before those of the next.
    pub(crate) chunk: usize,
    pub(crate) padding: Padding,
    /// Bytes of a row, and colours to turn indices into bytes.
    pub(crate) row_len: usize,
    pub(crate) colours: Colours,
    pub(crate) frame: Vec<u8>,
    pub(crate) stack: Vec<u8>,
}

impl FrameQueue {
    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32) -> Outcome {
        let outcome = inner.step(action, Picture::Wanted);
        inner.view().write(&self.colours, self.row_len, &mut self.frame);
        self.push();
        outcome
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        inner.reset(seed);
        inner.view().write(&self.colours, self.row_len, &mut self.frame);
        match self.padding {
            Padding::Reset => {
                for _ in 1..self.n {
                    self.push();
                }
            }
            Padding::Zero => self.stack.fill(0),
        }
        self.push();
    }

    /// Moves every place of the stack up by one and puts the frame into the last.
    fn push(&mut self) {
        if self.n == 4 && self.chunk == 1 {
            for (group, pixel) in self.stack.chunks_exact_mut(4).zip(&self.frame) {
                group.copy_from_slice(&[group[1], group[2], group[3], *pixel]);
            }
            return;
        }
        let chunk = self.chunk;
        for (group, new) in self
            .stack
            .chunks_exact_mut(self.n * chunk)
            .zip(self.frame.chunks_exact(chunk))
        {
            group.copy_within(chunk.., 0);
            group[(self.n - 1) * chunk..].copy_from_slice(new);
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::Bytes(&self.stack)
    }
}

fields!(FrameQueue { frame, stack });
