//! Training: [`Learner`] holds the weights, four [`Shard`]s hold the games, and a [`Trainer`] drives them in one process, in any number of
//! threads. In a page the shards live in workers, and only weights, advantages and gradients cross.

mod advantage;
mod lane;
mod learner;
mod loss;
mod optimizer;
mod options;
mod rollout;
mod shard;
mod trainer;
mod update;

#[cfg(all(test, feature = "gpu"))]
mod card_tests;
#[cfg(all(test, feature = "gpu"))]
mod card_turn_tests;
#[cfg(test)]
mod imitation;

pub use learner::Learner;
pub use loss::LossSums;
pub use options::{CHECKPOINT_STEPS, EVALUATION_EPISODES, TRAINING_STEPS, TrainingOptions};
pub use shard::{Collected, Shard};
pub use trainer::{Execution, Trainer};
pub use update::Update;

pub(crate) use optimizer::{Moments, corrected};
pub(crate) use shard::order;

use crate::config::HyperParameters;
use crate::error::LearnError;

/// Names the streams of sampled actions.
const STREAM_ACTIONS: u64 = 2;
/// Names the streams of the order of steps.
const STREAM_ORDER: u64 = 3;

/// The steps of a minibatch with their actions, probabilities, values and advantages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Minibatch {
    /// Observations, one after the other, the oldest picture of each first.
    pub observations: Vec<u8>,
    /// Actions taken.
    pub actions: Vec<u32>,
    /// Logarithms of their probabilities.
    pub log_probabilities: Vec<f32>,
    /// What the critic said.
    pub values: Vec<f32>,
    /// Advantages, before they are normalised; added to the values they are the returns.
    pub advantages: Vec<f32>,
}

impl MinibatchAt {
    /// Refuses a minibatch that an update does not have.
    fn check(self, hyper: &HyperParameters) -> Result<(), LearnError> {
        if self.epoch < hyper.epochs && self.minibatch < hyper.minibatches {
            return Ok(());
        }
        let HyperParameters {
            epochs, minibatches, ..
        } = hyper;
        let Self { epoch, minibatch } = self;
        let reason =
            format!("an update has {epochs} epochs of {minibatches}, and no number {minibatch} of epoch {epoch}");
        Err(LearnError::option("minibatch", reason))
    }
}

/// A gradient step of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinibatchAt {
    /// The epoch, from 0.
    pub epoch: usize,
    /// The minibatch of the epoch, from 0.
    pub minibatch: usize,
}
