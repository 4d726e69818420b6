//! A bare console, as the Arcade Learning Environment has it.

use gym2600_arcade::{Action, Arcade, GameDefinition, Generators, Picture, StateError, StateKind};
use gym2600_gym::plain::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

use crate::console::{description, draw};
use crate::engine;
use crate::error::{from_definition, from_load, thrown};
use crate::options::{ArcadeOptions, options};
use crate::plain::js;

/// A console with a game in it and nothing around it.
#[wasm_bindgen]
pub struct WasmArcade {
    arcade: Arcade,
    drawn: Vec<u8>,
    /// Whether the caller looked at the last picture: then the next one is drawn at once, else only when it is looked at.
    looked: bool,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmArcade {
    /// Loads a game and resets it once, as ALE does. `settings` is the package's `ArcadeOptions` without `rom`.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &[u8], settings: JsValue) -> Result<WasmArcade, JsValue> {
        engine::install();
        let wanted: ArcadeOptions = options(&settings)?;
        let settings = wanted.settings()?;
        let loaded = match &wanted.game {
            Some(text) => {
                let game = GameDefinition::from_toml(text, "game").map_err(|error| from_definition(&error))?;
                Arcade::load_as(rom, Arc::new(game), &settings)
            }
            None => Arcade::load(rom, &settings),
        };
        let mut console = Self {
            arcade: loaded.map_err(|error| from_load(&error))?,
            drawn: Vec::new(),
            looked: false,
        };
        if let Some(mode) = wanted.mode {
            console.set_mode(mode)?;
        }
        if let Some(difficulty) = wanted.difficulty {
            console.set_difficulty(difficulty)?;
        }
        Ok(console)
    }

    /// The package's `ConsoleDescription`.
    pub fn description(&self) -> JsValue {
        js(Value::object(description(&self.arcade)))
    }

    /// The same console once more, generators and all.
    #[must_use]
    pub fn fork(&self) -> WasmArcade {
        Self {
            arcade: self.arcade.clone(),
            drawn: Vec::new(),
            looked: self.looked,
        }
    }

    /// Sets the mode for the resets to come.
    #[wasm_bindgen(js_name = setMode)]
    pub fn set_mode(&mut self, mode: u32) -> Result<(), JsValue> {
        self.arcade
            .set_mode(mode)
            .map_err(|error| thrown("bad-option", &error.to_string()))
    }

    /// The mode.
    pub fn mode(&self) -> u32 {
        self.arcade.mode()
    }

    /// Sets the difficulty.
    #[wasm_bindgen(js_name = setDifficulty)]
    pub fn set_difficulty(&mut self, difficulty: u32) -> Result<(), JsValue> {
        self.arcade
            .set_difficulty(difficulty)
            .map_err(|error| thrown("bad-option", &error.to_string()))
    }

    /// The difficulty.
    pub fn difficulty(&self) -> u32 {
        self.arcade.difficulty()
    }

    /// Starts the game again.
    #[wasm_bindgen(js_name = resetGame)]
    pub fn reset_game(&mut self) -> Result<(), JsValue> {
        self.arcade.reset_game();
        match self.arcade.mode_error() {
            None => Ok(()),
            Some(error) => Err(thrown("bad-game", &error.to_string())),
        }
    }

    /// Plays an action, one of ALE's eighteen, and gives its reward. `strength`, from 0 to 1, is for paddles.
    pub fn act(&mut self, action: u32, strength: f32) -> Result<i32, JsValue> {
        let action = Action::from_number(action).map_err(|error| thrown("bad-action", &error.to_string()))?;
        let picture = if std::mem::take(&mut self.looked) {
            Picture::Wanted
        } else {
            Picture::OnDemand
        };
        Ok(self.arcade.act_with_strength(action, strength, picture))
    }

    /// Lives left.
    pub fn lives(&self) -> i32 {
        self.arcade.lives()
    }

    /// Whether the game has ended.
    #[wasm_bindgen(js_name = gameOver)]
    pub fn game_over(&self) -> bool {
        self.arcade.game_over()
    }

    /// Whether the settings have ended the episode.
    #[wasm_bindgen(js_name = gameTruncated)]
    pub fn game_truncated(&self) -> bool {
        self.arcade.game_truncated()
    }

    /// Frames played since the game was loaded.
    #[wasm_bindgen(js_name = frameNumber)]
    pub fn frame_number(&self) -> u32 {
        self.arcade.frame_number()
    }

    /// Frames played since the last reset.
    #[wasm_bindgen(js_name = episodeFrameNumber)]
    pub fn episode_frame_number(&self) -> u32 {
        self.arcade.episode_frame_number()
    }

    /// The number of the action that the last frame really executed.
    #[wasm_bindgen(js_name = lastAction)]
    pub fn last_action(&self) -> u8 {
        self.arcade.last_action().number()
    }

    /// Whether the program runs translated, as far as it has been.
    #[wasm_bindgen(js_name = isTranslated)]
    pub fn is_compiled(&self) -> bool {
        self.arcade.is_compiled()
    }

    /// Where the 128 bytes of the console's memory are.
    #[wasm_bindgen(js_name = ramAddress)]
    pub fn ram_address(&self) -> u32 {
        self.arcade.ram().as_ptr() as u32
    }

    /// Writes a byte of the console's memory.
    #[wasm_bindgen(js_name = setRam)]
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.arcade.set_ram(index, value);
    }

    /// Draws the picture as [`draw`] does and says where it is in memory.
    pub fn draw(&mut self, kind: u32) -> u32 {
        self.looked = true;
        draw(&mut self.arcade, kind, &mut self.drawn)
    }

    /// Where the samples of the last act are; none without sound.
    #[wasm_bindgen(js_name = audioAddress)]
    pub fn audio_address(&self) -> u32 {
        self.arcade.audio().as_ptr() as u32
    }

    /// How many samples there are.
    #[wasm_bindgen(js_name = audioLength)]
    pub fn audio_length(&self) -> u32 {
        if self.arcade.settings().sound_obs {
            self.arcade.audio().len() as u32
        } else {
            0
        }
    }

    /// The state as bytes, with or without the generators.
    pub fn save(&mut self, generators: bool) -> Vec<u8> {
        self.arcade.save(if generators {
            Generators::Included
        } else {
            Generators::Excluded
        })
    }

    /// Goes back to a state that [`Self::save`] gave a console of the same ROM, generators included or not.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        let without = StateKind::Arcade as u8;
        match self.arcade.restore(state, Generators::Included) {
            Err(StateError::Kind { found, .. }) if found == without => self.arcade.restore(state, Generators::Excluded),
            result => result,
        }
        .map_err(|error| thrown("bad-saved-state", &error.to_string()))
    }
}
