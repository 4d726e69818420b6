//! An environment.

use std::cell::RefCell;

use gym2600_arcade::WIDTH;
use gym2600_gym::plain::{Record, Value};
use gym2600_gym::{Episode, Game, GameOptions};
use wasm_bindgen::prelude::*;

use crate::console::{self, draw};
use crate::engine;
use crate::error::{from_gym, thrown};
use crate::options::options;
use crate::plain::js;

/// What the last step or reset brought, as the package reads it from memory: reward, flags (1 for terminated, 2 for truncated, 4 for an
/// episode's summary, 8 for the end of the game itself, 16 for an end that the next episode's start replaced), lives, frame number,
/// episode frame number, the summary's reward and length, and the lives, frame number and episode frame number of a replaced end.
type Outcome = [f64; 10];

thread_local! {
    /// Room for an observation, of whichever game, that does not lie in memory as it is.
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An environment: a console with a game in it and the wrappers of its preset around it.
#[wasm_bindgen]
pub struct WasmGame {
    game: Game,
    /// Which of its bytes the last observation begins with.
    start: u32,
    outcome: Box<Outcome>,
    drawn: Vec<u8>,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmGame {
    /// Loads a game. `wanted` is the package's `GameOptions` without `rom`.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &[u8], wanted: JsValue) -> Result<WasmGame, JsValue> {
        engine::install();
        let wanted: GameOptions = options(&wanted)?;
        let mut game = Game::new(rom, &wanted).map_err(|error| from_gym(&error))?;
        game.keep_final_observations();
        Ok(Self {
            game,
            start: 0,
            outcome: Box::default(),
            drawn: Vec::new(),
        })
    }

    /// The package's `GameDescription`.
    pub fn description(&self) -> JsValue {
        let game = &self.game;
        let mut description = console::description(game.arcade());
        description.extend([
            ("actions", console::names(game.action_names().into_iter())),
            ("observation", game.observation_space().object()),
            ("resetsItself", Value::Bool(game.resets_itself())),
            ("spec", game.spec().object()),
        ]);
        js(Value::object(description))
    }

    /// Starts an episode. `seed` is a whole number below 2^53; without one the generators go on.
    pub fn reset(&mut self, seed: Option<f64>) -> Result<(), JsValue> {
        #[allow(clippy::cast_sign_loss, reason = "the package has checked it")]
        let seed = seed.map(|seed| seed as u64);
        self.game.restart(seed).map_err(|error| from_gym(&error))?;
        self.tell(0.0, 0, None);
        Ok(())
    }

    /// Takes a step.
    pub fn step(&mut self, action: u32) -> Result<(), JsValue> {
        let step = self.game.advance(action).map_err(|error| from_gym(&error))?;
        let flags = u32::from(step.terminated) | u32::from(step.truncated) << 1 | u32::from(step.real_done) << 3;
        self.tell(step.reward, flags, step.episode);
        Ok(())
    }

    fn tell(&mut self, reward: f64, flags: u32, episode: Option<Episode>) {
        let info = self.game.info();
        let last = self.game.final_info();
        let flags = flags | u32::from(episode.is_some()) << 2 | u32::from(last.is_some()) << 4;
        let last = last.unwrap_or_default();
        let Episode { reward: total, length } = episode.unwrap_or_default();
        *self.outcome = [
            reward,
            flags.into(),
            info.lives.into(),
            info.frame_number.into(),
            info.episode_frame_number.into(),
            total,
            length.into(),
            last.lives.into(),
            last.frame_number.into(),
            last.episode_frame_number.into(),
        ];
    }

    /// Where what the last step or reset brought is in memory: see [`Outcome`]. The address stays.
    #[wasm_bindgen(js_name = outcomeAddress)]
    pub fn outcome_address(&self) -> u32 {
        self.outcome.as_ptr() as u32
    }

    /// The complete state as bytes.
    pub fn save(&mut self) -> Vec<u8> {
        self.game.save()
    }

    /// Goes back to a state that [`Self::save`] gave a game of the same ROM and options; the observation is then that state's.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        self.game
            .restore(state)
            .map_err(|error| thrown("bad-saved-state", &error.to_string()))?;
        self.tell(0.0, 0, None);
        Ok(())
    }

    /// Bytes of an observation.
    #[wasm_bindgen(js_name = observationLength)]
    pub fn observation_length(&self) -> u32 {
        self.game.observation_len() as u32
    }

    /// Makes the last observation and says where it is in memory, until anything else is asked of any game. It begins at
    /// [`Self::observation_start`] and goes on at its front.
    pub fn observe(&mut self) -> u32 {
        ROOM.with_borrow_mut(|room| {
            let (bytes, start) = self.game.observation(room);
            self.start = start as u32;
            bytes.as_ptr() as u32
        })
    }

    /// Which of its bytes what [`Self::observe`] has made begins with.
    #[wasm_bindgen(js_name = observationStart)]
    pub fn observation_start(&self) -> u32 {
        self.start
    }

    /// Where the observation is with which the last step ended an episode that it replaced by the next one; 0 where it did not.
    #[wasm_bindgen(js_name = finalObservationAddress)]
    pub fn final_observation_address(&self) -> u32 {
        self.game.final_observation().map_or(0, |bytes| bytes.as_ptr() as u32)
    }

    /// Whether a reset has to come before the next step.
    #[wasm_bindgen(js_name = needsReset)]
    pub fn needs_reset(&self) -> bool {
        self.game.check_step(0).is_err()
    }

    /// The number of the action that the last frame really executed.
    #[wasm_bindgen(js_name = lastAction)]
    pub fn last_action(&self) -> u8 {
        self.game.arcade().last_action().number()
    }

    /// Where the 128 bytes of the console's memory are.
    #[wasm_bindgen(js_name = ramAddress)]
    pub fn ram_address(&self) -> u32 {
        self.game.arcade().ram().as_ptr() as u32
    }

    /// Writes a byte of the console's memory.
    #[wasm_bindgen(js_name = setRam)]
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.game.set_ram(index, value);
    }

    /// Draws the picture as [`draw`] does and says where it is in memory.
    pub fn draw(&mut self, kind: u32) -> u32 {
        draw(self.game.arcade_mut(), kind, &mut self.drawn)
    }

    /// Where the samples of the last step's frames are.
    #[wasm_bindgen(js_name = audioAddress)]
    pub fn audio_address(&self) -> u32 {
        self.game.audio().as_ptr() as u32
    }

    /// How many samples there are.
    #[wasm_bindgen(js_name = audioLength)]
    pub fn audio_length(&self) -> u32 {
        self.game.audio().len() as u32
    }
}

impl WasmGame {
    /// The picture as red, green, blue and 255 for each pixel, and its width.
    pub(crate) fn rgba(&mut self) -> (&[u8], u32) {
        self.draw(4);
        (&self.drawn, WIDTH as u32)
    }
}
