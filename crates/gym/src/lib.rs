#![doc = include_str!("../README.md")]
//!
//! [`preset`] has the named lists of wrappers and [`spec`] the wrappers' options. Observations go into buffers of the caller.
//!
//! Invariant: with the same ROM, options, seed and actions a preset gives the bytes of its Python package. `tests/parity` compares
//! them.

#![allow(clippy::doc_markdown, reason = "NumPy and EnvPool are names")]
#![allow(clippy::cast_precision_loss, reason = "pixels, cells and steps are small numbers")]

mod base_env;
mod builder;
pub mod data;
mod description;
mod error;
mod frames;
mod game;
pub mod image;
mod lane_threads;
mod options;
mod order;
pub mod preset;
pub mod random;
mod record;
#[cfg(test)]
mod reference;
mod resolve;
mod setup;
mod spaces;
pub mod spec;
mod transition;
#[cfg(test)]
mod typescript;
mod vector;
mod view;
mod wrappers;

pub use description::{ArcadeDescription, GameDescription, ScreenSize, describe};
pub use error::{ErrorDetails, GymError};
pub use frames::{Frame, MAX_KEPT_FRAMES};
pub use game::Game;
pub use lane_threads::LaneThreads;
pub use options::{ArcadeOptions, GameOptions};
pub use preset::{PRESETS, Preset};
pub use record::{EpisodeSummary, Info, StepRecord};
pub use spaces::{Dtype, Observation, Space, SpaceBounds};
pub use spec::{AutoresetMode, Spec, Wrapper};
pub use vector::{Seeds, VectorEnv, VectorOptions};
