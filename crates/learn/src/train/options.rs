//! Options of a run, as callers write them.

use gym2600_gym::GameOptions;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{Algorithm, Config};
use crate::error::{Difference, LearnError};
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
    /// Hyper-parameters that differ from the algorithm's defaults, by our names or CleanRL's.
    #[cfg_attr(test, ts(optional, type = "Partial<HyperParameters & CleanRLHyperParameters>"))]
    pub hyper_parameters: Option<Map<String, Value>>,
}

impl TrainingOptions {
    /// The run's settings.
    ///
    /// # Errors
    /// [`LearnError::Option`] naming what is unknown or out of its range.
    pub fn config(self) -> Result<Config, LearnError> {
        let default = Config::new(self.algorithm.unwrap_or_default());
        let config = self.over(default)?;
        config.check()?;
        Ok(config)
    }

    /// The settings of a run with those that are named here in their place. The options of the games are these alone.
    pub(crate) fn over(self, run: Config) -> Result<Config, LearnError> {
        let mut config = Config {
            algorithm: self.algorithm.unwrap_or(run.algorithm),
            net: self.net.unwrap_or(run.net),
            envs: self.num_envs.unwrap_or(run.envs),
            seed: self.seed.unwrap_or(run.seed),
            options: self.options.unwrap_or_default(),
            hyper_parameters: run.hyper_parameters,
        };
        for (name, value) in self.hyper_parameters.unwrap_or_default() {
            match value {
                Value::String(text) => config.hyper_parameters.set(&name, &text)?,
                value => config.hyper_parameters.set_value(&name, value)?,
            }
        }
        Ok(config)
    }
}

impl Config {
    /// Checks the options with which a run of these settings is resumed. It keeps its settings, so those that the options name have to be
    /// the same.
    ///
    /// # Errors
    /// [`LearnError::Resumed`] naming all that differ; [`LearnError::Option`] for a hyper-parameter that there is not.
    pub fn check_resumed(&self, wanted: TrainingOptions) -> Result<(), LearnError> {
        let table = |config: &Self| serde_json::to_value(config).expect("settings are plain data");
        let mut differences = Vec::new();
        compare("", &table(self), &table(&wanted.over(self.clone())?), &mut differences);
        if differences.is_empty() {
            Ok(())
        } else {
            Err(LearnError::Resumed { differences })
        }
    }
}

/// Collects the settings that differ, each with both values. Those of a table are compared one by one. An option of the games that is not
/// named is the checkpoint's.
fn compare(name: &str, theirs: &Value, ours: &Value, differences: &mut Vec<Difference>) {
    if let (Value::Object(theirs), Value::Object(ours)) = (theirs, ours) {
        let new = ours.keys().filter(|key| !theirs.contains_key(*key));
        for key in theirs.keys().chain(new) {
            let [theirs, ours] = [theirs, ours].map(|table| table.get(key).unwrap_or(&Value::Null));
            if name != ".options" || !ours.is_null() {
                compare(&format!("{name}.{key}"), theirs, ours, differences);
            }
        }
        return;
    }
    if theirs != ours {
        differences.push(Difference {
            option: rust_name(name.trim_start_matches('.')),
            theirs: theirs.clone(),
            ours: ours.clone(),
        });
    }
}

/// A setting as Rust calls it: files have the names of JavaScript.
fn rust_name(name: &str) -> String {
    name.replace("numEnvs", "num_envs")
        .replace("hyperParameters", "hyper_parameters")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::config::{CLEANRL, HyperParameters};

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
    fn a_resumed_run_takes_the_settings_that_it_has_and_refuses_others_with_both_values() {
        let run = r#"{"options": {"wrappers": ["SkipFrames"], "mode": 1}, "hyperParameters": {"gamma": 1}}"#;
        let run = config(run).unwrap();
        let check = |json| run.check_resumed(serde_json::from_str(json).unwrap());
        for same in [
            "{}",
            r#"{"algorithm": "ppo", "net": "tiny", "numEnvs": 32, "seed": 0, "options": {"mode": 1}}"#,
            r#"{"options": {"wrappers": [{"type": "SkipFrames", "n": 4}]}, "hyperParameters": {"gamma": "1.0"}}"#,
        ] {
            check(same).unwrap();
        }
        for (other, differences) in [
            (r#"{"algorithm": "a2c"}"#, r#"algorithm "ppo", but "a2c" was asked for"#),
            (
                r#"{"options": {"mode": 2, "preset": "labml"}}"#,
                r#"options.mode 1, but 2 was asked for; options.preset null, but "labml" was asked for"#,
            ),
            (
                r#"{"seed": 3, "hyperParameters": {"gamma": "0.5"}}"#,
                "hyper_parameters.gamma 1.0, but 0.5 was asked for; seed 0, but 3 was asked for",
            ),
            (r#"{"options": {"seed": 3}}"#, "options.seed null, but 3 was asked for"),
        ] {
            let expected = format!("the checkpoint has {differences}: a resumed run keeps its settings");
            assert_eq!(check(other).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn hyper_parameters_have_the_names_of_cleanrl_too() {
        for (theirs, ours) in CLEANRL {
            let value = if theirs == "clip_vloss" { "true" } else { "1" };
            let value = if theirs == "norm_adv" { "false" } else { value };
            let of = |name| {
                let mut hyper = HyperParameters::of(Algorithm::Ppo);
                hyper.set(name, value).unwrap();
                hyper
            };
            assert_eq!(of(theirs), of(ours), "{theirs}");
            assert_ne!(of(theirs), HyperParameters::of(Algorithm::Ppo), "{theirs}");
        }
    }

    #[test]
    fn a_file_from_before_a_rate_could_rise_is_read() {
        let hyper = HyperParameters::of(Algorithm::Ppo);
        let mut fields = serde_json::to_value(&hyper).unwrap();
        for name in ["warmup_steps", "anneal_to"] {
            fields.as_object_mut().unwrap().remove(name).unwrap();
        }
        assert_eq!(serde_json::from_value::<HyperParameters>(fields).unwrap(), hyper);
    }

    #[test]
    fn a_wrong_option_is_named() {
        for (json, name) in [
            (r#"{"numEnvs": 6}"#, "num_envs"),
            (r#"{"hyperParameters": {"gama": 1}}"#, "gama"),
            (r#"{"hyperParameters": {"gamma": 2}}"#, "gamma"),
            (
                r#"{"hyperParameters": {"anneal_lr": true}}"#,
                "anneal_lr: set anneal_steps",
            ),
            (
                r#"{"hyperParameters": {"anneal_to": 1.5}}"#,
                "anneal_to: 1.5 is not from",
            ),
            (r#"{"hyperParameters": {"warmup_steps": -1}}"#, "warmup_steps"),
            (r#"{"hyperParameters": {"clip_value": 1}}"#, "clip_value"),
            (r#"{"hyperParameters": {"rollout": 8192}}"#, "rollout"),
            (
                r#"{"hyperParameters": {"rollout": 1024, "minibatches": 1}}"#,
                "minibatches",
            ),
        ] {
            let message = config(json).unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        }
    }
}
