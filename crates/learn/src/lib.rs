//! Policies learned from pixels.
//!
//! A [`Trainer`] plays games, learns from them by PPO or A2C and gives one [`Update`] after the other. A [`Policy`] plays with
//! the weights that came of it, and so with those of CleanRL's and Stable-Baselines3's agents of the same nets.
//!
//! The promise is bits: a seed gives the same weights natively, in Node and in browsers, with 1, 2 or 4 threads. Sums have one
//! order ([`kernel`]), lanes are always dealt to [`SHARDS`] shards, `exp` and `log` come from libm, and every random number
//! belongs to a stream named by seed, update and place. The crate reads no file and no clock.

#![allow(
    clippy::cast_precision_loss,
    reason = "counts are small, and losses are no exact numbers"
)]
#![allow(clippy::match_bool, reason = "two values side by side read better")]
#![allow(clippy::doc_markdown, reason = "CleanRL, SplitMix64 and PyTorch are names")]

mod environment;
mod error;
mod files;
mod kernel;
mod net;
mod policy;
mod random;
mod train;

pub use environment::training_options;
pub use error::LearnError;
pub use files::Origin;
pub use kernel::Arithmetic;
pub use net::{Input, Net};
pub use policy::{Choice, Decision, Evaluation, Policy};
pub use train::{
    Algorithm, Collected, Config, Execution, HyperParameters, Learner, LossSums, Minibatch, MinibatchAt, Optimizer,
    SHARDS, Shard, Trainer, Update,
};
