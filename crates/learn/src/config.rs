//! What a training run is made from.

use std::fmt;
use std::ops;
use std::str::FromStr;

use gym2600_gym::GameOptions;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::LearnError;
use crate::net::Net;

/// Games of a run at most.
const MOST_ENVS: usize = 1024;

/// Steps of all games between two updates at most. Their pictures of 84 x 84 take a gigabyte.
const MOST_STEPS_OF_UPDATE: usize = 1 << 17;

/// Steps of a minibatch at most. With the net `nature` and pictures of 84 x 84 they take another gigabyte.
pub(crate) const MOST_STEPS_OF_MINIBATCH: usize = 1 << 12;

/// Number of shards: a constant, so that results do not depend on the number of threads.
pub const SHARDS: usize = 4;

/// How a policy is improved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Algorithm {
    /// Proximal policy optimisation with clipped ratios: J. Schulman et al., <https://arxiv.org/abs/1707.06347>.
    #[default]
    Ppo,
    /// Advantage actor-critic, the synchronous form of V. Mnih et al., <https://arxiv.org/abs/1602.01783>.
    A2c,
}

impl Algorithm {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ppo => "ppo",
            Self::A2c => "a2c",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = LearnError;

    fn from_str(name: &str) -> Result<Self, LearnError> {
        match name {
            "ppo" => Ok(Self::Ppo),
            "a2c" => Ok(Self::A2c),
            _ => Err(LearnError::option(
                "algorithm",
                format!("there is no algorithm {name:?}; there are ppo, a2c"),
            )),
        }
    }
}

/// How parameters follow gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Optimizer {
    /// Adam, with betas 0.9 and 0.999.
    Adam,
    /// RMSprop, with a decay of 0.99.
    Rmsprop,
}

/// CleanRL's names of hyper-parameters with ours: those of `ppo_atari.py` that differ.
pub const CLEANRL: [(&str, &str); 10] = [
    ("num_steps", "rollout"),
    ("update_epochs", "epochs"),
    ("num_minibatches", "minibatches"),
    ("gae_lambda", "lambda"),
    ("clip_coef", "clip"),
    ("clip_vloss", "clip_value"),
    ("norm_adv", "normalize"),
    ("ent_coef", "entropy"),
    ("vf_coef", "value"),
    ("max_grad_norm", "gradient_norm"),
];

/// Everything that may be tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HyperParameters {
    /// Steps of each game between updates.
    pub rollout: usize,
    /// How often an update goes through its steps.
    pub epochs: usize,
    /// Gradient steps of an epoch.
    pub minibatches: usize,
    /// Learning rate.
    pub learning_rate: f64,
    /// Steps over which the learning rate rises linearly to its value; 0 starts with it.
    // Files of earlier runs have neither this nor `anneal_to`.
    #[serde(default)]
    pub warmup_steps: u64,
    /// Steps over which the learning rate falls linearly; 0 keeps it constant.
    pub anneal_steps: u64,
    /// The share of the learning rate to which it falls, and which it keeps from then on.
    #[serde(default)]
    pub anneal_to: f64,
    /// Discount.
    pub gamma: f64,
    /// Lambda of generalised advantage estimation; 1 gives n-step returns.
    pub lambda: f64,
    /// PPO's bound on the change of a probability's ratio.
    pub clip: f64,
    /// Whether PPO bounds the change of values too.
    pub clip_value: bool,
    /// Whether advantages are shifted and scaled to mean 0 and deviation 1 in each minibatch.
    pub normalize: bool,
    /// Weight of the entropy.
    pub entropy: f64,
    /// Weight of the value's loss.
    pub value: f64,
    /// Bound on the gradient's norm.
    pub gradient_norm: f64,
    /// Optimizer.
    pub optimizer: Optimizer,
    /// The optimizer's epsilon.
    pub epsilon: f64,
}

impl HyperParameters {
    /// The defaults of an algorithm: PPO's were found on WALLOP and Pong, A2C's are PPO's but for
    /// the rollout, the optimizer and its rate, which are Stable-Baselines3's.
    pub fn of(algorithm: Algorithm) -> Self {
        let ppo = Self {
            rollout: 64,
            epochs: 3,
            minibatches: 16,
            learning_rate: 1e-3,
            warmup_steps: 0,
            anneal_steps: 0,
            anneal_to: 0.0,
            gamma: 0.98,
            lambda: 0.95,
            clip: 0.2,
            clip_value: false,
            normalize: true,
            entropy: 0.01,
            value: 0.5,
            gradient_norm: 0.5,
            optimizer: Optimizer::Adam,
            epsilon: 1e-5,
        };
        match algorithm {
            Algorithm::Ppo => ppo,
            Algorithm::A2c => Self {
                rollout: 5,
                epochs: 1,
                minibatches: 1,
                learning_rate: 7e-4,
                lambda: 1.0,
                normalize: false,
                optimizer: Optimizer::Rmsprop,
                ..ppo
            },
        }
    }

    /// Sets one by its name, to a value in JSON's notation.
    ///
    /// # Errors
    /// [`LearnError::Option`]
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LearnError> {
        self.set_value(name, serde_json::from_str(value).unwrap_or_else(|_| value.into()))
    }

    /// Sets one by its name.
    pub(crate) fn set_value(&mut self, name: &str, value: Value) -> Result<(), LearnError> {
        let refuse = |reason: String| LearnError::option(name, reason);
        let mut fields = serde_json::to_value(&*self).expect("hyper-parameters are plain data");
        let Some(field) = fields.get_mut(Self::name_of(name)) else {
            if name == "anneal_lr" {
                return Err(refuse("set anneal_steps to the steps of the run instead".to_owned()));
            }
            let names: Vec<&String> = fields
                .as_object()
                .into_iter()
                .flat_map(|fields| fields.keys())
                .collect();
            return Err(refuse(format!("there is no such hyper-parameter; there are {names:?}")));
        };
        let expected = match field {
            Value::Bool(_) => Some("true or false"),
            Value::Number(number) if number.is_u64() => Some("a whole number, 0 or more"),
            Value::Number(_) => Some("a number"),
            _ => None,
        };
        let given = value.to_string();
        *field = value;
        *self = serde_json::from_value(fields).map_err(|error| {
            refuse(expected.map_or_else(|| error.to_string(), |expected| format!("{given} is not {expected}")))
        })?;
        Ok(())
    }

    /// Our name of a hyper-parameter that CleanRL calls so. Any other name is returned as it is.
    pub fn name_of(name: &str) -> &str {
        CLEANRL
            .iter()
            .find(|(theirs, _)| *theirs == name)
            .map_or(name, |(_, ours)| ours)
    }

    /// The learning rate of the update that begins after so many steps. That rate is the whole update's, so a rise counts its steps too: the
    /// first one would learn nothing from 0.
    pub(crate) fn learning_rate_after(&self, steps: u64, envs: usize) -> f64 {
        let risen = match self.warmup_steps {
            0 => 1.0,
            all => ((steps + self.batch(envs) as u64) as f64 / all as f64).min(1.0),
        };
        let left = match self.anneal_steps {
            0 => 1.0,
            all => (1.0 - steps as f64 / all as f64).max(0.0),
        };
        self.learning_rate * (self.anneal_to + (1.0 - self.anneal_to) * left) * risen
    }

    /// Steps of all games in an update.
    pub fn batch(&self, envs: usize) -> usize {
        self.rollout.saturating_mul(envs)
    }

    /// Those that are numbers, each with its range in a run with that many games.
    pub(crate) fn numbers(&self, envs: usize) -> [(&'static str, f64, Range); 14] {
        let steps = MOST_STEPS_OF_UPDATE / envs;
        [
            ("rollout", self.rollout as f64, Range::count(steps)),
            ("epochs", self.epochs as f64, Range::count(1000)),
            (
                "minibatches",
                self.minibatches as f64,
                Range::count(MOST_STEPS_OF_UPDATE / SHARDS),
            ),
            ("learning_rate", self.learning_rate, Range::ABOVE_ZERO),
            ("warmup_steps", self.warmup_steps as f64, Range::COUNT_OR_ZERO),
            ("anneal_steps", self.anneal_steps as f64, Range::COUNT_OR_ZERO),
            ("anneal_to", self.anneal_to, Range::SHARE),
            ("gamma", self.gamma, Range::SHARE),
            ("lambda", self.lambda, Range::SHARE),
            ("clip", self.clip, Range::ABOVE_ZERO),
            ("entropy", self.entropy, Range::FROM_ZERO),
            ("value", self.value, Range::FROM_ZERO),
            ("gradient_norm", self.gradient_norm, Range::ABOVE_ZERO),
            ("epsilon", self.epsilon, Range::ABOVE_ZERO),
        ]
    }

    fn check(&self, envs: usize) -> Result<(), LearnError> {
        for (name, value, range) in self.numbers(envs) {
            if let Some(reason) = range.refusal(value) {
                return Err(LearnError::option(name, reason));
            }
        }
        let shard = self.rollout * envs / SHARDS;
        if !shard.is_multiple_of(self.minibatches) {
            let reason = format!(
                "{} do not divide {shard}, a quarter of the {} steps of an update",
                self.minibatches,
                self.batch(envs)
            );
            return Err(LearnError::option("minibatches", reason));
        }
        let steps = self.batch(envs) / self.minibatches;
        if steps > MOST_STEPS_OF_MINIBATCH {
            let reason = format!("each would have {steps} steps, above {MOST_STEPS_OF_MINIBATCH}");
            return Err(LearnError::option("minibatches", reason));
        }
        Ok(())
    }
}

/// The range of a hyper-parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "HyperParameterRange"))]
pub(crate) struct Range {
    /// The least value.
    least: f64,
    /// Whether the least value itself is refused.
    above: bool,
    /// The greatest value; null where the only bound is that of 32-bit floats.
    most: Option<f64>,
    /// Whether it is a whole number.
    whole: bool,
}

impl Range {
    const FROM_ZERO: Self = Self {
        least: 0.0,
        above: false,
        most: None,
        whole: false,
    };
    const ABOVE_ZERO: Self = Self {
        above: true,
        ..Self::FROM_ZERO
    };
    const SHARE: Self = Self {
        most: Some(1.0),
        ..Self::FROM_ZERO
    };
    const COUNT_OR_ZERO: Self = Self {
        whole: true,
        ..Self::FROM_ZERO
    };

    fn count(most: usize) -> Self {
        Self {
            least: 1.0,
            most: Some(most as f64),
            ..Self::COUNT_OR_ZERO
        }
    }

    /// Why a value is refused.
    fn refusal(self, value: f64) -> Option<String> {
        let Self {
            least,
            above,
            most,
            whole,
        } = self;
        // The nets and the optimizers compute with 32 bits.
        if !(value as f32).is_finite() {
            return Some(format!("{value:?} is not a finite number of 32 bits"));
        }
        match most {
            Some(most) if !whole && !(least..=most).contains(&value) => {
                Some(format!("{value} is not from {least} to {most}"))
            }
            Some(most) if value > most => Some(format!("{value} is above {most}")),
            _ if above && value <= least => Some(format!("{value} is not above {least}")),
            _ if value < least => Some(format!("{value} is below {least}")),
            _ => None,
        }
    }
}

/// A training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TrainingConfig"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Config {
    /// How the policy is improved.
    pub algorithm: Algorithm,
    /// The policy's net.
    pub net: Net,
    /// Seed of the weights, of the actions and of the games, which count up from it.
    pub seed: u64,
    /// Number of games, a multiple of four.
    #[serde(rename = "numEnvs")]
    pub envs: usize,
    /// Options of the games. A run clips rewards for the learner only, restarts episodes by itself and uses its own seeds: one here is refused.
    #[cfg_attr(test, ts(type = "EnvironmentOptions"))]
    pub options: GameOptions,
    /// What may be tuned.
    pub hyper_parameters: HyperParameters,
}

impl Config {
    /// A run with an algorithm's defaults.
    pub fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            net: Net::default(),
            seed: 0,
            envs: 32,
            options: GameOptions::default(),
            hyper_parameters: HyperParameters::of(algorithm),
        }
    }

    /// The games of each shard that take turns with a graphics card, by their places in it: two halves, or all of them where it has one game.
    pub fn halves(&self) -> Vec<ops::Range<usize>> {
        let games = self.envs / SHARDS;
        let halves = [0..games / 2, games / 2..games];
        halves.into_iter().filter(|half| !half.is_empty()).collect()
    }

    /// # Errors
    /// [`LearnError::Option`] naming what is out of its range.
    pub fn check(&self) -> Result<(), LearnError> {
        if self.envs == 0 || !self.envs.is_multiple_of(SHARDS) {
            let reason = format!("{} is no multiple of {SHARDS}", self.envs);
            return Err(LearnError::option("num_envs", reason));
        }
        if self.envs > MOST_ENVS {
            return Err(LearnError::option(
                "num_envs",
                format!("{} is above {MOST_ENVS}", self.envs),
            ));
        }
        if let Some(seed) = self.options.seed {
            let reason = format!("{seed} would have no effect: the games' seeds count up from that of the run");
            return Err(LearnError::option("options.seed", reason));
        }
        self.hyper_parameters.check(self.envs)
    }
}
