#![doc = include_str!("../README.md")]
//!
//! A net is a list of convolutions; a dense layer is a convolution of one pixel. Everything large is a matrix product by tiles
//! (shaders/product.wgsl), which reads its matrices through windows, so nothing is unfolded. Shaders are texts behind constants: all sizes but
//! the batch's are known when they are compiled.
//!
//! Invariant: every sum has one order, and nothing is added atomically, so the same device and driver give the same bits.

#![allow(clippy::doc_markdown, reason = "ReLU, RMSprop and Direct3D are names")]

mod card;
mod error;
mod kernel;
mod layer;
mod net;
mod training;

pub use card::{Adapters, Card};
pub use error::GpuError;
pub use layer::{Layer, Shape};
pub use net::{Net, Room};
pub use training::{Loss, Objective, Optimizer, Settings, State, Step, Sums, Training};
