//! Layers of a net, as data.

/// A convolution without padding. Its parameters are `terms` rows of `outputs` weights, row, column and channel of a filter in this order, then
/// the biases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layer {
    /// Rows of the input.
    pub rows: usize,
    /// Columns of the input.
    pub columns: usize,
    /// Values of the input at each row and column.
    pub channels: usize,
    /// Rows and columns of a filter.
    pub size: usize,
    /// Distance of the filter's places.
    pub stride: usize,
    /// Filters.
    pub outputs: usize,
    /// Whether negative outputs become 0. All layers but the last need it: the gradient relies on it.
    pub relu: bool,
}

impl Layer {
    /// A dense layer: a convolution of a single pixel.
    pub fn dense(inputs: usize, outputs: usize, relu: bool) -> Self {
        Self {
            rows: 1,
            columns: 1,
            channels: inputs,
            size: 1,
            stride: 1,
            outputs,
            relu,
        }
    }
}

/// What shaders are compiled for.
#[cfg(feature = "wgpu")]
impl Layer {
    pub(crate) fn out_rows(self) -> usize {
        (self.rows - self.size) / self.stride + 1
    }

    pub(crate) fn out_columns(self) -> usize {
        (self.columns - self.size) / self.stride + 1
    }

    /// Places of a filter.
    pub(crate) fn places(self) -> usize {
        self.out_rows() * self.out_columns()
    }

    /// Terms of each output's sum.
    pub(crate) fn terms(self) -> usize {
        self.size * self.size * self.channels
    }

    /// Weights and biases.
    pub(crate) fn parameters(self) -> usize {
        (self.terms() + 1) * self.outputs
    }
}

/// A net that sees stacks of pictures and gives logits and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a picture.
    pub pixels: usize,
    /// Pictures of a stack.
    pub frames: usize,
    /// The layers. The first one's input is a stack; the last gives a logit for each action, a value, and outputs that have no meaning.
    pub layers: Vec<Layer>,
    /// Actions.
    pub actions: usize,
}

#[cfg(feature = "wgpu")]
impl Shape {
    /// Weights and biases of all layers.
    pub(crate) fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.parameters()).sum()
    }

    /// Outputs of the last layer.
    pub(crate) fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.outputs)
    }

    /// Words of four bytes that a picture takes.
    pub(crate) fn picture_words(&self) -> usize {
        self.pixels.div_ceil(4)
    }

    /// Words that a pixel of a stack takes.
    pub(crate) fn pixel_words(&self) -> usize {
        self.frames.div_ceil(4)
    }
}
