#![doc = include_str!("../README.md")]
//!
//! Invariants behind equal bits on all machines: sums have one order (`kernel`), lanes always belong to [`SHARDS`] shards, `exp` and
//! `log` come from libm, and every random number belongs to a stream named by seed, update and place.

#![allow(
    clippy::cast_precision_loss,
    reason = "counts are small, and losses are no exact numbers"
)]
#![allow(clippy::match_bool, reason = "two values side by side read better")]
#![allow(clippy::doc_markdown, reason = "CleanRL, SplitMix64 and PyTorch are names")]

mod card;
mod config;
mod device;
mod distribution;
mod environment;
mod error;
mod files;
mod game;
mod kernel;
mod net;
mod origin;
mod policy;
mod random;
mod scores;
mod train;
mod trial;
#[cfg(test)]
mod typescript;

pub use config::{Algorithm, CLEANRL, Config, HyperParameters, Optimizer, SHARDS};
pub use device::{Device, Processor};
pub use environment::training_options;
pub use error::{Difference, LearnError};
pub use game::{GameTraits, Outcome, Play, Rom};
pub use kernel::Arithmetic;
pub use net::{Input, Net};
pub use origin::Origin;
pub use policy::{Choice, Decision, Evaluation, Policy};
pub use scores::Scores;
pub use train::{
    CHECKPOINT_STEPS, Collected, EVALUATION_EPISODES, Execution, Learner, LossSums, Minibatch, MinibatchAt, Shard,
    TRAINING_STEPS, Trainer, TrainingOptions, Update,
};
pub use trial::{Doubt, doubts};
