//! A bare console, as the Arcade Learning Environment has it: what `gym2600 trace` runs.

use gym2600_arcade::{Action, Arcade, GameDefinition, Picture, Settings};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

use crate::error::{from_load, thrown};

/// A console with a game in it and nothing around it.
#[wasm_bindgen]
pub struct WasmArcade {
    arcade: Arcade,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmArcade {
    /// Loads a game: of the catalogue, or as the text of a definition says. Resets once, as ALE does.
    #[wasm_bindgen(constructor)]
    pub fn new(
        rom: &[u8],
        seed: u32,
        repeat_action_probability: f32,
        definition: Option<String>,
        definition_name: Option<String>,
    ) -> Result<WasmArcade, JsValue> {
        let settings = Settings {
            random_seed: seed,
            repeat_action_probability,
            ..Settings::default()
        };
        let loaded = match definition {
            Some(text) => {
                let game = GameDefinition::from_toml(&text, definition_name.as_deref().unwrap_or("game"))
                    .map_err(|error| thrown("bad-game", &error.to_string()))?;
                Arcade::load_as(rom, Arc::new(game), &settings)
            }
            None => Arcade::load(rom, &settings),
        };
        Ok(Self {
            arcade: loaded.map_err(|error| from_load(&error))?,
        })
    }

    /// Sets the mode for the resets to come.
    #[wasm_bindgen(js_name = setMode)]
    pub fn set_mode(&mut self, mode: u32) -> Result<(), JsValue> {
        self.arcade
            .set_mode(mode)
            .map_err(|error| thrown("bad-option", &error.to_string()))
    }

    /// Sets the difficulty.
    #[wasm_bindgen(js_name = setDifficulty)]
    pub fn set_difficulty(&mut self, difficulty: u32) -> Result<(), JsValue> {
        self.arcade
            .set_difficulty(difficulty)
            .map_err(|error| thrown("bad-option", &error.to_string()))
    }

    /// Starts the game again.
    #[wasm_bindgen(js_name = resetGame)]
    pub fn reset_game(&mut self) {
        self.arcade.reset_game();
    }

    /// Plays an action, one of ALE's eighteen, for a frame and gives its reward.
    pub fn act(&mut self, action: u32) -> Result<i32, JsValue> {
        let action = Action::from_number(action).map_err(|error| thrown("bad-action", &error.to_string()))?;
        Ok(self.arcade.act(action, Picture::Wanted))
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

    /// Where the 128 bytes of the console's memory are.
    #[wasm_bindgen(js_name = ramAddress)]
    pub fn ram_address(&self) -> u32 {
        self.arcade.ram().as_ptr() as u32
    }

    /// Where the screen is in memory: palette indices, line by line.
    #[wasm_bindgen(js_name = screenAddress)]
    pub fn screen_address(&mut self) -> u32 {
        self.arcade.screen().as_ptr() as u32
    }

    /// Bytes of the screen.
    #[wasm_bindgen(js_name = screenLength)]
    pub fn screen_length(&mut self) -> u32 {
        self.arcade.screen().len() as u32
    }
}
