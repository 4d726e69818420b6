//! ALE's `ALEInterface`.

use gym2600_arcade::{Action, Arcade, Control, Drawing, GameDefinition, Generators, StateError, StateKind, WIDTH};
use gym2600_gym::{ArcadeDescription, ArcadeOptions, GymError};
use gym2600_js::{from_gym, options, thrown, write};
use js_sys::{Object, Uint8Array};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

use crate::buffers::{copy, draw, named};
use crate::{engine, room};

/// ALE's interface: a console with a game, and no wrappers.
#[wasm_bindgen]
pub struct WasmArcade {
    arcade: Arcade,
    /// Room for a picture in other pixels than palette indices.
    room: Vec<u8>,
    /// Whether the caller took the last picture. The next one is then drawn with its frame, and otherwise on demand.
    looked: bool,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmArcade {
    /// Loads a game and resets it once, as ALE does. `wanted` is the package's `ArcadeOptions` without the ROM.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &[u8], wanted: JsValue) -> Result<WasmArcade, JsValue> {
        engine::install();
        room::check()?;
        let wanted: ArcadeOptions = options(wanted)?;
        let settings = wanted.settings().map_err(|error| from_gym(&error))?;
        let loaded = match &wanted.game {
            Some(raw) => {
                let game = GameDefinition::new(raw).map_err(refused)?;
                Arcade::load_as(rom, Arc::new(game), &settings)
            }
            None => Arcade::load(rom, &settings),
        };
        let mut made = Self {
            arcade: loaded.map_err(refused)?,
            room: Vec::new(),
            looked: false,
        };
        if let Some(mode) = wanted.mode {
            made.set_mode(mode)?;
        }
        if let Some(difficulty) = wanted.difficulty {
            made.set_difficulty(difficulty)?;
        }
        Ok(made)
    }

    /// The package's `ArcadeDescription`.
    pub fn description(&self) -> Result<JsValue, JsValue> {
        write(&ArcadeDescription::of(&self.arcade))
    }

    /// A copy of the arcade with all its state and the generators.
    pub fn fork(&self) -> Result<WasmArcade, JsValue> {
        room::check()?;
        Ok(Self {
            arcade: self.arcade.clone(),
            room: Vec::new(),
            looked: self.looked,
        })
    }

    /// Sets the mode for the resets to come.
    #[wasm_bindgen(js_name = setMode)]
    pub fn set_mode(&mut self, mode: u32) -> Result<(), JsValue> {
        self.arcade.set_mode(mode).map_err(refused)
    }

    /// The mode.
    pub fn mode(&self) -> u32 {
        self.arcade.mode()
    }

    /// Sets the difficulty.
    #[wasm_bindgen(js_name = setDifficulty)]
    pub fn set_difficulty(&mut self, difficulty: u32) -> Result<(), JsValue> {
        self.arcade.set_difficulty(difficulty).map_err(refused)
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
            Some(error) => Err(refused(error)),
        }
    }

    /// Plays an action of each player, of ALE's eighteen, and gives the reward. The strengths, from 0 to 1, are for paddles.
    pub fn act(&mut self, action: u32, strength: f32, second: u32, second_strength: f32) -> Result<i32, JsValue> {
        let control = |number, strength| {
            let action = Action::from_number(number).map_err(|error| thrown("bad-action", &error.to_string()))?;
            if !(0.0..=1.0).contains(&strength) {
                return Err(refused(GymError::Strength(strength)));
            }
            Ok::<_, JsValue>(Control { action, strength })
        };
        let controls = [control(action, strength)?, control(second, second_strength)?];
        let drawing = if std::mem::take(&mut self.looked) {
            Drawing::Immediate
        } else {
            Drawing::OnDemand
        };
        Ok(self.arcade.act_both(controls, drawing))
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

    /// The number of the action that the last frame executed: the one given, or the one that stuck.
    #[wasm_bindgen(js_name = lastAction)]
    pub fn last_action(&self) -> u8 {
        self.arcade.last_action().number()
    }

    /// Whether the program runs as compiled code.
    #[wasm_bindgen(js_name = isCompiled)]
    pub fn is_compiled(&self) -> bool {
        self.arcade.is_compiled()
    }

    /// The variables of the rules by name.
    pub fn variables(&self) -> Object {
        named(self.arcade.variables())
    }

    /// Writes the console's RAM.
    pub fn ram(&self, ram: &Uint8Array) {
        copy(ram, self.arcade.ram(), 0);
    }

    /// Writes a byte of the console's RAM.
    #[wasm_bindgen(js_name = setRam)]
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.arcade.set_ram(index, value);
    }

    /// Sets the console's switches: the package's `ConsoleSwitches`.
    #[wasm_bindgen(js_name = setSwitches)]
    pub fn set_switches(&mut self, switches: JsValue) -> Result<(), JsValue> {
        self.arcade.set_switches(options(switches)?);
        Ok(())
    }

    /// How many pixels the picture has.
    pub fn pixels(&self) -> usize {
        self.arcade.height() * WIDTH
    }

    /// Writes the picture, as `draw` does.
    pub fn draw(&mut self, channels: u32, picture: &Uint8Array) {
        self.looked = true;
        draw(&mut self.arcade, channels, &mut self.room, picture);
    }

    /// The samples of the last act; none without sound.
    pub fn audio(&self) -> Vec<u8> {
        if self.arcade.settings().sound_obs {
            self.arcade.audio().to_vec()
        } else {
            Vec::new()
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

    /// Restores a state that [`Self::save`] gave an arcade of the same ROM, with or without the generators.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        let without = StateKind::Arcade as u8;
        match self.arcade.restore(state, Generators::Included) {
            Err(StateError::Kind { found, .. }) if found == without => self.arcade.restore(state, Generators::Excluded),
            result => result,
        }
        .map_err(|error| thrown("bad-saved-state", &error.to_string()))
    }
}

fn refused(error: impl Into<GymError>) -> JsValue {
    from_gym(&error.into())
}
