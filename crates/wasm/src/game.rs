//! An environment.

use std::cell::RefCell;

use gym2600_arcade::WIDTH;
use gym2600_gym::{Game, GameDescription, GameOptions, StepRecord};
use gym2600_js::{from_gym, options, thrown, write};
use js_sys::{Array, Float64Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::buffers::{copy, copy_numbers, draw, named, pixels};
use crate::{engine, room};

thread_local! {
    /// Room for an observation that has to be made, and for a picture. All games of a thread share it.
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Describes the environment that `wanted` makes of a ROM: the package's `GameDescription`. `wanted` is its `EnvironmentOptions`.
///
/// # Errors
/// Those of [`WasmGame::new`].
#[wasm_bindgen]
pub fn describe(rom: &[u8], wanted: JsValue) -> Result<JsValue, JsValue> {
    let wanted: GameOptions = options(wanted)?;
    write(&gym2600_gym::describe(rom, &wanted).map_err(|error| from_gym(&error))?)
}

/// An environment: an arcade inside the wrappers of its preset or list.
///
/// Results are written to arrays of the caller. A step's record is a row of a `Float64Array`, whose numbers have the places
/// [`StepRecord::FIELDS`]; `row` counts from 0.
#[wasm_bindgen]
pub struct WasmGame {
    game: Game,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmGame {
    /// Loads a game. `wanted` is the package's `EnvironmentOptions`.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &[u8], wanted: JsValue) -> Result<WasmGame, JsValue> {
        engine::install();
        room::check()?;
        let wanted: GameOptions = options(wanted)?;
        let mut game = Game::new(rom, &wanted).map_err(|error| from_gym(&error))?;
        game.keep_final_observations();
        Ok(Self { game })
    }

    /// A copy of the game with all its state: a game that plays on by itself, or a state for [`Self::copy_from`].
    pub fn fork(&self) -> Result<WasmGame, JsValue> {
        room::check()?;
        Ok(Self {
            game: self.game.clone(),
        })
    }

    /// Continues from the state of a game of the same ROM and options.
    #[wasm_bindgen(js_name = copyFrom)]
    pub fn copy_from(&mut self, other: &WasmGame) -> Result<(), JsValue> {
        self.game
            .copy_from(&other.game)
            .map_err(|error| thrown("bad-saved-state", &error.to_string()))
    }

    /// The package's `GameDescription`.
    pub fn description(&self) -> Result<JsValue, JsValue> {
        write(&GameDescription::of(&self.game))
    }

    /// Starts an episode and writes its record. `seed` is a whole number below 2^53; without one the generators continue.
    pub fn reset(&mut self, seed: Option<f64>, records: &Float64Array, row: u32) -> Result<(), JsValue> {
        #[allow(clippy::cast_sign_loss, reason = "the package has checked it")]
        let seed = seed.map(|seed| seed as u64);
        self.game.restart(seed).map_err(|error| from_gym(&error))?;
        self.info(records, row);
        Ok(())
    }

    /// Takes a step and writes its record. `strength`, 0 to 1, is for paddles.
    pub fn step(&mut self, action: u32, strength: f32, records: &Float64Array, row: u32) -> Result<(), JsValue> {
        let record = self
            .game
            .advance_with_strength(action, strength)
            .map_err(|error| from_gym(&error))?;
        tell(&record, records, row);
        Ok(())
    }

    /// Writes a record of the present state: no reward, no flags.
    pub fn info(&self, records: &Float64Array, row: u32) {
        tell(&StepRecord::of_reset(self.game.info()), records, row);
    }

    /// The complete state as bytes.
    pub fn save(&mut self) -> Vec<u8> {
        self.game.save()
    }

    /// Restores a state that [`Self::save`] gave a game of the same ROM and options. The observation is then that state's.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        self.game
            .restore(state)
            .map_err(|error| thrown("bad-saved-state", &error.to_string()))
    }

    /// Writes the last observation.
    pub fn observe(&mut self, observation: &Uint8Array) {
        ROOM.with_borrow_mut(|room| {
            let (bytes, start) = self.game.observation(room);
            let (newer, older) = bytes.split_at(start);
            copy(observation, older, 0);
            if !newer.is_empty() {
                copy(observation, newer, older.len() as u32);
            }
        });
    }

    /// Writes the observation with which the last step ended an episode, if it also started the next one. Says whether it did.
    #[wasm_bindgen(js_name = finalObservation)]
    pub fn final_observation(&self, observation: &Uint8Array) -> bool {
        let bytes = self.game.final_observation();
        if let Some(bytes) = bytes {
            copy(observation, bytes, 0);
        }
        bytes.is_some()
    }

    /// Whether a reset has to come before the next step.
    #[wasm_bindgen(js_name = needsReset)]
    pub fn needs_reset(&self) -> bool {
        self.game.check_step(0).is_err()
    }

    /// The number of the action that the last frame executed: the one given, or the one that stuck.
    #[wasm_bindgen(js_name = lastAction)]
    pub fn last_action(&self) -> u8 {
        self.game.arcade().last_action().number()
    }

    /// The variables of the rules by name.
    pub fn variables(&self) -> Object {
        named(self.game.variables())
    }

    /// The variables with which the last step ended an episode, if it also started the next one.
    #[wasm_bindgen(js_name = finalVariables)]
    pub fn final_variables(&self) -> Option<Object> {
        self.game.final_variables().map(named)
    }

    /// Writes the console's RAM.
    pub fn ram(&self, ram: &Uint8Array) {
        copy(ram, self.game.arcade().ram(), 0);
    }

    /// Writes a byte of the console's RAM.
    #[wasm_bindgen(js_name = setRam)]
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.game.set_ram(index, value);
    }

    /// Sets the console's switches: the package's `ConsoleSwitches`.
    #[wasm_bindgen(js_name = setSwitches)]
    pub fn set_switches(&mut self, switches: JsValue) -> Result<(), JsValue> {
        self.game.set_switches(options(switches)?);
        Ok(())
    }

    /// How many pixels the picture has.
    pub fn pixels(&self) -> usize {
        self.game.arcade().height() * WIDTH
    }

    /// Writes the picture, as `draw` does.
    pub fn draw(&mut self, channels: u32, picture: &Uint8Array) {
        ROOM.with_borrow_mut(|room| draw(self.game.arcade_mut(), channels, room, picture));
    }

    /// The samples of the last step's frames.
    pub fn audio(&self) -> Vec<u8> {
        self.game.audio().to_vec()
    }

    /// Keeps the frames of each step and reset from now on.
    #[wasm_bindgen(js_name = keepFrames)]
    pub fn keep_frames(&mut self) {
        self.game.keep_frames();
    }

    /// The kept frames: for each its palette indices, its samples, the reward, and the info.
    pub fn frames(&self) -> Result<Array, JsValue> {
        let entries = self.game.frames().map(|frame| {
            let [screen, audio] = [&frame.screen, &frame.audio].map(|bytes| Uint8Array::from(bytes.as_slice()));
            Ok(Array::of4(&screen, &audio, &frame.reward.into(), &write(&frame.info)?))
        });
        entries.collect()
    }

    /// Red, green, blue and 255 of each palette index.
    pub fn palette(&self) -> Vec<u8> {
        let colours = self.game.arcade().palette().rgb;
        colours
            .iter()
            .flat_map(|&[red, green, blue]| [red, green, blue, 255])
            .collect()
    }
}

impl WasmGame {
    /// The picture as red, green, blue and 255 for each pixel, and its width.
    pub(crate) fn with_rgba<R>(&mut self, take: impl FnOnce(&[u8], u32) -> R) -> R {
        ROOM.with_borrow_mut(|room| take(pixels(self.game.arcade_mut(), 4, room), WIDTH as u32))
    }
}

/// Writes a record as row `row` of `records`.
fn tell(record: &StepRecord, records: &Float64Array, row: u32) {
    copy_numbers(records, &record.to_numbers(), StepRecord::FIELDS.len() as u32 * row);
}
