//! ScaledFloat: bytes as 32-bit floats from 0 to 1.

use gym2600_arcade::Drawing;
use gym2600_arcade::fields;

use super::Env;
use crate::image::Colours;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Divides by 255.
pub(crate) struct Scaler {
    row_len: usize,
    colours: &'static Colours,
    bytes: Vec<u8>,
    floats: Vec<u8>,
    /// The little-endian bytes of the quotient of each byte.
    quotients: Box<[[u8; 4]; 256]>,
    current: bool,
}

impl Scaler {
    pub(crate) fn new(len: usize, row_len: usize, colours: &'static Colours) -> Self {
        Self {
            row_len,
            colours,
            bytes: vec![0; len],
            floats: vec![0; len * 4],
            quotients: Box::new(std::array::from_fn(|byte| (byte as f32 / 255.0).to_le_bytes())),
            current: false,
        }
    }

    fn is_valid(&self) -> bool {
        let quotients = self.bytes.iter().map(|&byte| self.quotients[usize::from(byte)]);
        self.floats.as_chunks().0.iter().copied().eq(quotients)
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.current = false;
        inner.step(action, drawing)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        self.current = false;
        inner.reset(reset);
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        if !self.current {
            inner.into_view().write(self.colours, self.row_len, &mut self.bytes);
            for (float, byte) in self.floats.chunks_exact_mut(4).zip(&self.bytes) {
                float.copy_from_slice(&self.quotients[*byte as usize]);
            }
            self.current = true;
        }
        View::Bytes(&self.floats)
    }
}

fields!(Scaler { bytes, floats, current } where is_valid);
