//! What weights were made for.

use gym2600_gym::GameOptions;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::config::{Algorithm, Config, HyperParameters};
use crate::environment::{Layout, environment_name};
use crate::error::{Difference, LearnError};
use crate::files::{checkpoint, onnx};
use crate::game::GameTraits;
use crate::net::{Input, Net, Plan};
use crate::policy::Policy;

/// What weights were made for, and how: the metadata of their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PolicyOrigin", rename_all = "camelCase"))]
pub struct Origin {
    /// Version of this library.
    pub version: String,
    /// How the policy was improved.
    pub algorithm: Algorithm,
    /// The policy's net.
    pub net: Net,
    /// Rows, columns and number of the pictures that it sees.
    pub input: [usize; 3],
    /// ALE's names of its actions.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub actions: Vec<String>,
    /// The preset's name, or the list of wrappers.
    pub preset: String,
    /// The options of the games as they were given. `Policy.environment` resolves their defaults for a game like those.
    #[cfg_attr(test, ts(type = "EnvironmentOptions"))]
    pub options: GameOptions,
    /// The game's short name.
    pub game: String,
    /// MD5 of the ROM.
    pub rom_md5: String,
    /// Seed of the run.
    pub seed: u64,
    /// Steps played.
    pub steps: u64,
    /// The run's hyper-parameters.
    pub hyper_parameters: HyperParameters,
}

impl Origin {
    /// What a run in such games makes weights for.
    ///
    /// # Errors
    /// [`LearnError::NoRewards`], or for a game that nets cannot look at.
    pub(crate) fn of(traits: GameTraits, config: &Config) -> Result<Self, LearnError> {
        if !traits.gives_rewards {
            return Err(LearnError::NoRewards { game: traits.rom });
        }
        let Input { height, width, frames } = Layout::of(&traits)?.input;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            algorithm: config.algorithm,
            net: config.net,
            input: [height, width, frames],
            actions: traits.actions,
            preset: environment_name(&config.options),
            options: GameOptions {
                seed: None,
                ..config.options.clone()
            },
            game: traits.rom,
            rom_md5: traits.md5,
            seed: config.seed,
            steps: 0,
            hyper_parameters: config.hyper_parameters.clone(),
        })
    }

    pub(crate) fn input(&self) -> Input {
        let [height, width, frames] = self.input;
        Input { height, width, frames }
    }

    pub(crate) fn plan(&self) -> Result<Plan, LearnError> {
        Plan::of(self.net, self.input(), self.actions.len())
    }

    /// Refuses weights that were made for something else.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] with both.
    pub fn check(&self, theirs: &Self) -> Result<(), LearnError> {
        let parts = [
            ("net", self.net.to_string(), theirs.net.to_string()),
            ("action set", self.actions.join(" "), theirs.actions.join(" ")),
            ("preset", self.preset.clone(), theirs.preset.clone()),
            ("input", format!("{:?}", self.input), format!("{:?}", theirs.input)),
            (
                "game",
                format!("{} ({})", self.game, self.rom_md5),
                format!("{} ({})", theirs.game, theirs.rom_md5),
            ),
        ];
        parts
            .into_iter()
            .try_for_each(|(what, ours, theirs)| LearnError::misfit(what, theirs, ours))
    }

    /// The options of the games with those that are wanted in their place, and what differs. A preset takes the place of a list, and a
    /// list that of a preset. Each game has its own seed.
    pub(crate) fn options_with(&self, wanted: &GameOptions) -> (GameOptions, Vec<Difference>) {
        let mut options = json(&self.options);
        let mut wanted = json(wanted);
        let is_environment = |name: &str| name == "preset" || name == "wrappers";
        let another = wanted
            .iter()
            .any(|(name, value)| is_environment(name) && !value.is_null());
        wanted.retain(|name, value| name != "seed" && (!value.is_null() || (another && is_environment(name))));
        let mut differences = Vec::new();
        for (option, ours) in wanted {
            let theirs = options.insert(option.clone(), ours.clone()).unwrap_or_default();
            if theirs != ours {
                differences.push(Difference { option, theirs, ours });
            }
        }
        let options = serde_json::from_value(Value::Object(options)).expect("the values are those of options");
        (options, differences)
    }

    /// Whether a file of weights, ONNX among them, or a checkpoint has the state of this run of `envs` games at these steps or before: one
    /// that a run that goes on may replace. A checkpoint alone says how many games its run has.
    pub fn is_earlier(&self, envs: usize, file: &[u8]) -> bool {
        if checkpoint::envs_of(file).is_some_and(|theirs| theirs != envs) {
            return false;
        }
        let theirs = match Policy::load(file) {
            Ok(policy) => policy.origin().cloned(),
            Err(_) => onnx::origin_of(file),
        };
        theirs.is_some_and(|theirs| {
            let steps = theirs.steps;
            let version = self.version.clone();
            steps <= self.steps
                && *self
                    == Self {
                        version,
                        steps: self.steps,
                        ..theirs
                    }
        })
    }
}

/// Options as JSON. Through a text, because a number of 32 bits would get the digits of one of 64.
fn json(options: &GameOptions) -> Map<String, Value> {
    let text = serde_json::to_string(options).expect("options are plain data");
    serde_json::from_str(&text).expect("options are a table")
}
