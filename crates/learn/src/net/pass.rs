//! Forward and backward passes over a batch.

use super::{Layer, LayerKind, Plan};
use crate::kernel::{Arithmetic, Finish, Panels, Windows, outer, product};

/// A net with its parameters, arranged for the products, and room for the values of a batch.
pub(crate) struct Pass {
    plan: Plan,
    arithmetic: Arithmetic,
    biases: Vec<Vec<f32>>,
    forward: Vec<Panels>,
    backward: Vec<Panels>,
    /// The input of each layer, and the output of the last.
    values: Vec<Vec<f32>>,
    /// The gradients of `values`; that of the input stays empty.
    gradients: Vec<Vec<f32>>,
    columns: Vec<f32>,
}

impl Pass {
    pub(crate) fn new(plan: Plan, arithmetic: Arithmetic) -> Self {
        let layers = plan.layers.len();
        Self {
            plan,
            arithmetic,
            biases: vec![Vec::new(); layers],
            forward: vec![Panels::default(); layers],
            backward: vec![Panels::default(); layers],
            values: vec![Vec::new(); layers + 1],
            gradients: vec![Vec::new(); layers + 1],
            columns: Vec::new(),
        }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Takes parameters for the passes that follow.
    pub(crate) fn set_parameters(&mut self, parameters: &[f32]) {
        for (number, layer) in self.plan.layers.iter().enumerate() {
            let weights = &parameters[layer.at..layer.bias()];
            self.forward[number].pack(weights, layer.terms);
            // The gradient of the input is never needed.
            if number > 0 {
                self.backward[number].pack_transposed(weights, layer.outputs);
            }
            self.biases[number].clear();
            self.biases[number].extend_from_slice(&parameters[layer.bias()..layer.end()]);
        }
    }

    /// The input of a batch, to be filled: height, width, channel, from 0 to 1.
    pub(crate) fn input(&mut self, batch: usize) -> &mut [f32] {
        let len = batch * self.plan.layers[0].inputs;
        self.values[0].resize(len, 0.0);
        &mut self.values[0]
    }

    /// What the heads give for the input: for each sample the logits, the value, and padding.
    pub(crate) fn forward(&mut self) -> &[f32] {
        let batch = self.values[0].len() / self.plan.layers[0].inputs;
        for (number, layer) in self.plan.layers.iter().enumerate() {
            let (before, after) = self.values.split_at_mut(number + 1);
            let (input, output) = (&before[number], &mut after[0]);
            output.resize(batch * layer.places * layer.outputs, 0.0);
            let bias = &self.biases[number];
            let finish = match layer.relu {
                true => Finish::BiasRelu(bias),
                false => Finish::Bias(bias),
            };
            let panels = &self.forward[number];
            match &layer.kind {
                LayerKind::Convolution { windows, .. } => {
                    let samples = input.chunks_exact(layer.inputs);
                    for (input, output) in samples.zip(output.chunks_exact_mut(layer.places * layer.outputs)) {
                        product(self.arithmetic, input, windows, panels, finish, output);
                    }
                }
                LayerKind::Linear => {
                    let rows = Windows::dense(batch, layer.inputs);
                    product(self.arithmetic, input, &rows, panels, finish, output);
                }
            }
        }
        &self.values[self.plan.layers.len()]
    }

    /// The gradient of the heads' output, to be filled before [`Pass::backward`].
    pub(crate) fn output_gradient(&mut self) -> &mut [f32] {
        let last = self.plan.layers.len();
        self.gradients[last].clear();
        self.gradients[last].resize(self.values[last].len(), 0.0);
        &mut self.gradients[last]
    }

    /// Adds the gradient of the parameters to `sums`.
    pub(crate) fn backward(&mut self, sums: &mut [f32]) {
        for number in (0..self.plan.layers.len()).rev() {
            let layer = &self.plan.layers[number];
            let (before, after) = self.gradients.split_at_mut(number + 1);
            let gradient = &mut after[0];
            if layer.relu {
                for (gradient, value) in gradient.iter_mut().zip(&self.values[number + 1]) {
                    *gradient = if *value > 0.0 { *gradient } else { 0.0 };
                }
            }
            let (weights, biases) = sums[layer.at..layer.end()].split_at_mut(layer.terms * layer.outputs);
            for row in gradient.chunks_exact(layer.outputs) {
                for (sum, value) in biases.iter_mut().zip(row) {
                    *sum += value;
                }
            }
            let below = Below {
                arithmetic: self.arithmetic,
                layer,
                input: &self.values[number],
                panels: &self.backward[number],
                gradient: (number > 0).then_some(&mut before[number]),
            };
            match &layer.kind {
                LayerKind::Convolution { windows, .. } => {
                    below.convolution(windows, gradient, weights, &mut self.columns);
                }
                LayerKind::Linear => below.linear(gradient, weights),
            }
        }
    }
}

/// What lies below a layer in a backward pass.
struct Below<'a> {
    arithmetic: Arithmetic,
    layer: &'a Layer,
    input: &'a [f32],
    panels: &'a Panels,
    /// The gradient of the input, where it is needed.
    gradient: Option<&'a mut Vec<f32>>,
}

impl Below<'_> {
    fn linear(self, gradient: &[f32], weights: &mut [f32]) {
        let rows = gradient.len() / self.layer.outputs;
        let inputs = Windows::dense(rows, self.layer.inputs);
        outer(self.arithmetic, self.input, &inputs, gradient, weights);
        if let Some(below) = self.gradient {
            below.resize(self.input.len(), 0.0);
            let outputs = Windows::dense(rows, self.layer.outputs);
            product(self.arithmetic, gradient, &outputs, self.panels, Finish::Plain, below);
        }
    }

    fn convolution(self, windows: &Windows, gradient: &[f32], weights: &mut [f32], columns: &mut Vec<f32>) {
        let Layer {
            inputs,
            places,
            outputs,
            terms,
            ..
        } = *self.layer;
        let samples = gradient
            .chunks_exact(places * outputs)
            .zip(self.input.chunks_exact(inputs));
        for (gradient, input) in samples.clone() {
            outer(self.arithmetic, input, windows, gradient, weights);
        }
        let Some(below) = self.gradient else { return };
        below.clear();
        below.resize(self.input.len(), 0.0);
        columns.resize(places * terms, 0.0);
        let rows = Windows::dense(places, outputs);
        for ((gradient, _), below) in samples.zip(below.chunks_exact_mut(inputs)) {
            product(self.arithmetic, gradient, &rows, self.panels, Finish::Plain, columns);
            scatter(columns, windows, below);
        }
    }
}

/// Adds the gradients of all windows to the places that they were read from.
fn scatter(columns: &[f32], windows: &Windows, sums: &mut [f32]) {
    for (column, start) in columns.chunks_exact(windows.columns()).zip(&windows.starts) {
        for (segment, values) in column.chunks_exact(windows.len).enumerate() {
            let sums = &mut sums[start + segment * windows.stride..][..windows.len];
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }
}
