//! Two observations as bytes.

use gym2600_arcade::{InvalidState, State};

use crate::image::Colours;
use crate::view::View;
use crate::wrappers::Layout;

/// Two observations as bytes, and their maximum.
#[derive(Clone)]
pub(crate) struct BytePair {
    /// Bytes of one row of the observation.
    row_len: usize,
    colours: &'static Colours,
    buffers: [Vec<u8>; 2],
    /// The maximum of both, if `current`.
    pooled: Vec<u8>,
    current: bool,
}

impl BytePair {
    pub(super) fn new(inner: &Layout, colours: &'static Colours) -> Self {
        let len = inner.space.len();
        Self {
            row_len: inner.row_len(),
            colours,
            buffers: [vec![0; len], vec![0; len]],
            pooled: Vec::new(),
            current: false,
        }
    }

    pub(super) fn keep(&mut self, buffer: usize, view: View<'_>) {
        self.current = false;
        view.write(self.colours, self.row_len, &mut self.buffers[buffer]);
    }

    pub(super) fn clear(&mut self, buffer: usize) {
        self.current = false;
        self.buffers[buffer].fill(0);
    }

    pub(super) fn copy_first(&mut self) {
        self.current = false;
        let [first, second] = &mut self.buffers;
        second.copy_from_slice(first);
    }

    pub(super) fn pool_into_first(&mut self) {
        self.current = false;
        let [first, second] = &mut self.buffers;
        for (pixel, other) in first.iter_mut().zip(second.iter()) {
            *pixel = (*pixel).max(*other);
        }
    }

    pub(super) fn view(&mut self) -> View<'_> {
        if !self.current {
            let [first, second] = &self.buffers;
            self.pooled.resize(first.len(), 0);
            for ((pixel, a), b) in self.pooled.iter_mut().zip(first).zip(second) {
                *pixel = (*a).max(*b);
            }
            self.current = true;
        }
        View::Bytes(&self.pooled)
    }

    pub(super) fn view_first(&self) -> View<'_> {
        View::Bytes(&self.buffers[0])
    }
}

impl State for BytePair {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.buffers.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.current = false;
        self.buffers.load(bytes)
    }
}
