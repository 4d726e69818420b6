//! Nets: what they are, how they start, what they compute, and the gradient of it.
//!
//! Inside, pictures are in the order height, width, channel, and all parameters are one array, layer after layer: the weights
//! as `terms` rows of `outputs`, then the biases. [`crate::files`] converts to PyTorch's order.

mod initial;
mod input;
mod pass;
mod shape;

pub(crate) use initial::initial_parameters;
pub(crate) use input::write_input;
pub(crate) use pass::Pass;
pub use shape::{Input, Net};
pub(crate) use shape::{Layer, LayerKind, Plan};

#[cfg(test)]
mod tests;
