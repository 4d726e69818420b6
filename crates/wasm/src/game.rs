//! An environment.

use gym2600_gym::{Episode, Game, Space, Spec};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::error::{from_gym, thrown};
use crate::options::game_options;

/// An environment: a console with a game in it and the wrappers of its preset around it.
#[wasm_bindgen]
pub struct WasmGame {
    game: Game,
    observation: Vec<u8>,
    picture: Vec<u8>,
    lives: i32,
    terminated: bool,
    truncated: bool,
    episode: Option<Episode>,
}

/// The package's `GameDescription`.
#[derive(Serialize)]
struct Description<'a> {
    rom: &'a str,
    title: &'a str,
    actions: Vec<&'static str>,
    observation: &'a Space,
    screen: Screen,
    #[serde(rename = "resetsItself")]
    resets_itself: bool,
    spec: &'a Spec,
}

#[derive(Serialize)]
struct Screen {
    width: usize,
    height: usize,
}

/// The package's `Info`.
#[derive(Serialize)]
struct Info {
    lives: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    episode: Option<EpisodeSummary>,
}

#[derive(Serialize)]
struct EpisodeSummary {
    reward: f64,
    length: u32,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmGame {
    /// Loads a game. `options` is the package's `GameOptions` without `rom`.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &[u8], options: JsValue) -> Result<WasmGame, JsValue> {
        let game = Game::new(rom, &game_options(options)?).map_err(|error| from_gym(&error))?;
        let observation = vec![0; game.observation_len()];
        Ok(Self {
            game,
            observation,
            picture: Vec::new(),
            lives: 0,
            terminated: false,
            truncated: false,
            episode: None,
        })
    }

    /// The package's `GameDescription`.
    pub fn description(&self) -> Result<JsValue, JsValue> {
        let arcade = self.game.arcade();
        plain(&Description {
            rom: &arcade.game().rom,
            title: &arcade.game().title,
            actions: self.game.action_names(),
            observation: self.game.observation_space(),
            screen: Screen {
                width: gym2600_arcade::WIDTH,
                height: arcade.height(),
            },
            resets_itself: self.game.resets_itself(),
            spec: self.game.spec(),
        })
    }

    /// Starts an episode. `seed` is a whole number below 2^53; without one the generators go on.
    pub fn reset(&mut self, seed: Option<f64>) -> Result<(), JsValue> {
        #[allow(clippy::cast_sign_loss, reason = "the package has checked it")]
        let seed = seed.map(|seed| seed as u64);
        let info = self
            .game
            .reset(seed, &mut self.observation)
            .map_err(|error| from_gym(&error))?;
        self.lives = info.lives;
        self.terminated = false;
        self.truncated = false;
        self.episode = None;
        Ok(())
    }

    /// Takes a step and gives its reward; the methods below tell the rest.
    pub fn step(&mut self, action: u32) -> Result<f64, JsValue> {
        let step = self
            .game
            .step(action, &mut self.observation)
            .map_err(|error| from_gym(&error))?;
        self.lives = step.lives;
        self.terminated = step.terminated;
        self.truncated = step.truncated;
        self.episode = step.episode;
        Ok(step.reward)
    }

    /// Lives left after the last step or reset.
    pub fn lives(&self) -> i32 {
        self.lives
    }

    /// Whether the last step ended an episode from within.
    pub fn terminated(&self) -> bool {
        self.terminated
    }

    /// Whether the last step ended an episode from outside.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Whether the last step has an episode's summary to tell; see [`Self::info`].
    #[wasm_bindgen(js_name = episodeEnded)]
    pub fn episode_ended(&self) -> bool {
        self.episode.is_some()
    }

    /// The package's `Info` of the last step or reset.
    pub fn info(&self) -> Result<JsValue, JsValue> {
        let episode = self.episode.as_ref().map(|episode| EpisodeSummary {
            reward: episode.reward,
            length: episode.length,
        });
        plain(&Info {
            lives: self.lives,
            episode,
        })
    }

    /// The complete state as bytes.
    pub fn save(&mut self) -> Vec<u8> {
        self.game.save()
    }

    /// Goes back to a state that [`Self::save`] gave a game of the same ROM and options.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        self.game
            .restore(state)
            .map_err(|error| thrown("bad-saved-state", &error.to_string()))?;
        self.lives = self.game.arcade().lives();
        self.terminated = false;
        self.truncated = false;
        self.episode = None;
        Ok(())
    }

    /// Bytes of an observation.
    #[wasm_bindgen(js_name = observationLength)]
    pub fn observation_length(&self) -> u32 {
        self.observation.len() as u32
    }

    /// Where the last observation is in memory.
    #[wasm_bindgen(js_name = observationAddress)]
    pub fn observation_address(&self) -> u32 {
        self.observation.as_ptr() as u32
    }

    /// Draws the console's picture, red, green, blue, 255 for each pixel, and says where it is in memory.
    pub fn picture(&mut self) -> u32 {
        let arcade = self.game.arcade_mut();
        let rgb = &arcade.palette().rgb;
        let screen = arcade.screen();
        self.picture.resize(screen.len() * 4, 255);
        for (pixel, &index) in self.picture.chunks_exact_mut(4).zip(screen) {
            pixel[..3].copy_from_slice(&rgb[usize::from(index)]);
        }
        self.picture.as_ptr() as u32
    }
}

/// `value` as a plain JavaScript object; absent values as null.
fn plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value
        .serialize(&Serializer::json_compatible())
        .map_err(|error| thrown("wasm-failed", &error.to_string()))
}
