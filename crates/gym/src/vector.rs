//! A batch of environments.

use std::fmt;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::builder::RAM_SIZE;
use crate::error::GymError;
use crate::game::Game;
use crate::lane_threads::LaneThreads;
use crate::options::GameOptions;
use crate::record::{Info, StepRecord};
use crate::resolve::check_seed;
use crate::setup::Setup;
use crate::spaces::Space;
use crate::spec::{AutoReset, AutoresetMode, Seeding, Spec, Wrapper};

/// Seeds of a batch: the first of consecutive numbers, or one for each environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Seeds {
    /// Environment `i` gets `seed + i`. With old Gym's seeding every environment gets `seed`, as in `nature_dqn_env`.
    Number(u64),
    /// One seed for each environment.
    List(Vec<u64>),
}

impl Seeds {
    /// The seed of every environment.
    fn resolve(&self, lanes: usize, seeding: Seeding) -> Result<Vec<u64>, GymError> {
        let seeds: Vec<u64> = match self {
            Self::Number(seed) if seeding == Seeding::Gym => vec![*seed; lanes],
            Self::Number(seed) => (0..lanes as u64).map(|lane| seed.saturating_add(lane)).collect(),
            Self::List(seeds) if seeds.len() == lanes => seeds.clone(),
            Self::List(seeds) => {
                let reason = format!(
                    "seed has length {} but must have length equal to numEnvs which is {lanes}",
                    seeds.len()
                );
                return Err(GymError::Option { option: "seed", reason });
            }
        };
        seeds.iter().try_for_each(|seed| check_seed(*seed, seeding))?;
        Ok(seeds)
    }
}

/// Options of a [`VectorEnv`].
#[derive(Debug, Clone, PartialEq)]
pub struct VectorOptions {
    /// Options of every environment. Their `seed` is not used. The default of `autoreset`, if the list of wrappers has none, is a
    /// reset in the step after an end.
    pub game: GameOptions,
    /// Number of environments.
    pub num_envs: usize,
    /// Their seeds (`Seeds::Number(0)`).
    pub seeds: Option<Seeds>,
}

/// Environments of one game. They are played in the caller's thread unless `VectorEnv::set_threads` is called.
///
/// # Examples
/// Only the lanes of some environments, from the same start in each:
/// ```
/// use gym2600_gym::{AutoresetMode, GameOptions, Info, Seeds, StepRecord, VectorEnv, VectorOptions};
///
/// # let rom = gym2600_arcade::WALLOP; // std::fs::read("breakout.bin")?
/// let game = GameOptions { preset: Some("labml".into()), autoreset: Some(AutoresetMode::SameStep), ..GameOptions::default() };
/// let mut envs = VectorEnv::new(rom, &VectorOptions { game, num_envs: 4, seeds: Some(Seeds::Number(0)) })?;
///
/// let mut observations = vec![0; envs.observations_len()];
/// envs.reset(None, None, &mut observations, &mut [Info::default(); 4])?;
/// for lane in 1..envs.num_envs() {
///     envs.copy_lane(0, lane)?;
/// }
///
/// let half = envs.observations_len() / 2;
/// let mut records = [StepRecord::default(); 2];
/// envs.play(Some(&[1, 3]), &[2, 3], None, &mut observations[..half], &mut records)?;
/// assert_eq!(envs.games()[0].info().frame_number, 0);
/// # Ok::<(), gym2600_gym::GymError>(())
/// ```
pub struct VectorEnv {
    games: Vec<Game>,
    threads: LaneThreads,
}

impl fmt::Debug for VectorEnv {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("VectorEnv")
            .field("num_envs", &self.games.len())
            .field("game", &self.games[0])
            .finish_non_exhaustive()
    }
}

impl VectorEnv {
    /// The most environments of a batch, far above what a machine can use. A mistyped number is refused instead of ending the process.
    pub const MAX_ENVS: usize = 10_000;

    /// Makes the environments.
    ///
    /// # Errors
    /// [`GymError`] as for [`Game::new`], or for the number of environments or seeds.
    pub fn new(rom: &[u8], options: &VectorOptions) -> Result<Self, GymError> {
        let num_envs = options.num_envs;
        if !(1..=Self::MAX_ENVS).contains(&num_envs) {
            return Err(GymError::Option {
                option: "numEnvs",
                reason: format!("{num_envs} is not from 1 to {}", Self::MAX_ENVS),
            });
        }
        let mut game = options.game.clone();
        let Setup { spec, .. } = Setup::of(&game)?;
        if game.autoreset.is_none() && !spec.resets_itself() {
            game.autoreset = Some(AutoresetMode::NextStep);
        }
        let seeds = options
            .seeds
            .clone()
            .unwrap_or(Seeds::Number(0))
            .resolve(num_envs, spec.seeding)?;
        let mut games = Vec::with_capacity(seeds.len());
        for seed in seeds {
            games.push(Game::new(
                rom,
                &GameOptions {
                    seed: Some(seed),
                    ..game.clone()
                },
            )?);
        }
        Ok(Self {
            games,
            threads: LaneThreads::default(),
        })
    }

    /// Plays on this many threads from now on, the caller's among them. No result depends on their number. A process made by `fork`
    /// starts threads of its own.
    ///
    /// # Errors
    /// [`GymError::Option`] if the threads cannot be started.
    #[cfg(feature = "threads")]
    pub fn set_threads(&mut self, threads: std::num::NonZero<usize>) -> Result<(), GymError> {
        self.threads.set_threads(threads)
    }

    /// Number of environments.
    pub fn num_envs(&self) -> usize {
        self.games.len()
    }

    /// The environments.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// An environment.
    pub fn game_mut(&mut self, lane: usize) -> Option<&mut Game> {
        self.games.get_mut(lane)
    }

    /// Copies the complete state of lane `from` into lane `to`, as [`Game::copy_from`] does. Each plays on by itself then, and no other lane
    /// changes.
    ///
    /// # Errors
    /// [`GymError::Option`] if there is no such lane. Nothing has changed then.
    pub fn copy_lane(&mut self, from: usize, to: usize) -> Result<(), GymError> {
        let count = self.games.len();
        if let Some(lane) = [from, to].into_iter().find(|lane| *lane >= count) {
            let reason = format!("there is no environment {lane}; there are {count}");
            return Err(GymError::Option { option: "lane", reason });
        }
        if let Ok([from, to]) = self.games.get_disjoint_mut([from, to]) {
            to.copy_from(from)
                .expect("the environments of a batch have one ROM and the same options");
        }
        Ok(())
    }

    /// Ends steps between two frames while `interrupt` is true. Such a step is [`GymError::ResetNeeded`], and environments that have not
    /// finished it need a reset.
    pub fn interrupt_by(&mut self, interrupt: &Arc<AtomicBool>) {
        for game in &mut self.games {
            game.interrupt_by(Arc::clone(interrupt));
        }
    }

    /// Calls [`Game::keep_final_observations`] of every environment. [`Game::final_observation`] of a lane's game then has the observation
    /// with which its last step ended an episode.
    pub fn keep_final_observations(&mut self) {
        self.games.iter_mut().for_each(Game::keep_final_observations);
    }

    /// Layout and type of an observation of one environment. A batch has one more axis in front.
    pub fn single_observation_space(&self) -> &Space {
        self.games[0].observation_space()
    }

    /// Bytes of a batch of observations.
    pub fn observations_len(&self) -> usize {
        self.games.len() * self.games[0].observation_len()
    }

    /// Number of actions of every environment.
    pub fn action_count(&self) -> usize {
        self.games[0].action_count()
    }

    /// The resolved options of every environment.
    pub fn spec(&self) -> &Spec {
        self.games[0].spec()
    }

    /// When the environments reset.
    pub fn autoreset(&self) -> AutoresetMode {
        match self.spec().wrappers.last() {
            Some(Wrapper::AutoReset(AutoReset { mode })) => *mode,
            _ => AutoresetMode::Disabled,
        }
    }

    /// Resets all environments, or those with `true` in `mask`. Others and their observations stay unchanged.
    ///
    /// # Errors
    /// [`GymError`] for a wrong number of seeds, mask places or bytes, before anything has changed.
    pub fn reset(
        &mut self,
        seeds: Option<&Seeds>,
        mask: Option<&[bool]>,
        observations: &mut [u8],
        infos: &mut [Info],
    ) -> Result<(), GymError> {
        self.check_buffer(observations, self.games.len())?;
        self.restart_with(seeds, mask, infos, Some(observations))
    }

    /// [`VectorEnv::reset`] without writing observations: [`VectorEnv::observe`] writes them.
    ///
    /// # Errors
    /// As [`VectorEnv::reset`], but for the bytes.
    pub fn restart(
        &mut self,
        seeds: Option<&Seeds>,
        mask: Option<&[bool]>,
        infos: &mut [Info],
    ) -> Result<(), GymError> {
        self.restart_with(seeds, mask, infos, None)
    }

    fn restart_with(
        &mut self,
        seeds: Option<&Seeds>,
        mask: Option<&[bool]>,
        infos: &mut [Info],
        observations: Option<&mut [u8]>,
    ) -> Result<(), GymError> {
        let lanes = self.games.len();
        let seeds = seeds
            .map(|seeds| seeds.resolve(lanes, self.spec().seeding))
            .transpose()?;
        if let Some(mask) = mask {
            check_len("reset mask places", mask.len(), lanes)?;
        }
        check_len("places for infos", infos.len(), lanes)?;
        let len = self.games[0].observation_len();
        let games = self
            .games
            .iter_mut()
            .zip(places(observations, len))
            .zip(infos)
            .enumerate();
        self.threads.run(games, lanes, |(lane, ((game, observation), info))| {
            if mask.is_some_and(|mask| !mask[lane]) {
                *info = game.info();
                return Ok(());
            }
            let seed = seeds.as_ref().map(|seeds| seeds[lane]);
            *info = game.restart(seed).map_err(|error| lane_error(lane, error))?;
            observation.map_or(Ok(()), |observation| game.observe(observation))
        })?
    }

    /// Plays one action in every environment.
    ///
    /// # Errors
    /// [`GymError::Batch`] for a wrong number of actions, [`GymError::Lane`] for an action that one environment refuses. No
    /// environment has moved then.
    pub fn step(
        &mut self,
        actions: &[u32],
        observations: &mut [u8],
        records: &mut [StepRecord],
    ) -> Result<(), GymError> {
        self.play(None, actions, None, observations, records)
    }

    /// Plays one action in some environments, or in all of them without `lanes`. `actions` and the other slices have a place for each of
    /// the environments in `lanes`, whose numbers ascend. `strengths`, 0 to 1, say how strongly the actions turn paddles.
    ///
    /// # Errors
    /// As [`VectorEnv::step`], and [`GymError::Option`] for numbers that do not ascend or a strength that is not from 0 to 1.
    pub fn play(
        &mut self,
        lanes: Option<&[usize]>,
        actions: &[u32],
        strengths: Option<&[f32]>,
        observations: &mut [u8],
        records: &mut [StepRecord],
    ) -> Result<(), GymError> {
        self.check_buffer(observations, self.count(lanes))?;
        self.play_with(lanes, actions, strengths, records, Some(observations))
    }

    /// [`VectorEnv::play`] without writing observations: [`VectorEnv::observe`] writes them.
    ///
    /// # Errors
    /// As [`VectorEnv::play`], but for the bytes.
    pub fn advance(
        &mut self,
        lanes: Option<&[usize]>,
        actions: &[u32],
        strengths: Option<&[f32]>,
        records: &mut [StepRecord],
    ) -> Result<(), GymError> {
        self.play_with(lanes, actions, strengths, records, None)
    }

    fn play_with(
        &mut self,
        lanes: Option<&[usize]>,
        actions: &[u32],
        strengths: Option<&[f32]>,
        records: &mut [StepRecord],
        observations: Option<&mut [u8]>,
    ) -> Result<(), GymError> {
        self.check_lanes(lanes)?;
        let count = self.count(lanes);
        check_len("actions", actions.len(), count)?;
        check_len("places for records", records.len(), count)?;
        if let Some(strengths) = strengths {
            check_len("paddle strengths", strengths.len(), count)?;
        }
        let lane = |place: usize| lanes.map_or(place, |lanes| lanes[place]);
        let strength = |place: usize| strengths.map_or(1.0, |strengths| strengths[place]);
        for (place, action) in actions.iter().enumerate() {
            self.games[lane(place)]
                .check_step_with_strength(*action, strength(place))
                .map_err(|error| lane_error(lane(place), error))?;
        }
        let len = self.games[0].observation_len();
        let games = chosen(&mut self.games, lanes)
            .zip(actions)
            .zip(places(observations, len))
            .zip(records)
            .enumerate();
        self.threads
            .run(games, count, |(place, (((game, action), observation), record))| {
                *record = game
                    .step_checked(*action, strength(place), observation)
                    .map_err(|error| lane_error(lane(place), error))?;
                Ok(())
            })?
    }

    /// Writes the present observations of some environments, whose numbers ascend, or of all of them without `lanes`.
    ///
    /// # Errors
    /// [`GymError::Buffer`], and [`GymError::Option`] for numbers that do not ascend.
    pub fn observe(&mut self, lanes: Option<&[usize]>, observations: &mut [u8]) -> Result<(), GymError> {
        self.check_lanes(lanes)?;
        let count = self.count(lanes);
        self.check_buffer(observations, count)?;
        let len = self.games[0].observation_len();
        let games = chosen(&mut self.games, lanes).zip(observations.chunks_exact_mut(len));
        self.threads
            .run(games, count, |(game, observation)| game.observe(observation))?
    }

    /// Writes the RAM of the consoles of some environments, whose numbers ascend, or of all of them without `lanes`: 128 bytes each.
    ///
    /// # Errors
    /// As [`VectorEnv::observe`].
    pub fn ram(&mut self, lanes: Option<&[usize]>, out: &mut [u8]) -> Result<(), GymError> {
        self.check_lanes(lanes)?;
        let count = self.count(lanes);
        check_bytes(out, count * RAM_SIZE)?;
        let games = chosen(&mut self.games, lanes).zip(out.chunks_exact_mut(RAM_SIZE));
        for (game, ram) in games {
            ram.copy_from_slice(game.arcade().ram());
        }
        Ok(())
    }

    /// Number of environments of `lanes`.
    fn count(&self, lanes: Option<&[usize]>) -> usize {
        lanes.map_or(self.games.len(), <[usize]>::len)
    }

    fn check_lanes(&self, lanes: Option<&[usize]>) -> Result<(), GymError> {
        let Some(lanes) = lanes else { return Ok(()) };
        let ascend = lanes.windows(2).all(|pair| pair[0] < pair[1]);
        match lanes.last() {
            Some(last) if !ascend || *last >= self.games.len() => Err(GymError::Option {
                option: "lanes",
                reason: format!("{lanes:?} are not ascending numbers below {}", self.games.len()),
            }),
            _ => Ok(()),
        }
    }

    fn check_buffer(&self, observations: &[u8], lanes: usize) -> Result<(), GymError> {
        check_bytes(observations, lanes * self.games[0].observation_len())
    }
}

/// The games of `lanes`, whose numbers ascend, or all.
fn chosen<'a>(games: &'a mut [Game], lanes: Option<&'a [usize]>) -> impl Iterator<Item = &'a mut Game> + Send {
    games
        .iter_mut()
        .enumerate()
        .filter(move |(lane, _)| lanes.is_none_or(|lanes| lanes.binary_search(lane).is_ok()))
        .map(|(_, game)| game)
}

/// The place of each observation of `len` bytes, or None for each without a buffer.
fn places(observations: Option<&mut [u8]>, len: usize) -> impl Iterator<Item = Option<&mut [u8]>> + Send {
    let mut chunks = observations.map(|bytes| bytes.chunks_exact_mut(len));
    iter::from_fn(move || Some(chunks.as_mut().and_then(Iterator::next)))
}

fn check_bytes(bytes: &[u8], needed: usize) -> Result<(), GymError> {
    if bytes.len() != needed {
        return Err(GymError::Buffer {
            given: bytes.len(),
            needed,
        });
    }
    Ok(())
}

fn check_len(what: &'static str, given: usize, lanes: usize) -> Result<(), GymError> {
    if given != lanes {
        return Err(GymError::Batch { what, given, lanes });
    }
    Ok(())
}

fn lane_error(lane: usize, error: GymError) -> GymError {
    GymError::Lane {
        lane,
        error: Box::new(error),
    }
}
