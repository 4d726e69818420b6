//! The spec of an environment.

use serde::{Deserialize, Serialize};

use super::{SkipFrames, Wrapper};
use crate::spaces::Observation;

/// How a seed reaches the generators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Seeding {
    /// As Gymnasium's ALE environment: NumPy's `SeedSequence` makes ALE's seed and the environment's generator of it, and a
    /// reset with a seed seeds again whenever a wrapper repeats that reset.
    #[default]
    Gymnasium,
    /// The same numbers, but seeded once, before the reset, as old Gym's `env.seed(seed)` did; `np.random` and the action
    /// space are seeded with the same number.
    Gym,
    /// As native vector environments: the seed itself is ALE's, and seeds a Mersenne twister.
    Native,
}

/// The options of an environment, all defaults resolved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    /// The preset's name, or `null` for the caller's own list.
    #[cfg_attr(test, ts(type = "PresetName | null"))]
    pub preset: Option<String>,
    /// The catalogue's name of the game.
    pub game: String,
    /// The observation below the first wrapper.
    pub observation: Observation,
    /// How a seed is used.
    pub seeding: Seeding,
    /// Whether the action space has all legal actions instead of the game's minimal set.
    pub full_action_space: bool,
    /// Frames after which ALE truncates an episode; 0 for never.
    pub max_frames_per_episode: u32,
    /// Whether ALE truncates an episode when a life is lost.
    pub truncate_on_loss_of_life: bool,
    /// The game's mode, or `null` for its default.
    pub mode: Option<u32>,
    /// The difficulty, or `null` for its default.
    pub difficulty: Option<u32>,
    /// The wrappers, from the console outwards.
    #[cfg_attr(test, ts(type = "readonly WrapperOptions[]"))]
    pub wrappers: Vec<Wrapper>,
    /// The names of the preset's wrappers that the option `observation` left out.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub left_out: Vec<&'static str>,
}

impl Spec {
    /// The frames of a step that no end cuts short; their mean where they are random.
    pub fn frames_per_step(&self) -> f64 {
        self.skips().map(SkipFrames::mean_frames).product()
    }

    /// The most frames of a step.
    pub fn most_frames_per_step(&self) -> u32 {
        self.skips().map(SkipFrames::most_frames).product()
    }

    fn skips(&self) -> impl Iterator<Item = &SkipFrames> {
        self.wrappers.iter().filter_map(|wrapper| match wrapper {
            Wrapper::SkipFrames(skip) => Some(skip),
            _ => None,
        })
    }

    /// Whether an ended episode is followed by the next one without a call of reset.
    pub fn resets_itself(&self) -> bool {
        matches!(self.wrappers.last(), Some(Wrapper::AutoReset(_)))
    }
}
