//! QueueFrames: stacks the last observations.

use gym2600_arcade::{Drawing, InvalidState, State};

use super::Env;
use super::layout::Layout;
use crate::image::Colours;
use crate::spec::{Padding, QueueFrames};
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// A stack of observations: a ring in the order of the result.
pub(crate) struct FrameQueue {
    /// Observations in the stack.
    n: usize,
    /// Adjacent bytes of an observation in the stack.
    chunk: usize,
    padding: Padding,
    /// Bytes of a row, and the colours for palette indices.
    row_len: usize,
    colours: &'static Colours,
    /// The newest observation if observations are interleaved in the stack, else empty.
    frame: Vec<u8>,
    stack: Vec<u8>,
    /// The offset of the oldest observation, 0 if they are interleaved.
    start: usize,
}

impl FrameQueue {
    /// A stack of `n` observations of `inner`, with `chunk` adjacent bytes each.
    pub(crate) fn new(options: QueueFrames, chunk: usize, inner: &Layout, colours: &'static Colours) -> Self {
        let len = inner.space.len();
        Self {
            n: options.n,
            chunk,
            padding: options.padding,
            row_len: inner.row_len(),
            colours,
            frame: vec![0; if chunk == len { 0 } else { len }],
            stack: vec![0; len * options.n],
            start: 0,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32) -> Transition {
        let transition = inner.step(action, Drawing::Immediate);
        self.push(inner);
        transition
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        let games = inner.base.games();
        inner.reset(reset);
        match self.padding {
            Padding::GameReset if inner.base.games() == games => {}
            Padding::Reset | Padding::GameReset => {
                for _ in 1..self.n {
                    self.push(inner);
                }
            }
            Padding::Zero => self.stack.fill(0),
        }
        self.push(inner);
    }

    /// Appends an observation in the place of the oldest.
    fn push(&mut self, inner: &mut Env<'_>) {
        if self.frame.is_empty() {
            let oldest = &mut self.stack[self.start..self.start + self.chunk];
            inner.view().write(self.colours, self.row_len, oldest);
            self.start = (self.start + self.chunk) % self.stack.len();
            return;
        }
        inner.view().write(self.colours, self.row_len, &mut self.frame);
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
        View::Ring(&self.stack, self.start)
    }
}

impl State for FrameQueue {
    fn save(&self, bytes: &mut Vec<u8>) {
        let (newer, older) = self.stack.split_at(self.start);
        bytes.extend_from_slice(older);
        bytes.extend_from_slice(newer);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.start = 0;
        self.stack.as_mut_slice().load(bytes)
    }
}
