//! A loaded game with ALE's life cycle: resets, actions and ends.

mod mode_selector;
mod reset;
mod save;
mod screen;

pub use reset::ResetCounts;
pub use save::Generators;

use std::sync::Arc;

use gym2600_vcs::{Console, Drawing, FrameGeometry, Input, SOUND_SAMPLES, WIDTH};

use crate::action::{Action, Control};
use crate::archive::rom_of;
use crate::averaging::Averaging;
use crate::console_ram::ConsoleRam;
use crate::definition::{GameDefinition, UnknownDifficulty, UnknownMode};
use crate::episode::Episode;
use crate::load::{self, LoadError};
use crate::palette::Palette;
use crate::reset_cache::ResetCache;
use crate::rules::ModeError;
use crate::settings::Settings;
use crate::switches::ConsoleSwitches;
use reset::Resetter;

/// The definition, ROM hash and geometry of a game, found without an arcade.
#[derive(Clone, Debug)]
pub struct GameFacts {
    /// The game's definition.
    pub definition: Arc<GameDefinition>,
    /// The ROM's MD5.
    pub md5: [u8; 16],
    /// The television that the game was made for, and the lines shown.
    pub geometry: FrameGeometry,
}

impl GameFacts {
    /// The facts that [`Arcade::load`] finds. If the definition names no television, idle frames are played to detect it, once for all
    /// games with the same ROM and settings.
    ///
    /// # Errors
    /// Those of [`Arcade::load`].
    pub fn of(rom: &[u8], settings: &Settings) -> Result<Self, LoadError> {
        let rom = &rom_of(rom)?;
        let (md5, game) = load::definition_of(rom, settings.mapper)?;
        Self::new(&ResetCache::of(rom, md5, game, settings))
    }

    /// The facts that [`Arcade::load_as`] finds.
    ///
    /// # Errors
    /// Those of [`Arcade::load_as`] but for [`LoadError::Mode`]: the game is not reset.
    pub fn of_definition(rom: &[u8], game: Arc<GameDefinition>, settings: &Settings) -> Result<Self, LoadError> {
        let rom = &rom_of(rom)?;
        let md5 = load::check(rom, &game)?;
        let game = load::with_mapper(game, settings.mapper);
        Self::new(&ResetCache::of(rom, md5, game, settings))
    }

    fn new(cache: &ResetCache) -> Result<Self, LoadError> {
        Ok(Self {
            definition: Arc::clone(cache.game()),
            md5: cache.md5(),
            geometry: cache.geometry()?,
        })
    }
}

/// An ALE with a ROM in it.
///
/// As in ALE, RAM survives a reset and the generators continue, so a reset depends on all play since the ROM was loaded.
/// [`Arcade::reload`] starts again.
///
/// A clone plays on as its original and shares its ROM and the cache of resets. An arcade can be sent to another thread.
///
/// # Examples
/// A ROM that the catalogue does not have, by a definition of one's own:
/// ```
/// use std::sync::Arc;
/// use gym2600_arcade::definition::{RawDefinition, RawRules};
/// use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, Settings};
///
/// # let rom = gym2600_arcade::WALLOP; // std::fs::read("homebrew.bin")?
/// let game = GameDefinition::new(&RawDefinition {
///     rom: "homebrew".into(),
///     rules: Some(RawRules {
///         start: Some("lives = 5".into()),
///         frame: Some("lives = ram[0x82]".into()),
///         ..RawRules::default()
///     }),
///     ..RawDefinition::default()
/// })?;
/// let mut arcade = Arcade::load_as(rom, Arc::new(game), &Settings::default())?;
/// arcade.act(Action::Fire, Drawing::OnDemand);
/// println!("{} lives after frame {}", arcade.lives(), arcade.frame_number());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arcade {
    settings: Settings,
    console: Console,
    averaging: Option<Averaging>,
    episode: Episode,
    /// The switches of every act.
    switches: ConsoleSwitches,
    /// Frames of the console, those of resets among them, played or taken from the cache.
    console_frames: u64,
    reset: Resetter,
    /// The ROM, its definition and known resets, shared by all games like this one.
    cache: Arc<ResetCache>,
}

impl Arcade {
    /// Loads a ROM of the catalogue, which is found by its MD5, and resets the game once. A zip file with one ROM stands for the ROM.
    ///
    /// # Errors
    /// [`LoadError::Archive`] for a zip file without one ROM, [`LoadError::Cartridge`] if the bytes are no cartridge or do not fit the settings'
    /// mapper, [`LoadError::UnknownRom`] if the catalogue does not have them,
    /// [`LoadError::RewardLimits`] and [`LoadError::Probability`] for the settings.
    pub fn load(rom: &[u8], settings: &Settings) -> Result<Self, LoadError> {
        let rom = &rom_of(rom)?;
        let (md5, game) = load::definition_of(rom, settings.mapper)?;
        Self::start(settings, ResetCache::of(rom, md5, game, settings))
    }

    /// Loads a ROM, or the one in a zip file, as the game that a definition describes, and resets it once.
    ///
    /// # Errors
    /// [`LoadError::Archive`] for a zip file without one ROM, [`LoadError::Cartridge`] if the bytes are no cartridge or do not fit the
    /// definition's or the settings' mapper, [`LoadError::OtherRom`] if the
    /// definition names another MD5, [`LoadError::Mode`] if the first reset does not reach the start of the game,
    /// [`LoadError::RewardLimits`] and [`LoadError::Probability`] for the settings.
    pub fn load_as(rom: &[u8], game: Arc<GameDefinition>, settings: &Settings) -> Result<Self, LoadError> {
        let rom = &rom_of(rom)?;
        let md5 = load::check(rom, &game)?;
        let game = load::with_mapper(game, settings.mapper);
        Self::start(settings, ResetCache::of(rom, md5, game, settings))
    }

    /// Switches a console on and resets the game once.
    fn start(settings: &Settings, cache: Arc<ResetCache>) -> Result<Self, LoadError> {
        let mut arcade = Self::switch_on(settings, cache)?;
        arcade.reset_game();
        match arcade.reset.mode_error {
            None => Ok(arcade),
            Some(error) => Err(error.into()),
        }
    }

    /// Switches a console on.
    fn switch_on(settings: &Settings, cache: Arc<ResetCache>) -> Result<Self, LoadError> {
        settings.check()?;
        let (console, power_on_random) = cache.power_on()?;
        let game = cache.game();
        let geometry = console.geometry();
        let pixels = WIDTH * usize::from(geometry.height);
        let averaging = settings
            .color_averaging
            .then(|| Averaging::new(Palette::of(geometry.tv), pixels));
        Ok(Self {
            settings: *settings,
            console,
            averaging,
            episode: Episode::new(game, settings),
            switches: ConsoleSwitches::default(),
            console_frames: 0,
            reset: Resetter::new(game.default_mode, game.default_difficulty, power_on_random),
            cache,
        })
    }

    /// Loads the same ROM again with other settings: a new console and new generators, the default mode and difficulty, one reset.
    ///
    /// # Errors
    /// [`LoadError::RewardLimits`] or [`LoadError::Probability`]. Nothing has changed then.
    pub fn reload(&mut self, settings: &Settings) -> Result<(), LoadError> {
        let cache = if self.cache.serves(settings) {
            Arc::clone(&self.cache)
        } else {
            let game = load::with_mapper(Arc::clone(self.cache.game()), settings.mapper);
            ResetCache::of(self.cache.rom(), self.md5(), game, settings)
        };
        let mut arcade = Self::switch_on(settings, cache)?;
        // Whether this reaches the mode may depend on the seed.
        arcade.reset_game();
        arcade.console_frames += self.console_frames;
        arcade.switches = self.switches;
        *self = arcade;
        Ok(())
    }

    /// Plays `action` for the settings' frame skip and returns the reward, clamped to the settings' limits. After the end of an
    /// episode it plays nothing and only advances the generator of sticky actions. The second player does nothing.
    pub fn act(&mut self, action: Action, drawing: Drawing) -> i32 {
        self.act_both([action.into(), Control::default()], drawing)
    }

    /// [`Arcade::act`] with the controls of both players. Each player's sticks by itself.
    pub fn act_both(&mut self, controls: [Control; 2], drawing: Drawing) -> i32 {
        self.act_with(controls, self.switches, drawing)
    }

    /// [`Arcade::act_both`] with these switches.
    fn act_with(&mut self, controls: [Control; 2], switches: ConsoleSwitches, drawing: Drawing) -> i32 {
        let mut reward = 0_i32;
        for _ in 0..self.settings.frame_skip.max(1) {
            self.episode.sticky.draw(controls);
            if self.game_over() || self.game_truncated() {
                continue;
            }
            let played = self.episode.sticky.controls.map(|control| self.legal(control));
            self.emulate(played, switches, drawing);
            self.episode.count_frame();
            reward = reward.wrapping_add(self.game().rules.reward(&self.episode.progress.variables));
        }
        if self.settings.sound_obs {
            self.console.play_sound();
        }
        reward.clamp(self.settings.reward_min, self.settings.reward_max)
    }

    /// A control as it reaches the game.
    fn legal(&self, control: Control) -> Control {
        let legal = self.game().legal_actions.contains(&control.action);
        let action = if legal { control.action } else { Action::Noop };
        Control { action, ..control }
    }

    /// Runs a frame of the console, and the rules on its RAM.
    fn emulate(&mut self, controls: [Control; 2], switches: ConsoleSwitches, drawing: Drawing) {
        self.run_console(controls, switches, drawing);
        let memory = ConsoleRam(&self.console);
        let variables = &mut self.episode.progress.variables;
        self.cache.game().rules.update(variables, &memory);
    }

    fn run_console(&mut self, controls: [Control; 2], switches: ConsoleSwitches, drawing: Drawing) {
        let game = self.cache.game();
        if game.uses_paddles() {
            self.episode.progress.turn_paddles(controls, game);
        }
        let mut input = Input::default();
        for (player, control) in controls.into_iter().enumerate() {
            let joystick = control.action.joystick();
            input.joysticks[player] = joystick;
            input.paddles[player].resistance = self.episode.progress.paddles[player] as u32;
            input.paddles[player].fire = joystick.fire;
        }
        input.switches = switches.at(self.reset.difficulty);
        self.console.run_frame(&input, drawing);
        self.console_frames += 1;
    }

    /// Chooses the mode that the next reset selects.
    ///
    /// # Errors
    /// [`UnknownMode`] if the game does not have it.
    pub fn set_mode(&mut self, mode: u32) -> Result<(), UnknownMode> {
        self.game().check_mode(mode)?;
        self.reset.mode = mode;
        Ok(())
    }

    /// Sets the difficulty switches, from the next frame on: bit 0 is the left one, bit 1 the right one.
    ///
    /// # Errors
    /// [`UnknownDifficulty`] if the game does not have it.
    pub fn set_difficulty(&mut self, difficulty: u32) -> Result<(), UnknownDifficulty> {
        self.game().check_difficulty(difficulty)?;
        self.reset.difficulty = difficulty;
        Ok(())
    }

    /// Sets the console's switches for all acts from now on.
    ///
    /// ```
    /// use gym2600_arcade::{Action, Arcade, ConsoleSwitches, Drawing, Settings, WALLOP};
    ///
    /// let mut arcade = Arcade::load(WALLOP, &Settings::default())?;
    /// arcade.set_switches(ConsoleSwitches { reset: true, ..ConsoleSwitches::default() });
    /// arcade.act(Action::Noop, Drawing::OnDemand);
    /// arcade.set_switches(ConsoleSwitches::default());
    /// # Ok::<(), gym2600_arcade::LoadError>(())
    /// ```
    pub fn set_switches(&mut self, switches: ConsoleSwitches) {
        self.switches = switches;
    }

    /// The console's switches in acts.
    pub fn switches(&self) -> ConsoleSwitches {
        self.switches
    }

    /// The mode that the next reset selects.
    pub fn mode(&self) -> u32 {
        self.reset.mode
    }

    /// The error of the last reset, if it did not reach the start of the game because it spent its budget.
    pub fn mode_error(&self) -> Option<ModeError> {
        self.reset.mode_error
    }

    /// The difficulty.
    pub fn difficulty(&self) -> u32 {
        self.reset.difficulty
    }

    /// Lives left, 0 in games that have none.
    pub fn lives(&self) -> i32 {
        self.game().rules.lives(&self.episode.progress.variables)
    }

    /// The variables of the rules after the last frame by name: `score` and `lives` in most games, and what else the definition names.
    pub fn variables(&self) -> impl Iterator<Item = (&str, i64)> {
        let names = self.game().rules.variable_names().iter().map(String::as_str);
        names.zip(self.episode.progress.variables.as_slice().iter().copied())
    }

    /// Whether the game is over by its rules.
    pub fn game_over(&self) -> bool {
        self.game().rules.terminal(&self.episode.progress.variables)
    }

    /// Whether the settings end the episode, by the number of frames or by the loss of a life.
    pub fn game_truncated(&self) -> bool {
        let limit = self.settings.max_num_frames_per_episode;
        limit > 0 && self.episode.progress.frame >= limit
            || self.settings.truncate_on_loss_of_life && self.lost_a_life()
    }

    /// Whether fewer lives are left than after the load.
    fn lost_a_life(&self) -> bool {
        let rules = &self.game().rules;
        self.lives() < rules.lives(&rules.initial())
    }

    /// Frames played since the ROM was loaded.
    pub fn frame_number(&self) -> u32 {
        self.episode.total_frames
    }

    /// Frames played since the last reset. In games that select a mode it includes frames of the selection.
    pub fn episode_frame_number(&self) -> u32 {
        self.episode.progress.frame
    }

    /// Frames of the console since this arcade was made, all frames of resets among them. A reset has the same number whether it was played
    /// or taken from the cache. Saved states do not contain the number.
    pub fn console_frames(&self) -> u64 {
        self.console_frames
    }

    /// The first player's action that the last frame of the last [`Arcade::act`] executed.
    pub fn last_action(&self) -> Action {
        self.episode.sticky.controls[0].action
    }

    /// Whether the program runs compiled: see [`Console::is_compiled`].
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

    /// The RAM of the cartridge; empty where there is none.
    pub fn cartridge_ram(&self) -> &[u8] {
        self.console.cartridge_ram()
    }

    /// The sound of the last [`Arcade::act`], as ALE's `getAudio`: [`SOUND_SAMPLES`] samples, where 128 is silence. Their number does
    /// not depend on the frame skip. After the end of an episode the last sound continues. All samples are 0 before the first act,
    /// and always without the setting `sound_obs`.
    pub fn audio(&self) -> &[u8; SOUND_SAMPLES] {
        self.console.sound()
    }

    /// The actions with an effect in this game, by number.
    pub fn minimal_actions(&self) -> &[Action] {
        &self.game().minimal_actions
    }

    /// The actions that reach the game, by number. Others count as NOOP.
    pub fn legal_actions(&self) -> &[Action] {
        &self.game().legal_actions
    }

    /// The game's definition.
    pub fn game(&self) -> &GameDefinition {
        self.cache.game()
    }

    /// The settings that the ROM was loaded with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
