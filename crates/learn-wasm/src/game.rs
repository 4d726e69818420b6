//! Games that the package plays in its other WebAssembly module, which has the console and compiles programs.

use gym2600_gym::{EpisodeSummary, GameOptions};
use gym2600_js::{options, write};
use gym2600_learn::{GameTraits, LearnError, Outcome, Play, Rom};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::error::Thrown;

#[wasm_bindgen]
extern "C" {
    /// The package's `LearnerRom`.
    pub type JsRom;

    #[wasm_bindgen(method, catch)]
    fn traits(this: &JsRom, options: JsValue) -> Result<JsValue, JsValue>;

    /// `memory` is this module's, into which the game writes its observations.
    #[wasm_bindgen(method, catch)]
    fn open(this: &JsRom, options: JsValue, memory: JsValue) -> Result<JsGame, JsValue>;

    /// The package's `LearnerGame`. Observations are addresses, so that they are copied once.
    type JsGame;

    #[wasm_bindgen(method, catch, js_name = traits)]
    fn traits_of_game(this: &JsGame) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn reset(this: &JsGame, observation: *mut u8) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn step(this: &JsGame, action: u32, observation: *mut u8) -> Result<f64, JsValue>;

    /// Whether the last step ended an episode.
    #[wasm_bindgen(method)]
    fn ended(this: &JsGame) -> bool;

    /// Reward, length and frames of the game that the last step ended.
    #[wasm_bindgen(method)]
    fn episode(this: &JsGame) -> Option<Vec<f64>>;

    #[wasm_bindgen(method, catch)]
    fn observe(this: &JsGame, observation: *mut u8) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn save(this: &JsGame) -> Result<Vec<u8>, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn restore(this: &JsGame, state: Uint8Array) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn close(this: &JsGame) -> Result<(), JsValue>;
}

/// A game of a [`JsRom`], closed when it is dropped.
pub struct ForeignGame {
    game: JsGame,
    traits: GameTraits,
}

impl Rom for JsRom {
    type Game = ForeignGame;
    type Error = Thrown;

    fn traits(&self, wanted: &GameOptions) -> Result<GameTraits, Thrown> {
        Ok(options(JsRom::traits(self, written(wanted)?)?)?)
    }

    fn open(&self, wanted: &GameOptions) -> Result<ForeignGame, Thrown> {
        let game = JsRom::open(self, written(wanted)?, wasm_bindgen::memory())?;
        match game.traits_of_game().and_then(options) {
            Ok(traits) => Ok(ForeignGame { game, traits }),
            Err(error) => {
                game.close()?;
                Err(error.into())
            }
        }
    }
}

/// Options as a JavaScript object.
fn written(wanted: &GameOptions) -> Result<JsValue, LearnError> {
    // serde refuses numbers that JavaScript does not have. Only a seed can be one: those of games count up from the run's.
    write(wanted).map_err(|_| LearnError::Option {
        option: "seed".to_owned(),
        reason: format!(
            "that of a game is {}, which is not below 2^53",
            wanted.seed.unwrap_or_default()
        ),
    })
}

impl ForeignGame {
    /// The address of a buffer that has room for an observation.
    ///
    /// # Errors
    /// [`LearnError::Observation`] for another size: the game would write beside it.
    fn room(&self, observation: &mut [u8]) -> Result<*mut u8, Thrown> {
        if observation.len() == self.traits.observation.len() {
            return Ok(observation.as_mut_ptr());
        }
        let reason = format!("{} bytes have no room for one", observation.len());
        Err(LearnError::Observation { reason }.into())
    }
}

impl Play for ForeignGame {
    type Error = Thrown;

    fn traits(&self) -> GameTraits {
        self.traits.clone()
    }

    fn reset(&mut self, observation: &mut [u8]) -> Result<(), Thrown> {
        Ok(self.game.reset(self.room(observation)?)?)
    }

    fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<Outcome, Thrown> {
        let reward = self.game.step(action, self.room(observation)?)?;
        let episode = self.game.episode().map(|numbers| {
            let [reward, length, frames] = numbers.try_into().expect("a reward, a length and frames");
            EpisodeSummary {
                reward,
                length: length as u32,
                frames: frames as u32,
            }
        });
        Ok(Outcome {
            reward,
            ended: self.game.ended(),
            episode,
        })
    }

    fn observe(&mut self, observation: &mut [u8]) -> Result<(), Thrown> {
        Ok(self.game.observe(self.room(observation)?)?)
    }

    fn save(&mut self) -> Result<Vec<u8>, Thrown> {
        Ok(self.game.save()?)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), Thrown> {
        Ok(self.game.restore(Uint8Array::from(state))?)
    }
}

impl Drop for ForeignGame {
    fn drop(&mut self) {
        // An exception may not leave a drop. It is the trap of an instance whose games are lost anyway.
        let _ = self.game.close();
    }
}
