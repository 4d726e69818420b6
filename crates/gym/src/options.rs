//! Options of environments and of ALE's interface.

use gym2600_arcade::Settings;
use gym2600_arcade::definition::{RawDefinition, RawMapper};
use serde::{Deserialize, Serialize};

use crate::error::GymError;
use crate::spaces::Observation;
use crate::spec::{AutoresetMode, Seeding, Wrapper};

/// Options of an environment. An option left out has the preset's value, or the default if there is no preset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "EnvironmentOptions", optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GameOptions {
    /// The name of a preset: a stack of wrappers between the console and the agent. It decides the observation's shape, the frame skip, what
    /// ends an episode and what a step after the end does. `gym2600` unless this or `wrappers` is given.
    #[cfg_attr(test, ts(optional, type = "PresetName"))]
    pub preset: Option<String>,
    /// A list of wrappers, from the console outwards, instead of a preset.
    #[cfg_attr(test, ts(optional, type = "readonly Wrapper[]"))]
    pub wrappers: Option<Vec<Wrapper>>,
    /// Seed of the first reset, a whole number up to 2^53 - 1; 0 by default. All randomness comes from it.
    pub seed: Option<u64>,
    /// The game's mode, one of those in the game's description.
    pub mode: Option<u32>,
    /// The game's difficulty, one of those in the game's description.
    pub difficulty: Option<u32>,
    /// Probability, 0 to 1, that a frame repeats the previous action.
    pub repeat_action_probability: Option<f32>,
    /// Whether the action space has all legal actions instead of the game's minimal set.
    pub full_action_space: Option<bool>,
    /// Frames after which an episode is truncated; 0 for never. ALE counts the frames of a reset's no-ops too; the preset `ale-vector`
    /// does not.
    pub max_frames_per_episode: Option<u32>,
    /// Whether the loss of a life truncates an episode; false by default. See also the wrapper `EpisodicLife`.
    pub truncate_on_loss_of_life: Option<bool>,
    /// Whether the console makes sound, for `Game.audio`; false by default.
    pub sound_obs: Option<bool>,
    /// What the first wrapper observes: the picture in colour or in grey, the console's RAM, or the variables of the game's rules. Beside a
    /// preset it leaves out the preset's wrappers that process pictures, so that the agent gets this observation; stacks and skipped frames stay.
    pub observation: Option<Observation>,
    /// How a seed reaches the generators.
    pub seeding: Option<Seeding>,
    /// When the next episode starts. Replaces the list's `AutoReset`.
    pub autoreset: Option<AutoresetMode>,
    /// The definition of a game that is not in the catalogue.
    #[cfg_attr(test, ts(optional, type = "RawDefinition"))]
    pub game: Option<RawDefinition>,
    /// How the cartridge is banked, in place of what the definition says or the detection finds. A mapper that does not take a ROM of this
    /// size is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "RawMapper"))]
    pub mapper: Option<RawMapper>,
}

/// Options of ALE's interface. An option left out has ALE's default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ArcadeOptions {
    /// Seed of the generator behind sticky actions; 0 by default, where ALE takes the time of day.
    pub seed: Option<u32>,
    /// Seed of the generator behind the console's power-on noise.
    pub system_random_seed: Option<u32>,
    /// Probability, 0 to 1, that a frame repeats the previous action; 0.25 by default.
    pub repeat_action_probability: Option<f32>,
    /// Frames of one act, from 1 to 1000; 1 by default.
    pub frame_skip: Option<u32>,
    /// The least reward that an act gives; smaller ones become this.
    pub reward_min: Option<i32>,
    /// The greatest reward that an act gives; larger ones become this.
    pub reward_max: Option<i32>,
    /// Frames after which an episode is truncated; 0, the default, for never.
    pub max_num_frames_per_episode: Option<u32>,
    /// Whether the loss of a life truncates an episode; false by default.
    pub truncate_on_loss_of_life: Option<bool>,
    /// Whether a picture is blended with the previous one; false by default.
    pub color_averaging: Option<bool>,
    /// Whether the console makes sound; false by default.
    pub sound_obs: Option<bool>,
    /// The game's mode.
    pub mode: Option<u32>,
    /// The game's difficulty.
    pub difficulty: Option<u32>,
    /// The definition of a game that is not in the catalogue.
    #[cfg_attr(test, ts(optional, type = "RawDefinition"))]
    pub game: Option<RawDefinition>,
    /// How the cartridge is banked, in place of what the definition says or the detection finds. A mapper that does not take a ROM of this
    /// size is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "RawMapper"))]
    pub mapper: Option<RawMapper>,
}

/// The largest frame skip of ALE's interface.
const MAX_FRAME_SKIP: u32 = 1000;

impl ArcadeOptions {
    /// ALE's settings with these options.
    ///
    /// # Errors
    /// [`GymError::Option`] for a value out of its range.
    pub fn settings(&self) -> Result<Settings, GymError> {
        let default = Settings::default();
        let settings = Settings {
            random_seed: self.seed.unwrap_or(default.random_seed),
            system_random_seed: self.system_random_seed.unwrap_or(default.system_random_seed),
            repeat_action_probability: self
                .repeat_action_probability
                .unwrap_or(default.repeat_action_probability),
            frame_skip: self.frame_skip.unwrap_or(default.frame_skip),
            reward_min: self.reward_min.unwrap_or(default.reward_min),
            reward_max: self.reward_max.unwrap_or(default.reward_max),
            max_num_frames_per_episode: self
                .max_num_frames_per_episode
                .unwrap_or(default.max_num_frames_per_episode),
            truncate_on_loss_of_life: self.truncate_on_loss_of_life.unwrap_or_default(),
            color_averaging: self.color_averaging.unwrap_or_default(),
            sound_obs: self.sound_obs.unwrap_or_default(),
            mapper: self.mapper.map(Into::into),
            ..default
        };
        let refuse = |option, reason| Err(GymError::Option { option, reason });
        let probability = settings.repeat_action_probability;
        if !(0.0..=1.0).contains(&probability) {
            return refuse("repeatActionProbability", format!("{probability} is not from 0 to 1"));
        }
        let skip = settings.frame_skip;
        if !(1..=MAX_FRAME_SKIP).contains(&skip) {
            return refuse("frameSkip", format!("{skip} is not from 1 to {MAX_FRAME_SKIP}"));
        }
        let (min, max) = (settings.reward_min, settings.reward_max);
        if min > max {
            return refuse("rewardMin", format!("{min} is above rewardMax, {max}"));
        }
        Ok(settings)
    }
}
