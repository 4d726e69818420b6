//! What a caller says when making an environment.

use serde::{Deserialize, Serialize};

use crate::spaces::Observation;
use crate::spec::{Seeding, Wrapper};

/// Options of [`crate::Game::new`]; as JSON, in camelCase. What is left out comes from the preset, or from the default
/// without one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GameOptions {
    /// A preset's name: see [`crate::PRESETS`]. Without one and without `wrappers` it is `gym2600`.
    pub preset: Option<String>,
    /// A list of wrappers, from the console outwards, instead of a preset.
    pub wrappers: Option<Vec<Wrapper>>,
    /// Seed of the first reset, up to 2^53. Without one it is 0: there is no hidden randomness.
    pub seed: Option<u64>,
    /// The game's mode.
    pub mode: Option<u32>,
    /// The game's difficulty.
    pub difficulty: Option<u32>,
    /// Probability of sticky actions, 0 to 1, instead of the preset's.
    pub repeat_action_probability: Option<f32>,
    /// Whether to offer all legal actions instead of the minimal set.
    pub full_action_space: Option<bool>,
    /// Frames after which ALE truncates an episode; 0 for never.
    pub max_frames_per_episode: Option<u32>,
    /// Whether ALE truncates an episode when a life is lost.
    pub truncate_on_loss_of_life: Option<bool>,
    /// Whether the console makes sound: see [`crate::Game::audio`].
    pub sound_obs: Option<bool>,
    /// What the console shows the first wrapper.
    pub observation: Option<Observation>,
    /// How a seed is used.
    pub seeding: Option<Seeding>,
    /// When the next episode starts, instead of as the list says.
    pub autoreset: Option<Autoreset>,
    /// The text of a game definition for a ROM that is not in the catalogue.
    pub game: Option<String>,
}

/// When an environment starts its next episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Autoreset {
    /// In the step after an end, which ignores its action.
    NextStep,
    /// In the step that ends an episode, whose observation is the next one's first.
    SameStep,
    /// When the caller resets it.
    Disabled,
}
