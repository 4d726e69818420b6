//! `ScaledFloat`: bytes as 32-bit floats from 0 to 1.

use gym2600_arcade::{Drawing, fields};

use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::image::Colours;
use crate::spaces::Dtype;
use crate::transition::{ResetScope, Transition};
use crate::view::{View, ViewKind};

/// The wrapper, which has no options.
pub(crate) struct ScaledFloat;

impl WrapperKind for ScaledFloat {
    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        game.need_bytes()?;
        let len = game.layout.space.len();
        let layer = ScaledFloatLayer {
            row_len: game.layout.row_len(),
            colours: game.colours(),
            bytes: vec![0; len],
            floats: vec![0; len * 4],
            quotients: Box::new(std::array::from_fn(|byte| (byte as f32 / 255.0).to_le_bytes())),
            current: false,
        };
        game.layout.form = ViewKind::Bytes;
        game.layout.space.dtype = Dtype::Float32;
        Ok(Some(Box::new(layer)))
    }
}

/// Divides by 255.
#[derive(Clone)]
struct ScaledFloatLayer {
    row_len: usize,
    colours: &'static Colours,
    bytes: Vec<u8>,
    floats: Vec<u8>,
    /// The little-endian bytes of the quotient of each byte.
    quotients: Box<[[u8; 4]; 256]>,
    current: bool,
}

impl ScaledFloatLayer {
    fn is_valid(&self) -> bool {
        let quotients = self.bytes.iter().map(|&byte| self.quotients[usize::from(byte)]);
        self.floats.as_chunks().0.iter().copied().eq(quotients)
    }
}

impl Layer for ScaledFloatLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.current = false;
        inner.step(action, drawing)
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        self.current = false;
        inner.reset(reset);
    }

    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
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

fields!(ScaledFloatLayer { bytes, floats, current } where is_valid);
