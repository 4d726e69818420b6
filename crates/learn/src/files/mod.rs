//! File formats: weights as safetensors under CleanRL's names in PyTorch's order, checkpoints, and ONNX.

pub(crate) mod checkpoint;
pub(crate) mod onnx;
mod tensors;
mod weights;
