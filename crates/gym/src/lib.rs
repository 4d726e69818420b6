#![doc = include_str!("../README.md")]
//!
//! Reinforcement-learning environments: the games of [`gym2600_arcade`] behind wrappers, as the Python stacks have them.
//!
//! A [`Game`] is one environment, made of a ROM and [`GameOptions`]: a [`preset`] or a list of wrappers ([`spec`]). A
//! [`VectorEnv`] steps several of them in one thread into one batch. Observations go into buffers of the caller; a step
//! allocates nothing.
//!
//! The promise is bytes: with the same ROM, options, seed and actions, a preset gives what the Python stack gives that it is
//! named after. `tests/parity` compares them live.

#![allow(clippy::doc_markdown, reason = "NumPy and EnvPool are names")]
#![allow(clippy::cast_precision_loss, reason = "pixels, cells and steps are small numbers")]

mod builder;
mod chain;
mod console;
mod error;
mod game;
pub mod image;
mod options;
pub mod plain;
pub mod preset;
pub mod random;
mod spaces;
pub mod spec;
mod statistics;
#[cfg(test)]
mod typescript;
mod vector;
mod wrappers;

pub use error::GymError;
pub use game::{Episode, Game, Info, Step};
pub use options::{Autoreset, GameOptions};
pub use preset::{PRESETS, Preset};
pub use spaces::{Dtype, Observation, Space};
pub use spec::{Spec, Wrapper};
pub use statistics::{ScalarWriter, Summaries};
pub use vector::{Seeds, VectorEnv, VectorOptions};
