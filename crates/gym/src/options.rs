//! What a caller says when making an environment.

use serde::{Deserialize, Serialize};

use crate::spaces::Observation;
use crate::spec::{Seeding, Wrapper};

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
    /// Seed of the first reset, a whole number up to 2^53; 0 by default. All randomness comes from it.
    pub seed: Option<u64>,
    /// The game's mode, one of those in the game's description.
    pub mode: Option<u32>,
    /// The game's difficulty, one of those in the game's description.
    pub difficulty: Option<u32>,
    /// Probability, 0 to 1, that a frame repeats the previous action.
    pub repeat_action_probability: Option<f32>,
    /// Whether the action space has all legal actions instead of the game's minimal set.
    pub full_action_space: Option<bool>,
    /// Frames after which ALE truncates an episode; 0 for never.
    pub max_frames_per_episode: Option<u32>,
    /// Whether the loss of a life truncates an episode; false by default. See also the wrapper `EpisodicLife`.
    pub truncate_on_loss_of_life: Option<bool>,
    /// Whether the console makes sound, for `Game.audio`; false by default.
    pub sound_obs: Option<bool>,
    /// What the first wrapper observes: the picture in colour or in grey, or the console's RAM.
    pub observation: Option<Observation>,
    /// How a seed reaches the generators.
    pub seeding: Option<Seeding>,
    /// When the next episode starts. Replaces the list's `AutoReset`.
    pub autoreset: Option<Autoreset>,
    /// The definition of a game that is not in the catalogue: the text of a `games/*.toml`, or in JavaScript an object of that form.
    #[cfg_attr(test, ts(optional, type = "string | GameDefinition"))]
    pub game: Option<String>,
}

/// When the next episode starts after an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Autoreset {
    /// In the step after an end, which ignores its action.
    NextStep,
    /// In the step that ends an episode, whose observation is the next one's first.
    SameStep,
    /// When the caller resets it.
    Disabled,
}
