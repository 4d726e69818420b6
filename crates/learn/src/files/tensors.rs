//! Parameters as named tensors, and back.
//!
//! The names are those of CleanRL's `ppo_atari.py`: `network` is a sequence of convolutions and ReLUs, a flattening, a linear
//! layer and a ReLU, and `actor` and `critic` lie on top of it. PyTorch has weights as output, input, row, column; ours are
//! row, column, input, output. The first linear layer takes a flattened picture, channel first there and channel last here.

use crate::net::{Layer, LayerKind, Plan};

/// A tensor of 32-bit floats.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f32>,
}

/// The tensors of a net in the order of their names, which is a file's order. Their values are the places of our parameters.
pub(crate) fn places(plan: &Plan) -> Vec<(String, Vec<usize>, Vec<usize>)> {
    let mut tensors = Vec::new();
    let convolutions = plan.layers.len() - 2;
    for (number, layer) in plan.layers.iter().enumerate() {
        let weight = |term: usize, output: usize| layer.at + term * layer.outputs + output;
        let mut add = |name: &str, outputs: std::ops::Range<usize>, shape: &[usize], order: &[usize]| {
            let weights = outputs
                .clone()
                .flat_map(|output| order.iter().map(move |term| weight(*term, output)));
            let whole = [&[outputs.len()], shape].concat();
            tensors.push((format!("{name}.weight"), whole, weights.collect()));
            let biases = outputs.clone().map(|output| layer.bias() + output);
            tensors.push((format!("{name}.bias"), vec![outputs.len()], biases.collect()));
        };
        if number > convolutions {
            let order: Vec<usize> = (0..layer.terms).collect();
            add("actor", 0..plan.actions, &[layer.terms], &order);
            add("critic", plan.actions..plan.actions + 1, &[layer.terms], &order);
        } else {
            let (shape, order) = order_of(plan, layer);
            // Each convolution is followed by a ReLU, and the last of those by the flattening.
            let place = if number < convolutions {
                2 * number
            } else {
                2 * number + 1
            };
            add(&format!("network.{place}"), 0..layer.outputs, &shape, &order);
        }
    }
    tensors.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    tensors
}

/// The shape of a weight's inputs, and our terms in PyTorch's order.
fn order_of(plan: &Plan, layer: &Layer) -> (Vec<usize>, Vec<usize>) {
    match layer.kind {
        LayerKind::Convolution { size, channels, .. } => {
            (vec![channels, size, size], channel_first(size * size, channels))
        }
        LayerKind::Linear => {
            let (places, channels) = plan.flattened;
            (vec![layer.terms], channel_first(places, channels))
        }
    }
}

fn channel_first(places: usize, channels: usize) -> Vec<usize> {
    (0..channels)
        .flat_map(|channel| (0..places).map(move |place| place * channels + channel))
        .collect()
}

/// The parameters as tensors, in a file's order.
pub(crate) fn named(plan: &Plan, parameters: &[f32]) -> Vec<Tensor> {
    let tensors = places(plan).into_iter();
    tensors
        .map(|(name, shape, places)| Tensor {
            name,
            shape,
            values: places.iter().map(|place| parameters[*place]).collect(),
        })
        .collect()
}
