#![doc = include_str!("../README.md")]
//!
//! A net is a list of convolutions; a dense layer is a convolution of one pixel. Everything large is a matrix product by tiles
//! (shaders/product.wgsl), which reads its matrices through windows, so nothing is unfolded. Shaders are texts behind constants: all sizes but
//! the batch's are known when they are compiled.
//!
//! Invariant: every sum has one order, and nothing is added atomically, so the same device and driver give the same bits.

#![allow(clippy::doc_markdown, reason = "ReLU, RMSprop and Direct3D are names")]

#[cfg(feature = "wgpu")]
mod card;
mod error;
#[cfg(feature = "wgpu")]
mod kernel;
mod layer;
#[cfg(feature = "wgpu")]
mod net;
#[cfg(feature = "wgpu")]
mod training;
mod work;

#[cfg(feature = "wgpu")]
pub use card::{Adapters, Card, Reading};
pub use error::GpuError;
pub use layer::{Layer, Shape};
#[cfg(feature = "wgpu")]
pub use net::Net;
#[cfg(feature = "wgpu")]
pub use training::Training;
pub use work::{
    Loss, Objective, Optimizer, Room, SETTINGS_NUMBERS, Settings, SettingsBits, Shown, State, Step, Sums, Work,
};
