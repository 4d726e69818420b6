//! Layers of a net, as data.

#[cfg(feature = "wgpu")]
use crate::error::{GpuError, equal, within};

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

/// The product of sizes, or the largest number, which no buffer can have.
#[cfg(feature = "wgpu")]
pub(crate) fn product<const N: usize>(sizes: [usize; N]) -> usize {
    sizes.into_iter().fold(1, usize::saturating_mul)
}

/// What shaders are compiled for.
#[cfg(feature = "wgpu")]
impl Layer {
    /// Checks the sizes by themselves.
    fn check(self, number: usize) -> Result<(), GpuError> {
        let what = |size: &str| format!("{size} of layer {number}");
        for (name, size) in [
            ("rows", self.rows),
            ("columns", self.columns),
            ("channels", self.channels),
            ("stride", self.stride),
            ("outputs", self.outputs),
        ] {
            within(what(name), size, 1..usize::MAX)?;
        }
        within(
            what("size"),
            self.size,
            1..self.rows.min(self.columns).saturating_add(1),
        )
    }

    /// Values of the input.
    fn inputs(self) -> usize {
        product([self.rows, self.columns, self.channels])
    }

    /// Values of the output.
    pub(crate) fn values(self) -> usize {
        product([self.places(), self.outputs])
    }

    pub(crate) fn out_rows(self) -> usize {
        (self.rows - self.size) / self.stride + 1
    }

    pub(crate) fn out_columns(self) -> usize {
        (self.columns - self.size) / self.stride + 1
    }

    /// Places of a filter.
    pub(crate) fn places(self) -> usize {
        product([self.out_rows(), self.out_columns()])
    }

    /// Terms of each output's sum.
    pub(crate) fn terms(self) -> usize {
        product([self.size, self.size, self.channels])
    }

    /// Weights and biases.
    pub(crate) fn parameters(self) -> usize {
        product([self.terms().saturating_add(1), self.outputs])
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
    /// Checks that each layer fits what is below it.
    ///
    /// # Errors
    /// [`GpuError::Range`]
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        within("pixels", self.pixels, 1..usize::MAX)?;
        within("frames", self.frames, 1..usize::MAX)?;
        within("actions", self.actions, 1..usize::MAX)?;
        within("layers", self.layers.len(), 1..usize::MAX)?;
        for (number, layer) in self.layers.iter().enumerate() {
            layer.check(number)?;
        }
        let first = self.layers[0];
        equal(
            "channels of layer 0, which sees the frames",
            first.channels,
            self.frames,
        )?;
        let pixels = product([first.rows, first.columns]);
        equal(
            "rows times columns of layer 0, which sees the pixels",
            pixels,
            self.pixels,
        )?;
        for (below, pair) in self.layers.windows(2).enumerate() {
            let what = format!("inputs of layer {}, which are the outputs of the one below", below + 1);
            equal(what, pair[1].inputs(), pair[0].values())?;
        }
        let what = "outputs of the last layer, which are the actions' and a value";
        within(what, self.outputs(), self.actions.saturating_add(1)..usize::MAX)?;
        let last = self.layers.len() - 1;
        equal("places of the last layer", self.layers[last].places(), 1)
    }

    /// Checks that gradients can be computed.
    ///
    /// # Errors
    /// [`GpuError::Relu`]
    pub(crate) fn check_training(&self) -> Result<(), GpuError> {
        let mut layers = self.layers.iter().enumerate().rev();
        let unfit = layers.find(|(number, layer)| layer.relu == (number + 1 == self.layers.len()));
        unfit.map_or(Ok(()), |(layer, _)| Err(GpuError::Relu { layer }))
    }

    /// Weights and biases of all layers.
    pub(crate) fn parameters(&self) -> usize {
        let parameters = self.layers.iter().map(|layer| layer.parameters());
        parameters.fold(0, usize::saturating_add)
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
