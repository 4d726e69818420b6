//! Games as the learner needs them.
//!
//! Natively they are those of `gym2600-gym`. The learner's WebAssembly module has no console: its games are the package's other module's.
//! So only what is generic over [`Rom`] and [`Play`] may be reached from there, and the linker leaves the console out.

use gym2600_gym::spec::Seeding;
use gym2600_gym::{EpisodeSummary, Game, GameDescription, GameOptions, Space, Wrapper, describe};
use serde::Deserialize;

use crate::error::LearnError;

/// A ROM of which games are made. Bytes are one, such as a slice, an array or a vector.
pub trait Rom {
    /// Its games.
    type Game: Play<Error = Self::Error>;
    /// Why one could not be made.
    type Error: From<LearnError>;

    /// What is to be known of a game, which is not made.
    ///
    /// # Errors
    /// As [`Rom::open`].
    fn traits(&self, options: &GameOptions) -> Result<GameTraits, Self::Error>;

    /// Makes a game.
    ///
    /// # Errors
    /// For options that the game does not have.
    fn open(&self, options: &GameOptions) -> Result<Self::Game, Self::Error>;
}

/// A game. Observations are written to the caller's buffers, which have the size of [`GameTraits::observation`].
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `gym2600_gym::Game`")]
pub trait Play {
    /// Why a call was refused.
    type Error: From<LearnError>;

    /// What is to be known of it.
    fn traits(&self) -> GameTraits;

    /// Starts the first episode.
    fn reset(&mut self, observation: &mut [u8]) -> Result<(), Self::Error>;

    /// Takes a step.
    fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<Outcome, Self::Error>;

    /// Writes the observation as it is now.
    fn observe(&mut self, observation: &mut [u8]) -> Result<(), Self::Error>;

    /// The complete state.
    fn save(&mut self) -> Result<Vec<u8>, Self::Error>;

    /// Restores a state.
    fn restore(&mut self, state: &[u8]) -> Result<(), Self::Error>;
}

/// What the learner has to know of a game, its options resolved.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameTraits {
    /// The game's short name.
    pub rom: String,
    /// MD5 of the ROM.
    pub md5: String,
    /// ALE's names of the actions.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub actions: Vec<String>,
    /// The observation's shape and type.
    #[cfg_attr(test, ts(type = "SpaceDescription"))]
    pub observation: Space,
    /// The list of wrappers.
    #[cfg_attr(test, ts(type = "readonly WrapperOptions[]"))]
    pub wrappers: Vec<Wrapper>,
    /// How a seed is used.
    #[cfg_attr(test, ts(type = "Seeding"))]
    pub seeding: Seeding,
    /// Frames after which an episode is truncated; 0 for never.
    pub max_frames_per_episode: u32,
    /// Whether the game has a rule for rewards.
    pub gives_rewards: bool,
}

impl From<GameDescription> for GameTraits {
    fn from(description: GameDescription) -> Self {
        let GameDescription {
            arcade,
            actions,
            observation,
            spec,
            ..
        } = description;
        Self {
            rom: arcade.rom,
            md5: arcade.md5,
            actions: actions.into_iter().map(str::to_owned).collect(),
            observation,
            wrappers: spec.wrappers,
            seeding: spec.seeding,
            max_frames_per_episode: spec.max_frames_per_episode,
            gives_rewards: arcade.gives_rewards,
        }
    }
}

/// What a step brought beside its observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ended.
    pub ended: bool,
    /// The whole game that the step ended.
    pub episode: Option<EpisodeSummary>,
}

impl<Bytes: AsRef<[u8]> + ?Sized> Rom for Bytes {
    type Game = Game;
    type Error = LearnError;

    fn traits(&self, options: &GameOptions) -> Result<GameTraits, LearnError> {
        Ok(describe(self.as_ref(), options)?.into())
    }

    fn open(&self, options: &GameOptions) -> Result<Game, LearnError> {
        Ok(Game::new(self.as_ref(), options)?)
    }
}

impl Play for Game {
    type Error = LearnError;

    fn traits(&self) -> GameTraits {
        GameDescription::of(self).into()
    }

    fn reset(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Game::reset(self, None, observation)?;
        Ok(())
    }

    fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<Outcome, LearnError> {
        let record = Game::step(self, action, observation)?;
        Ok(Outcome {
            reward: record.reward,
            ended: record.terminated || record.truncated,
            episode: record.episode,
        })
    }

    fn observe(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Ok(Game::observe(self, observation)?)
    }

    fn save(&mut self) -> Result<Vec<u8>, LearnError> {
        Ok(Game::save(self))
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), LearnError> {
        Ok(Game::restore(self, state)?)
    }
}
