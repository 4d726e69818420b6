//! What goes in and out: weights as safetensors under CleanRL's names in PyTorch's order, checkpoints, and ONNX.

mod checkpoint;
mod onnx;
mod origin;
mod tensors;
mod weights;

pub use origin::Origin;

pub(crate) use onnx::to_onnx;
