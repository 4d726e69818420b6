//! The innermost part of an environment: a game on the console, its action set, and the seeded generators.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gym2600_arcade::{
    self as arcade, Action, Arcade, Control, Drawing, GameDefinition, SOUND_SAMPLES, Settings, State, StateError,
    WIDTH, fields,
};

use crate::error::GymError;
use crate::frames::KeptFrames;
use crate::image::{Colours, Grey, Source, copy_rows};
use crate::random::{Mt19937, Pcg64, SeedSequence};
use crate::record::{EpisodeSummary, Info};
use crate::spaces::{Observation, nearest};
use crate::spec::{MAX_FRAMES, MAX_RESET_FRAMES, Seeding};
use crate::transition::{ResetScope, Transition};
use crate::view::{Indices, View};

/// The seeded generators.
#[derive(Debug, Clone)]
pub(crate) struct SeededGenerators {
    /// The generator of Gymnasium's environment, `env.np_random`.
    pub(crate) environment: Pcg64,
    /// The generator of `env.action_space`.
    pub(crate) action_space: Pcg64,
    /// `numpy.random`'s global generator, or a native environment's own.
    pub(crate) twister: Mt19937,
}

fields!(SeededGenerators {
    environment,
    action_space,
    twister
});

/// Plays NOOP, also in games whose action set lacks it.
pub(crate) const NOOP: u32 = u32::MAX;

/// Most bytes of sound that are kept of a call: as many as the longest step has.
const MAX_AUDIO: usize = MAX_FRAMES as usize * SOUND_SAMPLES;

/// The environment without wrappers: a game with its action set, which steps one frame at a time.
pub(crate) struct BaseEnv {
    arcade: Arcade,
    settings: Settings,
    mode: Option<u32>,
    difficulty: Option<u32>,
    actions: Vec<Action>,
    seeding: Seeding,
    observation: Observation,
    colours: &'static Colours,
    /// The grey picture, the RAM or the labels, if they are the observation.
    bytes: Vec<u8>,
    /// Whether `bytes` belongs to the present state.
    current: bool,
    /// The sound of the frames of this call, up to [`MAX_AUDIO`] bytes.
    audio: Vec<u8>,
    /// Plays no frames while it is true.
    interrupt: Option<Arc<AtomicBool>>,
    /// The frames of this call, if they are kept.
    frames: Option<KeptFrames>,
    /// [`Arcade::console_frames`] from which on the reset in progress plays no step; none in a step of the caller.
    last_start_frame: Option<u64>,
    pub(crate) generators: SeededGenerators,
    /// The seed of the load, until something is played.
    pristine: Option<u64>,
    /// The number of resets of the game.
    games: u64,
    /// What was played since the last one.
    summary: EpisodeSummary,
    /// Strength, 0 to 1, of the paddle actions of the current step. It is 1 in resets.
    paddle_strength: f32,
}

/// Options of a [`BaseEnv`].
pub(crate) struct BaseEnvOptions {
    pub(crate) settings: Settings,
    pub(crate) mode: Option<u32>,
    pub(crate) difficulty: Option<u32>,
    pub(crate) full_action_space: bool,
    pub(crate) seeding: Seeding,
    pub(crate) observation: Observation,
    pub(crate) seed: u64,
}

/// ALE's seed and the generators for `seed`.
fn generators(seeding: Seeding, seed: u64) -> (u32, SeededGenerators) {
    let [environment, ale] = SeedSequence::new(seed).pair();
    let generators = SeededGenerators {
        environment: Pcg64::new(u64::from(environment)),
        action_space: Pcg64::new(seed),
        twister: Mt19937::new(seed as u32),
    };
    match seeding {
        Seeding::Gymnasium | Seeding::Gym => (ale, generators),
        Seeding::Native => (seed as u32, generators),
    }
}

/// A copy has nothing of the last call, and belongs to no batch.
impl Clone for BaseEnv {
    fn clone(&self) -> Self {
        Self {
            arcade: self.arcade.clone(),
            settings: self.settings,
            mode: self.mode,
            difficulty: self.difficulty,
            actions: self.actions.clone(),
            seeding: self.seeding,
            observation: self.observation,
            colours: self.colours,
            bytes: self.bytes.clone(),
            current: self.current,
            audio: Vec::new(),
            interrupt: None,
            frames: self.frames.is_some().then(KeptFrames::default),
            last_start_frame: self.last_start_frame,
            generators: self.generators.clone(),
            pristine: self.pristine,
            games: self.games,
            summary: self.summary,
            paddle_strength: self.paddle_strength,
        }
    }
}

impl BaseEnv {
    /// Loads a game. `load` creates the arcade from its settings.
    pub(crate) fn new(
        mut options: BaseEnvOptions,
        load: impl FnOnce(&Settings) -> Result<Arcade, GymError>,
    ) -> Result<Self, GymError> {
        let (random_seed, generators) = generators(options.seeding, options.seed);
        options.settings.random_seed = random_seed;
        let mut arcade = load(&options.settings)?;
        select(&mut arcade, options.mode, options.difficulty)?;
        let actions = action_set(arcade.game(), options.full_action_space).to_vec();
        let bytes = match options.observation {
            Observation::Rgb => 0,
            Observation::Grey => arcade.height() * WIDTH,
            Observation::Ram => arcade.ram().len(),
            Observation::Labels => 4 * arcade.variables().count(),
        };
        Ok(Self {
            colours: Colours::of(arcade.palette(), Grey::Ale),
            arcade,
            settings: options.settings,
            mode: options.mode,
            difficulty: options.difficulty,
            actions,
            seeding: options.seeding,
            observation: options.observation,
            bytes: vec![0; bytes],
            current: false,
            audio: Vec::new(),
            interrupt: None,
            frames: None,
            last_start_frame: None,
            generators,
            pristine: Some(options.seed),
            games: 0,
            summary: EpisodeSummary::default(),
            paddle_strength: 1.0,
        })
    }

    /// Plays no frames while `interrupt` is true.
    pub(crate) fn interrupt_by(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = Some(interrupt);
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt
            .as_ref()
            .is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
    }

    /// Appends all state that later steps depend on.
    pub(crate) fn save(&mut self, bytes: &mut Vec<u8>) {
        self.arcade.save_to(bytes, arcade::Generators::Included);
        self.settings.random_seed.save(bytes);
        self.bytes.save(bytes);
        self.current.save(bytes);
        self.generators.save(bytes);
        self.pristine.save(bytes);
        self.summary.save(bytes);
    }

    /// Loads the state of [`BaseEnv::save`].
    pub(crate) fn load(&mut self, bytes: &mut &[u8]) -> Result<(), StateError> {
        self.arcade.load_from(bytes, arcade::Generators::Included)?;
        self.settings.random_seed.load(bytes)?;
        self.bytes.load(bytes)?;
        self.current.load(bytes)?;
        self.start_call();
        self.generators.load(bytes)?;
        self.pristine.load(bytes)?;
        Ok(self.summary.load(bytes)?)
    }

    /// Takes over all state of another environment that later steps depend on.
    pub(crate) fn copy_from(&mut self, other: &Self) -> Result<(), StateError> {
        self.arcade.copy_from(&other.arcade, arcade::Generators::Included)?;
        self.settings.random_seed = other.settings.random_seed;
        self.bytes.clone_from(&other.bytes);
        self.current = other.current;
        self.start_call();
        self.generators.clone_from(&other.generators);
        self.pristine = other.pristine;
        self.summary = other.summary;
        Ok(())
    }

    /// Seeds all generators and loads the game again, as each Python package does for a reset with a seed.
    pub(crate) fn seed(&mut self, seed: u64) {
        if self.pristine == Some(seed) {
            return;
        }
        let (random_seed, generators) = generators(self.seeding, seed);
        self.settings.random_seed = random_seed;
        self.generators = generators;
        self.arcade
            .reload(&self.settings)
            .expect("a game that was loaded can be loaded again with another seed");
        select(&mut self.arcade, self.mode, self.difficulty)
            .expect("mode and difficulty were accepted when the game was loaded first");
        self.pristine = Some(seed);
        self.current = false;
    }

    /// ALE's `reset_game`, after seeding if a seed is given. It does nothing if only the wrappers are reset.
    pub(crate) fn reset(&mut self, reset: ResetScope) {
        self.paddle_strength = 1.0;
        let ResetScope::Game { seed } = reset else { return };
        if let Some(seed) = seed {
            self.seed(seed);
        }
        self.arcade.reset_game();
        self.games += 1;
        self.summary = EpisodeSummary::default();
        self.pristine = None;
        self.current = false;
    }

    /// One frame of an action, by its index in the action set, or of [`NOOP`]. It is not played in a reset of too many frames.
    pub(crate) fn step(&mut self, action: u32, drawing: Drawing) -> Transition {
        if self.start_is_over() || self.is_interrupted() {
            return Transition::default();
        }
        let control = Control {
            action: match action {
                NOOP => Action::Noop,
                index => self.actions[index as usize],
            },
            strength: self.paddle_strength,
        };
        let drawing = if self.frames.is_some() {
            Drawing::Immediate
        } else {
            drawing
        };
        let before = self.arcade.episode_frame_number();
        let reward = self.arcade.act_both([control, Control::default()], drawing);
        self.summary.reward += f64::from(reward);
        // A game that is over plays no frame.
        let frames = self.arcade.episode_frame_number().wrapping_sub(before);
        self.summary.frames = self.summary.frames.saturating_add(frames);
        self.pristine = None;
        self.current = false;
        if self.settings.sound_obs && self.audio.len() < MAX_AUDIO {
            self.audio.extend_from_slice(self.arcade.audio());
        }
        if let Some(frames) = &mut self.frames {
            frames.keep(&mut self.arcade, f64::from(reward));
        }
        Transition {
            reward: f64::from(reward),
            raw_reward: f64::from(reward),
            terminated: self.arcade.game_over(),
            truncated: self.arcade.game_truncated(),
            ..Transition::default()
        }
    }

    /// The number of resets of the game. A wrapper compares it to find out whether its reset reached the game.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Counts a step of the agent.
    pub(crate) fn count_step(&mut self) {
        self.summary.length = self.summary.length.saturating_add(1);
    }

    /// What was played since the last reset of the game.
    pub(crate) fn summary(&self) -> EpisodeSummary {
        self.summary
    }

    /// The observation of the console.
    pub(crate) fn view(&mut self) -> View<'_> {
        match self.observation {
            Observation::Rgb => View::Indices(Indices::of(self.arcade.screen())),
            Observation::Grey => {
                if !self.current {
                    let pixels = self.arcade.screen();
                    copy_rows(
                        &Source::Grey {
                            pixels,
                            colours: self.colours,
                        },
                        WIDTH,
                        &mut self.bytes,
                    );
                    self.current = true;
                }
                View::Bytes(&self.bytes)
            }
            Observation::Ram => View::Bytes(self.arcade.ram()),
            Observation::Labels => {
                let labels = self.bytes.as_chunks_mut().0.iter_mut();
                for (label, (_, value)) in labels.zip(self.arcade.variables()) {
                    *label = nearest(value).to_le_bytes();
                }
                View::Bytes(&self.bytes)
            }
        }
    }

    /// The info besides the observation.
    pub(crate) fn info(&self) -> Info {
        Info::of(&self.arcade)
    }

    pub(crate) fn arcade(&self) -> &Arcade {
        &self.arcade
    }

    pub(crate) fn arcade_mut(&mut self) -> &mut Arcade {
        &mut self.arcade
    }

    /// Writes a byte of RAM.
    pub(crate) fn set_ram(&mut self, index: u8, value: u8) {
        self.arcade.set_ram(index, value);
        self.pristine = None;
    }

    /// Sets the strength of the paddle actions up to the next reset.
    pub(crate) fn set_paddle_strength(&mut self, strength: f32) {
        self.paddle_strength = strength;
    }

    pub(crate) fn audio(&self) -> &[u8] {
        &self.audio
    }

    /// Keeps the frames of each call from now on.
    pub(crate) fn keep_frames(&mut self) {
        self.frames.get_or_insert_default();
    }

    pub(crate) fn frames(&self) -> Option<&KeptFrames> {
        self.frames.as_ref()
    }

    /// Starts a call of the environment: forgets sound and frames of the last one.
    pub(crate) fn start_call(&mut self) {
        self.audio.clear();
        if let Some(frames) = &mut self.frames {
            frames.clear();
        }
    }

    /// Begins a reset, in which at most [`MAX_RESET_FRAMES`] frames are played before the last step ends.
    pub(crate) fn begin_reset(&mut self) {
        self.last_start_frame = Some(self.arcade.console_frames() + u64::from(MAX_RESET_FRAMES));
    }

    /// Ends a reset: what follows are the caller's steps.
    pub(crate) fn end_reset(&mut self) {
        self.last_start_frame = None;
    }

    /// Whether this reset has so many frames that the steps before its episode must end.
    pub(crate) fn start_is_over(&self) -> bool {
        self.last_start_frame
            .is_some_and(|last| self.arcade.console_frames() >= last)
    }

    pub(crate) fn actions(&self) -> &[Action] {
        &self.actions
    }

    pub(crate) fn lives(&self) -> i32 {
        self.arcade.lives()
    }
}

/// The actions of an environment.
pub(crate) fn action_set(game: &GameDefinition, full_action_space: bool) -> &[Action] {
    if full_action_space {
        &game.legal_actions
    } else {
        &game.minimal_actions
    }
}

fn select(arcade: &mut Arcade, mode: Option<u32>, difficulty: Option<u32>) -> Result<(), GymError> {
    if let Some(mode) = mode {
        arcade.set_mode(mode)?;
    }
    if let Some(difficulty) = difficulty {
        arcade.set_difficulty(difficulty)?;
    }
    Ok(())
}
