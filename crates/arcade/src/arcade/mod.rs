//! A loaded game: ALE's life-cycle of resets, actions and ends.

mod memory;
mod recording;
mod reset;
mod save;
mod screen;
mod switches;

pub use save::Generators;

use std::sync::Arc;

use gym2600_vcs::{Console, Input, Picture, SOUND_SAMPLES, WIDTH};

use crate::action::Action;
use crate::averaging::Averaging;
use crate::definition::GameDefinition;
use crate::load::{self, LoadError};
use crate::palette::Palette;
use crate::random::Mt19937;
use crate::rules::{Memory, ModeError, Variables};
use crate::settings::Settings;
use memory::SharedMemory;
use recording::Recording;

/// The least resistance that a paddle is turned to.
const PADDLE_MIN: i32 = 27_450;
/// How far a paddle turns in a frame, at full strength.
const PADDLE_DELTA: f64 = 23_000.0;

/// The game has no such mode.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown mode {mode} of {rom}: its modes are {modes:?}")]
pub struct UnknownMode {
    /// The mode asked for.
    pub mode: u32,
    /// The game.
    pub rom: String,
    /// The modes it has.
    pub modes: Vec<u32>,
}

/// The game has no such difficulty.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown difficulty {difficulty} of {rom}: its difficulties are {difficulties:?}")]
pub struct UnknownDifficulty {
    /// The difficulty asked for.
    pub difficulty: u32,
    /// The game.
    pub rom: String,
    /// The difficulties it has.
    pub difficulties: Vec<u32>,
}

/// What the console is told besides the players' controls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Button {
    None,
    Reset,
    Select,
}

/// An ALE with a ROM in it.
///
/// RAM survives a reset and the generators run on, as in ALE: what a reset gives depends on all that was played since the ROM was
/// loaded. [`Arcade::reload`] starts from nothing.
#[derive(Clone, Debug)]
pub struct Arcade {
    md5: [u8; 16],
    game: Arc<GameDefinition>,
    settings: Settings,
    sticky_threshold: f64,
    console: Console,
    averaging: Option<Averaging>,
    system_random: Mt19937,
    random: Mt19937,
    variables: Variables,
    /// Lives before the first frame.
    initial_lives: i32,
    mode: u32,
    mode_error: Option<ModeError>,
    difficulty: u32,
    frame: u32,
    episode_frame: u32,
    paddles: [i32; 2],
    last_action: Action,
    last_strength: f32,
    memory: SharedMemory,
    /// Resets that were remembered, that were recorded, and of these those that met another on their way.
    remembered: u64,
    recorded: u64,
    met: u64,
    /// Resets whose idle frames were not all played.
    shortened: u64,
    /// The reset that is being played, if it is to be remembered.
    recording: Option<Box<Recording>>,
}

impl Arcade {
    /// Loads a ROM of the catalogue, which is found by its MD5, and resets the game once.
    ///
    /// # Errors
    /// [`LoadError::Cartridge`] where the bytes are no cartridge, [`LoadError::UnknownRom`] where the catalogue does not have them.
    pub fn load(rom: &[u8], settings: &Settings) -> Result<Self, LoadError> {
        let (md5, game) = load::definition_of(rom)?;
        Self::new(rom, md5, game, settings)
    }

    /// Loads a ROM as the game that a definition describes, and resets it once.
    ///
    /// # Errors
    /// [`LoadError::Cartridge`] where the bytes are no cartridge or not one of the definition's mapper, [`LoadError::OtherRom`]
    /// where the definition names another MD5, [`LoadError::Mode`] where the definition's default mode is never reached.
    pub fn load_as(rom: &[u8], game: Arc<GameDefinition>, settings: &Settings) -> Result<Self, LoadError> {
        let md5 = load::check(rom, &game)?;
        Self::new(rom, md5, game, settings)
    }

    fn new(rom: &[u8], md5: [u8; 16], game: Arc<GameDefinition>, settings: &Settings) -> Result<Self, LoadError> {
        let memory = SharedMemory::of(rom, game, settings);
        let game = Arc::clone(memory.game());
        let (console, system_random) = memory.power_on()?;
        let variables = game.rules.initial();
        let geometry = console.geometry();
        let pixels = WIDTH * usize::from(geometry.height);
        let averaging = settings
            .color_averaging
            .then(|| Averaging::new(Palette::of(geometry.tv), pixels));
        let mut arcade = Self {
            md5,
            settings: *settings,
            sticky_threshold: settings.sticky_threshold(),
            console,
            averaging,
            system_random,
            random: Mt19937::new(settings.random_seed),
            initial_lives: game.rules.lives(&variables),
            variables,
            mode: game.default_mode,
            mode_error: None,
            difficulty: game.default_difficulty,
            frame: 0,
            episode_frame: 0,
            paddles: [0; 2],
            last_action: Action::Noop,
            last_strength: 1.0,
            memory,
            remembered: 0,
            recorded: 0,
            met: 0,
            shortened: 0,
            recording: None,
            game,
        };
        arcade.reset_game();
        match arcade.mode_error {
            None => Ok(arcade),
            Some(error) => Err(error.into()),
        }
    }

    /// Loads the same ROM again with other settings: a new console and new generators, the default mode and difficulty, one reset.
    pub fn reload(&mut self, settings: &Settings) {
        // What has been loaded once can be loaded again.
        if let Ok(arcade) = Self::new(self.memory.rom(), self.md5, Arc::clone(&self.game), settings) {
            *self = arcade;
        }
    }

    /// Plays `action` for the settings' frame skip and returns the reward, clamped to the settings' limits. After the end of an
    /// episode nothing is played, but the sticky generator runs on.
    pub fn act(&mut self, action: Action, picture: Picture) -> i32 {
        self.act_with_strength(action, 1.0, picture)
    }

    /// [`Arcade::act`] with paddles turned by `strength` (0 to 1) of their speed.
    pub fn act_with_strength(&mut self, action: Action, strength: f32, picture: Picture) -> i32 {
        let mut reward = 0_i32;
        for _ in 0..self.settings.frame_skip.max(1) {
            if self.random.next_f64() >= self.sticky_threshold {
                self.last_action = action;
                self.last_strength = strength;
            }
            // The second player's draw.
            self.random.next_u32();
            if self.game_over() || self.game_truncated() {
                continue;
            }
            let legal = self.game.legal_actions.contains(&self.last_action);
            let played = if legal { self.last_action } else { Action::Noop };
            self.emulate(played, self.last_strength, Button::None, picture);
            self.count_frame();
            reward = reward.wrapping_add(self.game.rules.reward(&self.variables));
        }
        if self.settings.sound_obs {
            self.console.play_sound();
        }
        reward.clamp(self.settings.reward_min, self.settings.reward_max)
    }

    fn count_frame(&mut self) {
        self.frame += 1;
        self.episode_frame += 1;
    }

    /// One frame and what the rules make of it.
    fn emulate(&mut self, action: Action, strength: f32, button: Button, picture: Picture) {
        self.run_console(action, strength, button, picture);
        let Self {
            game,
            variables,
            console,
            recording,
            ..
        } = self;
        run_rules(game, variables, recording, &ConsoleMemory(console));
    }

    fn run_console(&mut self, action: Action, strength: f32, button: Button, picture: Picture) {
        let joystick = action.joystick();
        if self.game.uses_paddles() {
            let delta = (PADDLE_DELTA * f64::from(strength.abs())) as i32;
            if joystick.right {
                self.paddles[0] = self.paddles[0].wrapping_sub(delta);
            }
            if joystick.left {
                self.paddles[0] = self.paddles[0].wrapping_add(delta);
            }
            let maximum = (self.game.paddle_max as i32).max(PADDLE_MIN);
            self.paddles = self.paddles.map(|paddle| paddle.clamp(PADDLE_MIN, maximum));
        }
        let mut input = Input::default();
        input.joysticks[0] = joystick;
        input.paddles[0].resistance = self.paddles[0] as u32;
        input.paddles[0].fire = joystick.fire;
        input.paddles[1].resistance = self.paddles[1] as u32;
        input.switches.reset = button == Button::Reset;
        input.switches.select = button == Button::Select;
        input.switches.left_difficulty_a = self.difficulty & 1 != 0;
        input.switches.right_difficulty_a = self.difficulty & 2 != 0;
        match &mut self.recording {
            None => self.console.run_frame(&input, picture),
            Some(recording) => recording.run_frame(&mut self.console, &input),
        }
    }

    /// Chooses the mode that the next reset selects.
    ///
    /// # Errors
    /// [`UnknownMode`] where the game does not have it.
    pub fn set_mode(&mut self, mode: u32) -> Result<(), UnknownMode> {
        if !self.game.modes.contains(&mode) {
            return Err(UnknownMode {
                mode,
                rom: self.game.rom.clone(),
                modes: self.game.modes.clone(),
            });
        }
        self.mode = mode;
        Ok(())
    }

    /// Sets the difficulty switches, from the next frame on: bit 0 is the left one, bit 1 the right one.
    ///
    /// # Errors
    /// [`UnknownDifficulty`] where the game does not have it.
    pub fn set_difficulty(&mut self, difficulty: u32) -> Result<(), UnknownDifficulty> {
        if !self.game.difficulties.contains(&difficulty) {
            let difficulties = self.game.difficulties.clone();
            return Err(UnknownDifficulty {
                difficulty,
                rom: self.game.rom.clone(),
                difficulties,
            });
        }
        self.difficulty = difficulty;
        Ok(())
    }

    /// The mode that the next reset selects.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// Why the last reset did not reach the mode, if it did not: the game's definition asks for one that never shows.
    pub fn mode_error(&self) -> Option<ModeError> {
        self.mode_error
    }

    /// The difficulty.
    pub fn difficulty(&self) -> u32 {
        self.difficulty
    }

    /// Lives left, 0 in games that have none.
    pub fn lives(&self) -> i32 {
        self.game.rules.lives(&self.variables)
    }

    /// The game is over by its own rules.
    pub fn game_over(&self) -> bool {
        self.game.rules.terminal(&self.variables)
    }

    /// The settings end the episode: too many frames, or a life lost.
    pub fn game_truncated(&self) -> bool {
        let limit = self.settings.max_num_frames_per_episode;
        limit > 0 && self.episode_frame >= limit
            || self.settings.truncate_on_loss_of_life && self.lives() < self.initial_lives
    }

    /// How many resets were remembered, not played.
    pub fn remembered_resets(&self) -> u64 {
        self.remembered
    }

    /// How many resets were recorded while they were played, to be remembered. Only these allocate.
    pub fn recorded_resets(&self) -> u64 {
        self.recorded
    }

    /// How many of the recorded resets came to where another one had been, so that their beginning alone was played.
    pub fn met_resets(&self) -> u64 {
        self.met
    }

    /// How many of the resets that were played went on from where the console had been before, when it was left alone likewise.
    pub fn shortened_resets(&self) -> u64 {
        self.shortened
    }

    /// Frames played since the ROM was loaded.
    pub fn frame_number(&self) -> u32 {
        self.frame
    }

    /// Frames played since the last reset; in games that select a mode, also those counted on the way there.
    pub fn episode_frame_number(&self) -> u32 {
        self.episode_frame
    }

    /// The action that the last frame of the last [`Arcade::act`] stuck to or took.
    pub fn last_action(&self) -> Action {
        self.last_action
    }

    /// Whether the program runs translated: see [`Console::is_compiled`].
    pub fn is_compiled(&self) -> bool {
        self.console.is_compiled()
    }

    /// RAM, addresses 0x80 to 0xFF.
    pub fn ram(&self) -> &[u8; 128] {
        self.console.ram()
    }

    /// Sets the byte `index & 127` of RAM.
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.console.ram_mut()[usize::from(index & 0x7F)] = value;
    }

    /// The sound of the last [`Arcade::act`], as ALE's `getAudio`: [`SOUND_SAMPLES`] samples, 128 being silence. There are as
    /// many for any frame skip, and also after an episode's end, when the last sound goes on. All are 0 before the first act,
    /// and always where the settings do not ask for sound.
    pub fn audio(&self) -> &[u8; SOUND_SAMPLES] {
        self.console.sound()
    }

    /// The actions that do something in this game, by number.
    pub fn minimal_actions(&self) -> &[Action] {
        &self.game.minimal_actions
    }

    /// The actions that the game lets through, by number; the others count as NOOP.
    pub fn legal_actions(&self) -> &[Action] {
        &self.game.legal_actions
    }

    /// The game's definition.
    pub fn game(&self) -> &GameDefinition {
        &self.game
    }

    /// The settings that the ROM was loaded with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// Runs the rules after a frame that has left `memory`.
fn run_rules(
    game: &GameDefinition,
    variables: &mut Variables,
    recording: &mut Option<Box<Recording>>,
    memory: &dyn Memory,
) {
    match recording {
        None => game.rules.step(variables, memory),
        Some(recording) => recording.step(&game.rules, variables, memory),
    }
}

/// What rules read.
struct ConsoleMemory<'a>(&'a Console);

impl Memory for ConsoleMemory<'_> {
    fn ram(&self, address: u8) -> u8 {
        self.0.ram()[usize::from(address & 0x7F)]
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.0.cartridge_ram().get(usize::from(index)).copied().unwrap_or(0)
    }
}
