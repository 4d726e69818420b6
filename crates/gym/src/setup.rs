//! Makes of options everything that a game needs besides the ROM.

use std::sync::Arc;

use gym2600_arcade::{GameDefinition, Settings};

use crate::error::GymError;
use crate::options::GameOptions;
use crate::order;
use crate::resolve::{resolve, sticky};
use crate::spec::{Spec, Wrapper};

/// Resolved options. Everything that needs no ROM is checked.
pub(crate) struct Setup {
    /// With an empty name of the game.
    pub(crate) spec: Spec,
    /// The seed of the first reset.
    pub(crate) seed: u64,
    /// The console's settings. A game's `random_seed` follows from `seed`.
    pub(crate) settings: Settings,
    /// The caller's definition of the game.
    pub(crate) definition: Option<Arc<GameDefinition>>,
}

impl Setup {
    pub(crate) fn of(options: &GameOptions) -> Result<Self, GymError> {
        let (spec, seed) = resolve(options)?;
        order::check(&spec.wrappers)?;
        let settings = Settings {
            repeat_action_probability: sticky(&spec.wrappers),
            max_num_frames_per_episode: spec.max_frames_per_episode,
            truncate_on_loss_of_life: spec.truncate_on_loss_of_life,
            sound_obs: options.sound_obs.unwrap_or(false),
            mapper: options.mapper.map(Into::into),
            color_averaging: spec.wrappers.contains(&Wrapper::FrameBlending),
            ..Settings::default()
        };
        let definition = match &options.game {
            Some(raw) => Some(Arc::new(GameDefinition::new(raw)?)),
            None => None,
        };
        Ok(Self {
            spec,
            seed,
            settings,
            definition,
        })
    }
}
