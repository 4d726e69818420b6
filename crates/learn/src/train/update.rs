//! What an update reports.

use serde::{Deserialize, Serialize};

/// One update of the weights.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "UpdateReport"))]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// Its number, from 1.
    pub update: u64,
    /// Steps played so far, of all games.
    pub steps: u64,
    /// Games ended so far.
    pub episodes: u64,
    /// Mean raw score of the last 100 games; none before the first has ended.
    pub reward: Option<f64>,
    /// Their mean length, as the environment counts it.
    pub length: Option<f64>,
    /// Mean entropy of the policy.
    pub entropy: f64,
    /// Mean estimate of the divergence from the policy that played.
    pub kl: f64,
    /// Share of steps beyond PPO's bound.
    pub clip_fraction: f64,
    /// Explained variance: the share of the returns' variance that the critic predicts, at most 1.
    pub explained_variance: f64,
    /// Mean policy loss.
    pub policy_loss: f64,
    /// Mean value loss, without its weight.
    pub value_loss: f64,
    /// Mean norm of the gradients, before they were bounded.
    pub gradient_norm: f64,
    /// The learning rate.
    pub learning_rate: f64,
}
