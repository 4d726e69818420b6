//! File formats: weights as safetensors under CleanRL's names in PyTorch's order, checkpoints, and ONNX.

mod checkpoint;
pub(crate) mod onnx;
mod tensors;
mod weights;
