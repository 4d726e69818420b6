//! Options of a run, as callers write them.

use gym2600_gym::GameOptions;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{Algorithm, Config};
use crate::error::LearnError;
use crate::net::Net;

/// Steps of all games after which a program ends a run that names no other number.
pub const TRAINING_STEPS: u64 = 1_000_000;

/// Steps between two checkpoints that a program writes.
pub const CHECKPOINT_STEPS: u64 = 50_000;

/// Games of an evaluation that names no other number.
pub const EVALUATION_EPISODES: u64 = 10;

/// Options of a training run. One that is left out has its default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "an object")]
pub struct TrainingOptions {
    /// How the policy is improved; `ppo` by default.
    pub algorithm: Option<Algorithm>,
    /// The policy's net; `tiny` by default.
    pub net: Option<Net>,
    /// Number of games, a multiple of four; 32 by default.
    pub num_envs: Option<usize>,
    /// Seed of weights, actions and games, a whole number up to 2^53 - 1; 0 by default.
    pub seed: Option<u64>,
    /// Options of the games: a preset or a list of wrappers. By default the list of OpenAI baselines with raw rewards.
    #[cfg_attr(test, ts(optional, type = "Omit<EnvironmentOptions, \"seed\">"))]
    pub options: Option<GameOptions>,
    /// Hyper-parameters that differ from the algorithm's defaults.
    #[cfg_attr(test, ts(optional, type = "Partial<HyperParameters>"))]
    pub hyper_parameters: Option<Map<String, Value>>,
}

impl TrainingOptions {
    /// The run's settings.
    ///
    /// # Errors
    /// [`LearnError::Option`] naming what is unknown or out of its range.
    pub fn config(self) -> Result<Config, LearnError> {
        let default = Config::new(self.algorithm.unwrap_or_default());
        let mut config = Config {
            net: self.net.unwrap_or(default.net),
            envs: self.num_envs.unwrap_or(default.envs),
            seed: self.seed.unwrap_or(default.seed),
            options: self.options.unwrap_or_default(),
            ..default
        };
        for (name, value) in self.hyper_parameters.unwrap_or_default() {
            match value {
                Value::String(text) => config.hyper_parameters.set(&name, &text)?,
                value => config.hyper_parameters.set_value(&name, value)?,
            }
        }
        config.check()?;
        Ok(config)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn config(json: &str) -> Result<Config, LearnError> {
        serde_json::from_str::<TrainingOptions>(json).unwrap().config()
    }

    #[test]
    fn an_option_that_is_left_out_has_the_algorithms_default() {
        assert_eq!(config("{}").unwrap(), Config::new(Algorithm::Ppo));
        assert_eq!(
            config(r#"{"algorithm": "a2c", "seed": null}"#).unwrap(),
            Config::new(Algorithm::A2c)
        );
        let given = r#"{"net": "nature", "numEnvs": 8, "seed": 3, "hyperParameters": {"gamma": 0.9, "lambda": "0.5"}}"#;
        let config = config(given).unwrap();
        assert_eq!((config.net, config.envs, config.seed), (Net::Nature, 8, 3));
        let hyper = config.hyper_parameters;
        assert_eq!((hyper.gamma, hyper.lambda, hyper.rollout), (0.9, 0.5, 64));
    }

    #[test]
    fn a_wrong_option_is_named() {
        for (json, name) in [
            (r#"{"numEnvs": 6}"#, "envs"),
            (r#"{"hyperParameters": {"gama": 1}}"#, "gama"),
            (r#"{"hyperParameters": {"gamma": 2}}"#, "gamma"),
            (r#"{"hyperParameters": {"clip_value": 1}}"#, "clip_value"),
        ] {
            let message = config(json).unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        }
    }
}
