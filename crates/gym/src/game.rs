//! One environment.

mod save;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gym2600_arcade::{Arcade, ConsoleSwitches, Drawing};

use crate::base_env::{BaseEnv, BaseEnvOptions};
use crate::builder;
use crate::error::GymError;
use crate::frames::{Frame, KeptFrames};
use crate::image::{Colours, Grey};
use crate::options::GameOptions;
use crate::record::{Info, StepRecord};
use crate::resolve::check_seed;
use crate::setup::Setup;
use crate::spaces::Space;
use crate::spec::{Seeding, Spec};
use crate::transition::ResetScope;
use crate::view::View;
use crate::wrappers::{Env, Layer, Layout};

/// An environment: an arcade inside its wrappers.
///
/// A clone plays on as its original, byte for byte, and neither changes the other. It has no sound and no frames until its first step. A
/// clone is also a state for memory, to which [`Game::copy_from`] goes back: it is not compressed, unlike the bytes of [`Game::save`].
///
/// # Examples
/// A ROM of one's own, with a list of wrappers in place of a preset:
/// ```
/// use gym2600_gym::spec::{ImagePreprocessing, QueueFrames, SkipFrames};
/// use gym2600_gym::{Game, GameOptions, Wrapper};
///
/// # let rom = gym2600_arcade::WALLOP; // std::fs::read("breakout.bin")?
/// let options = GameOptions {
///     wrappers: Some(vec![
///         Wrapper::SkipFrames(SkipFrames::default()),
///         Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
///         Wrapper::QueueFrames(QueueFrames::default()),
///     ]),
///     seed: Some(7),
///     ..GameOptions::default()
/// };
/// let mut game = Game::new(rom, &options)?;
/// println!("{game:?}: {:?}", game.action_names());
///
/// game.restart(None)?;
/// let before = game.clone();
/// let record = game.advance(1)?;
/// println!("{} points, {} lives", record.reward, record.info.lives);
/// game.copy_from(&before)?;
/// assert_eq!(game.advance(1)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Game {
    base: BaseEnv,
    layers: Vec<Box<dyn Layer>>,
    layout: Layout,
    /// For an outermost observation of palette indices.
    colours: &'static Colours,
    spec: Arc<Spec>,
    /// The seed of a first reset without one.
    seed: u64,
    phase: Phase,
    resets_itself: bool,
    keeps_final_observations: bool,
}

impl fmt::Debug for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Game")
            .field("game", &self.spec.game)
            .field("preset", &self.spec.preset)
            .field("observation", &self.layout.space)
            .field("phase", &self.phase)
            .field("info", &self.info())
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the first reset.
    New,
    Running,
    /// After an end, in an environment that does not reset itself.
    Ended,
}

impl Game {
    /// Loads a ROM and puts the wrappers around it. The first [`Game::reset`] starts the first episode.
    ///
    /// # Errors
    /// [`GymError`] naming the option, wrapper or byte at fault.
    pub fn new(rom: &[u8], options: &GameOptions) -> Result<Self, GymError> {
        let Setup {
            mut spec,
            seed,
            settings,
            definition,
        } = Setup::of(options)?;
        let base_options = BaseEnvOptions {
            settings,
            mode: spec.mode,
            difficulty: spec.difficulty,
            full_action_space: spec.full_action_space,
            seeding: spec.seeding,
            observation: spec.observation,
            seed,
        };
        let base = BaseEnv::new(base_options, |settings| {
            Ok(match definition {
                Some(definition) => Arcade::load_as(rom, definition, settings)?,
                None => Arcade::load(rom, settings)?,
            })
        })?;
        spec.game.clone_from(&base.arcade().game().rom);
        let arcade = base.arcade();
        let mut layout = builder::console_layout(spec.observation, arcade.height(), arcade.game())?;
        let layers = builder::build(&spec.wrappers, base.actions(), arcade.palette(), &mut layout)?;
        Ok(Self {
            colours: Colours::of(base.arcade().palette(), Grey::Ale),
            resets_itself: spec.resets_itself(),
            base,
            layers,
            layout,
            spec: Arc::new(spec),
            seed,
            phase: Phase::New,
            keeps_final_observations: false,
        })
    }

    /// Layout and type of an observation.
    pub fn observation_space(&self) -> &Space {
        &self.layout.space
    }

    /// Bytes of an observation.
    pub fn observation_len(&self) -> usize {
        self.layout.space.len()
    }

    /// Number of actions; an action is a number below it.
    pub fn action_count(&self) -> usize {
        self.base.actions().len()
    }

    /// ALE's names of the actions.
    pub fn action_names(&self) -> Vec<&'static str> {
        self.base.actions().iter().map(|action| action.name()).collect()
    }

    /// The resolved options: preset, settings and the list of wrappers.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The arcade inside the wrappers, for its picture, palette and memory.
    pub fn arcade(&self) -> &Arcade {
        self.base.arcade()
    }

    /// The arcade inside the wrappers, mutable: reading its picture may draw it.
    pub fn arcade_mut(&mut self) -> &mut Arcade {
        self.base.arcade_mut()
    }

    /// Writes the byte `index & 127` of the console's RAM. A reset with a seed starts from a new console, without it.
    pub fn set_ram(&mut self, index: u8, value: u8) {
        self.base.set_ram(index, value);
    }

    /// Sets the console's switches for all frames from now on but those of resets. They are no part of a saved state.
    pub fn set_switches(&mut self, switches: ConsoleSwitches) {
        self.base.arcade_mut().set_switches(switches);
    }

    /// The sound of all frames of the last step or reset, one after the other, as ALE's `getAudio` has it for each:
    /// [`gym2600_arcade::SOUND_SAMPLES`] samples, 128 being silence, of at most 10,000 frames. Empty without
    /// [`GameOptions::sound_obs`], and after [`Game::restore`].
    pub fn audio(&self) -> &[u8] {
        self.base.audio()
    }

    /// From now on, keeps the frames of each step and reset for [`Game::frames`]. It changes no observation, reward or state. It costs
    /// the memory of the frames, and the drawing and copying of those that no observation shows.
    pub fn keep_frames(&mut self) {
        self.base.keep_frames();
    }

    /// The frames of the last step or reset, the oldest first: those that a wrapper skips, and the no-ops and presses of FIRE of a
    /// reset, too. None without [`Game::keep_frames`], and after [`Game::restore`]. A step has up to 10,000 frames; the newest
    /// [`crate::MAX_KEPT_FRAMES`] are kept. The frames in which the game itself resets are not among them. After the game's end the
    /// console stands still, and the frames that a wrapper goes on to play repeat the last one.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.base.frames().map(KeptFrames::iter).into_iter().flatten()
    }

    /// Whether an ended episode is followed by the next one without a call of [`Game::reset`].
    pub fn resets_itself(&self) -> bool {
        self.resets_itself
    }

    /// Starts an episode and writes its first observation.
    ///
    /// With a seed everything starts as in a new environment of that seed. Without one the generators continue; the first
    /// reset uses the seed of the options.
    ///
    /// # Errors
    /// [`GymError::Buffer`] or [`GymError::Option`], before anything has changed. [`GymError::ModeNotReached`] where a game of
    /// the caller's definition did not reach its mode; the environment is then as new.
    pub fn reset(&mut self, seed: Option<u64>, observation: &mut [u8]) -> Result<Info, GymError> {
        self.check_buffer(observation)?;
        let info = self.restart(seed)?;
        self.show(observation);
        Ok(info)
    }

    /// [`Game::reset`] without writing the observation: [`Game::observation`] has it.
    ///
    /// # Errors
    /// As [`Game::reset`], except [`GymError::Buffer`].
    pub fn restart(&mut self, seed: Option<u64>) -> Result<Info, GymError> {
        if let Some(seed) = seed {
            check_seed(seed, self.spec.seeding)?;
        }
        let seed = match self.phase {
            Phase::New => Some(seed.unwrap_or(self.seed)),
            Phase::Running | Phase::Ended => seed,
        };
        let mut passed_on = ResetScope::Game { seed };
        if let Some(seed) = seed {
            self.layers.iter_mut().for_each(|layer| layer.renew());
            if self.spec.seeding != Seeding::Gymnasium {
                self.base.seed(seed);
                passed_on = ResetScope::AGAIN;
            }
        }
        if self.resets_itself {
            self.layers.iter_mut().for_each(|layer| layer.leave_game());
        }
        self.base.start_call();
        self.env().start_episode(passed_on);
        self.phase = Phase::Running;
        self.check_mode()?;
        Ok(self.info())
    }

    /// Plays an action and writes the observation that follows.
    ///
    /// # Errors
    /// [`GymError::Action`], [`GymError::Buffer`], [`GymError::ResetNeeded`] or [`GymError::EpisodeEnded`], before anything
    /// has changed. [`GymError::ModeNotReached`], as for [`Game::reset`], where the step reset the game.
    pub fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<StepRecord, GymError> {
        self.step_with_strength(action, 1.0, observation)
    }

    /// [`Game::step`] with the strength, 0 to 1, at which the action turns a paddle.
    ///
    /// # Errors
    /// As [`Game::step`], and [`GymError::Option`] for a strength that is not from 0 to 1.
    pub fn step_with_strength(
        &mut self,
        action: u32,
        strength: f32,
        observation: &mut [u8],
    ) -> Result<StepRecord, GymError> {
        self.check_buffer(observation)?;
        let record = self.advance_with_strength(action, strength)?;
        self.show(observation);
        Ok(record)
    }

    /// [`Game::step`] without writing the observation: [`Game::observation`] has it.
    ///
    /// # Errors
    /// As [`Game::step`], except [`GymError::Buffer`].
    pub fn advance(&mut self, action: u32) -> Result<StepRecord, GymError> {
        self.advance_with_strength(action, 1.0)
    }

    /// [`Game::advance`] with the strength, 0 to 1, at which the action turns a paddle. Resets within the step have full strength.
    ///
    /// # Errors
    /// As [`Game::advance`], and [`GymError::Option`] for a strength that is not from 0 to 1.
    pub fn advance_with_strength(&mut self, action: u32, strength: f32) -> Result<StepRecord, GymError> {
        self.check_step_with_strength(action, strength)?;
        self.advance_checked(action, strength)
    }

    /// Ends the steps of a batch while `interrupt` is true.
    pub(crate) fn interrupt_by(&mut self, interrupt: Arc<AtomicBool>) {
        self.base.interrupt_by(interrupt);
    }

    /// [`Game::step_with_strength`] of what has been checked. Without a buffer, [`Game::observe`] writes the observation.
    pub(crate) fn step_checked(
        &mut self,
        action: u32,
        strength: f32,
        observation: Option<&mut [u8]>,
    ) -> Result<StepRecord, GymError> {
        let record = self.advance_checked(action, strength)?;
        if self.base.is_interrupted() {
            self.phase = Phase::New;
            return Err(GymError::ResetNeeded);
        }
        if let Some(observation) = observation {
            self.show(observation);
        }
        Ok(record)
    }

    /// [`Game::advance_with_strength`] of what has been checked.
    fn advance_checked(&mut self, action: u32, strength: f32) -> Result<StepRecord, GymError> {
        self.base.start_call();
        self.base.set_paddle_strength(strength);
        let transition = self.env().step(action, Drawing::Immediate);
        if transition.ended() && !self.resets_itself {
            self.phase = Phase::Ended;
        }
        self.check_mode()?;
        Ok(StepRecord {
            reward: transition.reward,
            raw_reward: transition.raw_reward,
            terminated: transition.terminated,
            truncated: transition.truncated,
            real_done: transition.is_real_done(),
            info: self.info(),
            episode: transition.episode,
            final_info: self.final_info(),
        })
    }

    /// From now on, keeps the last observation of each episode if the next one starts in the same step: Gymnasium's `final_obs`.
    /// It costs the memory of one observation and a copy at an episode's end. Without `AutoReset` in the same step it has no effect:
    /// the step that ends an episode then shows its last observation.
    pub fn keep_final_observations(&mut self) {
        let Self {
            layers,
            layout,
            colours,
            keeps_final_observations,
            ..
        } = self;
        *keeps_final_observations = true;
        if let Some(layer) = layers.last_mut() {
            layer.keep_final_observations(layout, colours);
        }
    }

    /// The observation with which the last step ended an episode, if the next one has started in that step and
    /// [`Game::keep_final_observations`] was called before. Its bytes stay at one address.
    pub fn final_observation(&self) -> Option<&[u8]> {
        let last = self.layers.last().filter(|_| self.keeps_final_observations);
        last?.final_observation()
    }

    /// The variables of the rules by name in the present state, such as `score` and `lives`: labels of the observation.
    pub fn variables(&self) -> impl Iterator<Item = (&str, i64)> {
        self.base.arcade().variables()
    }

    /// The variables with which the last step ended an episode, if the next one has started in that step: those of
    /// [`StepRecord::final_info`].
    pub fn final_variables(&self) -> Option<impl Iterator<Item = (&str, i64)>> {
        let values = self.layers.last()?.final_variables()?;
        let names = self.variables().map(|(name, _)| name);
        Some(names.zip(values.iter().copied()))
    }

    fn final_info(&self) -> Option<Info> {
        self.layers.last()?.final_info()
    }

    /// Writes the present observation: of the last step or reset, or of the restored state.
    ///
    /// # Errors
    /// [`GymError::Buffer`]
    pub fn observe(&mut self, observation: &mut [u8]) -> Result<(), GymError> {
        self.check_buffer(observation)?;
        self.show(observation);
        Ok(())
    }

    /// The bytes of the observation as a ring, and the index of its first byte. `room` holds a copy if the environment does not keep
    /// the observation as bytes.
    pub fn observation<'a>(&'a mut self, room: &'a mut Vec<u8>) -> (&'a [u8], usize) {
        if !matches!(self.env().view(), View::Ring(..)) {
            room.resize(self.observation_len(), 0);
            self.show(room);
            return (room, 0);
        }
        match self.env().into_view() {
            View::Ring(bytes, start) => (bytes, start),
            View::Bytes(_) | View::Indices(_) => unreachable!("two views of one state have the same form"),
        }
    }

    /// The lives and frame counters of the present state.
    pub fn info(&self) -> Info {
        self.base.info()
    }

    /// Whether `step(action, ..)` would be accepted.
    ///
    /// # Errors
    /// As [`Game::step`], except [`GymError::Buffer`].
    pub fn check_step(&self, action: u32) -> Result<(), GymError> {
        match self.phase {
            Phase::New => return Err(GymError::ResetNeeded),
            Phase::Ended => return Err(GymError::EpisodeEnded),
            Phase::Running => {}
        }
        let count = self.action_count();
        if action as usize >= count {
            return Err(GymError::Action { action, count });
        }
        Ok(())
    }

    /// [`Game::check_step`] for an action with a strength.
    pub(crate) fn check_step_with_strength(&self, action: u32, strength: f32) -> Result<(), GymError> {
        self.check_step(action)?;
        if !(0.0..=1.0).contains(&strength) {
            return Err(GymError::Strength(strength));
        }
        Ok(())
    }

    /// Reports a reset that did not reach the game's mode.
    fn check_mode(&mut self) -> Result<(), GymError> {
        match self.base.arcade().mode_error() {
            None => Ok(()),
            Some(error) => {
                self.phase = Phase::New;
                Err(error.into())
            }
        }
    }

    fn check_buffer(&self, observation: &[u8]) -> Result<(), GymError> {
        let needed = self.observation_len();
        if observation.len() != needed {
            return Err(GymError::Buffer {
                given: observation.len(),
                needed,
            });
        }
        Ok(())
    }

    fn env(&mut self) -> Env<'_> {
        Env {
            base: &mut self.base,
            layers: &mut self.layers,
        }
    }

    fn show(&mut self, observation: &mut [u8]) {
        let row_len = self.layout.row_len();
        let view = Env {
            base: &mut self.base,
            layers: &mut self.layers,
        }
        .into_view();
        view.write(self.colours, row_len, observation);
    }
}
