//! What weights were made for.

use gym2600_gym::GameOptions;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::{Algorithm, Config, HyperParameters};
use crate::environment::{Layout, environment_name};
use crate::error::LearnError;
use crate::game::GameTraits;
use crate::net::{Input, Net, Plan};

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

    /// Refuses options of the games that differ from those that the weights were made with. One that is left out agrees with any, and
    /// each game may have its own seed.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] with both.
    pub(crate) fn check_options(&self, wanted: &GameOptions) -> Result<(), LearnError> {
        if wanted.preset.is_some() || wanted.wrappers.is_some() {
            LearnError::misfit("preset", environment_name(&self.options), environment_name(wanted))?;
        }
        let others = |options: &GameOptions| GameOptions {
            preset: None,
            wrappers: None,
            seed: None,
            ..options.clone()
        };
        let theirs = json(&others(&self.options));
        let Value::Object(wanted) = json(&others(wanted)) else {
            return Ok(());
        };
        wanted
            .into_iter()
            .filter(|(_, ours)| !ours.is_null())
            .try_for_each(|(name, ours)| {
                let theirs = match theirs.get(&name) {
                    None | Some(Value::Null) => "its default".to_owned(),
                    Some(theirs) => theirs.to_string(),
                };
                LearnError::misfit(&name, theirs, ours.to_string())
            })
    }
}

fn json(options: &GameOptions) -> Value {
    serde_json::to_value(options).expect("options are plain data")
}
