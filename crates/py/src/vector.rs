//! The class `Vector`: the batch behind `gym2600.VectorEnv`, `gym2600.AtariVectorEnv` and `gym2600.make`.

use std::mem;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, MutexGuard};

use gym2600_gym::{Game, GameDescription, GymError, Info, Seeds, StepRecord, VectorEnv, VectorOptions};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{Alone, bytes_of, lost, readable, refused, step_error, value_error, writable};
use crate::gate::{self, detached};
use crate::job::{Held, Missing, caught};
use crate::play::{InFlight, Play, PlayThread, missing, not_sent};
use crate::{interrupt, memory, options};

/// Lives, frame numbers and episode frame numbers.
type Infos<'py> = (
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
);

/// Rewards, raw rewards, terminated, truncated, whether any environment ended an episode, and the infos.
type Step<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    bool,
    Infos<'py>,
);

/// Reward, length and frames of a game.
type Episode = (f64, u32, u32);

/// Place in the batch, whether the game ended, its summary, and the final info: lives, frame number, episode frame number.
type Ending = (usize, bool, Option<Episode>, Option<(i32, u32, u32)>);

/// A variable's name, and its value in each environment.
type Labels<'py> = (String, Bound<'py, PyArray1<i64>>);

/// A batch of environments of one game. Calls of several threads at the same time are errors.
#[pyclass(module = "gym2600._gym2600", frozen)]
pub(crate) struct Vector {
    batch: Alone<Batch>,
}

impl Vector {
    fn batch(&self) -> PyResult<MutexGuard<'_, Batch>> {
        self.batch.get("a batch")
    }
}

struct Batch {
    /// Away between `send` and `recv`.
    play: Held<Box<Play>>,
    thread: Option<PlayThread>,
    infos: Vec<Info>,
    /// Ends the step under way while it is true.
    interrupt: Arc<AtomicBool>,
    /// Whether a step can have so many frames that signals are looked for.
    is_long: bool,
}

impl Batch {
    fn play(&self, name: &'static str) -> PyResult<&Play> {
        let play = self.play.get();
        play.map(Box::as_ref)
            .map_err(|why| missing(why, self.thread.as_ref(), name))
    }

    /// Changes the batch, without which later calls are errors if `job` panics.
    fn change<R>(&mut self, name: &'static str, job: impl FnOnce(&mut Play) -> R) -> PyResult<R> {
        let Self { play, thread, .. } = self;
        play.change(|play| job(play))
            .map_err(|why| missing(why, thread.as_ref(), name))
    }

    /// Changes an environment.
    fn change_game<R>(
        &mut self,
        lane: usize,
        name: &'static str,
        job: impl FnOnce(&mut Game) -> PyResult<R>,
    ) -> PyResult<R> {
        self.change(name, |play| match play.envs.game_mut(lane) {
            Some(game) => job(game),
            None => Err(value_error(format!("there is no environment {lane}"))),
        })?
    }

    /// Ends the thread. A child of `fork` has no thread, and a channel to one may be locked for ever.
    fn end_thread(&mut self) {
        if let Some(thread) = self.thread.take()
            && !thread.is_here()
        {
            mem::forget(thread);
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.end_thread();
    }
}

#[pymethods]
impl Vector {
    /// Makes environments with options in JSON. `threads` includes the thread of the caller.
    #[new]
    #[pyo3(signature = (rom, options, num_envs, threads, seeds = None))]
    fn new(
        py: Python<'_>,
        rom: &[u8],
        options: &str,
        num_envs: usize,
        threads: NonZero<usize>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<Self> {
        let options = VectorOptions {
            game: options::read(options)?,
            num_envs,
            seeds: seeds.map(Seeds::List),
        };
        let described = detached(py, || gym2600_gym::describe(rom, &options.game)).map_err(refused)?;
        memory::check_environments(num_envs, described.observation.len(), threads.get())?;
        let interrupt = Arc::new(AtomicBool::new(false));
        let make = || {
            let mut envs = VectorEnv::new(rom, &options).map_err(refused)?;
            envs.interrupt_by(&interrupt);
            // A thread that the system does not start has no memory for its stack.
            envs.set_threads(threads)
                .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
            envs.keep_final_observations();
            Ok::<_, PyErr>(envs)
        };
        let envs = caught(|| detached(py, make)).map_err(|message| lost("making the batch", &message))??;
        let is_long = (envs.spec().most_frames_per_step() as usize) * num_envs >= interrupt::LONG;
        let batch = Batch {
            interrupt,
            is_long,
            play: Held::Here(Box::new(Play::new(envs))),
            thread: None,
            infos: vec![Info::default(); num_envs],
        };
        Ok(Self {
            batch: Alone::new(batch),
        })
    }

    /// The description of an environment, as JSON.
    fn description(&self) -> PyResult<String> {
        serde_json::to_string(&GameDescription::of(
            &self.batch()?.play("description")?.envs.games()[0],
        ))
        .map_err(value_error)
    }

    /// Resets all environments or those with true in `mask`.
    #[pyo3(signature = (seeds = None, mask = None))]
    fn reset<'py>(&self, py: Python<'py>, seeds: Option<Vec<u64>>, mask: Option<Vec<bool>>) -> PyResult<Infos<'py>> {
        let seeds = seeds.map(Seeds::List);
        let Batch {
            play, thread, infos, ..
        } = &mut *self.batch()?;
        detached(py, || {
            play.change(|play| play.envs.restart(seeds.as_ref(), mask.as_deref(), infos))
        })
        .map_err(|why| missing(why, thread.as_ref(), "reset"))?
        .map_err(refused)?;
        Ok(arrays(py, infos.iter().copied()))
    }

    /// Writes the present observations of all environments, or of those whose ascending numbers are in `lanes`.
    #[pyo3(signature = (observations, lanes = None))]
    fn observe(
        &self,
        py: Python<'_>,
        observations: &Bound<'_, PyArrayDyn<u8>>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let mut batch = self.batch()?;
        let mut observations = writable(observations)?;
        let bytes = bytes_of(&mut observations)?;
        batch
            .change("observe", |play| {
                detached(py, || play.envs.observe(lanes.as_deref(), bytes))
            })?
            .map_err(refused)
    }

    /// Plays an action in all environments, or in those whose ascending numbers are in `lanes`, and writes their observations.
    #[pyo3(signature = (observations, actions, strengths = None, lanes = None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyArrayDyn<u8>>,
        actions: &Bound<'py, PyArray1<i64>>,
        strengths: Option<Vec<f32>>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<Step<'py>> {
        let mut batch = self.batch()?;
        let mut observations = writable(observations)?;
        let bytes = bytes_of(&mut observations)?;
        let actions = readable(actions)?;
        let actions = actions.as_slice().map_err(value_error)?;
        let (interrupt, is_long) = (Arc::clone(&batch.interrupt), batch.is_long);
        batch.change("step", |play| {
            play.set(actions, strengths, lanes)?;
            let mut step = || detached_step(play, bytes);
            if is_long {
                interrupt::played(py, &interrupt, step)?
            } else {
                py.detach(&mut step)
            }
            .map_err(step_error)?;
            Ok(results(py, &play.records))
        })?
    }

    /// Starts a step as `step` plays it, in a thread of its own. Until `recv` there is no other call.
    #[pyo3(signature = (actions, strengths = None, lanes = None))]
    fn send(
        &self,
        actions: &Bound<'_, PyArray1<i64>>,
        strengths: Option<Vec<f32>>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let batch = &mut *self.batch()?;
        let actions = readable(actions)?;
        let actions = actions.as_slice().map_err(value_error)?;
        batch.change("send", |play| play.set(actions, strengths, lanes))??;
        if !batch.thread.as_ref().is_some_and(PlayThread::is_here) {
            batch.end_thread();
        }
        let thread = match &mut batch.thread {
            Some(thread) => thread,
            none => none.insert(PlayThread::start()?),
        };
        match batch.play.take() {
            Ok(play) => thread.send(play),
            Err(why) => return Err(missing(why, batch.thread.as_ref(), "send")),
        }
        Ok(())
    }

    /// Waits for the step that `send` started, and writes its observations where they are wanted. A step that has not begun plays in the
    /// caller's thread, as `step` does, because waking the other thread takes longer than this call.
    #[pyo3(signature = (observations = None))]
    fn recv<'py>(&self, py: Python<'py>, observations: Option<&Bound<'py, PyArrayDyn<u8>>>) -> PyResult<Step<'py>> {
        let batch = &mut *self.batch()?;
        let mut observations = observations.map(writable).transpose()?;
        let bytes = observations.as_mut().map(bytes_of).transpose()?;
        match batch.play.get() {
            Ok(_) => return Err(not_sent()),
            Err(Missing::Away) => {}
            Err(why) => return Err(missing(why, batch.thread.as_ref(), "recv")),
        }
        let thread = match &mut batch.thread {
            Some(thread) if thread.is_here() => thread,
            thread => return Err(missing(Missing::Away, thread.as_ref(), "recv")),
        };
        if !batch.is_long
            && let Some(play) = thread.take_back()
        {
            batch.play = Held::Here(play);
            return batch.change("recv", |play| {
                let step = || match bytes {
                    Some(bytes) => play.step(bytes),
                    None => play.advance(),
                };
                detached(py, step).map_err(step_error)?;
                Ok(results(py, &play.records))
            })?;
        }
        let (step, signal) = thread.recv(py, &batch.interrupt);
        let InFlight { play, result } = match step {
            Ok(step) => step,
            Err(message) => return Err(missing(batch.play.lose(message), Some(thread), "recv")),
        };
        batch.play = Held::Here(play);
        signal?;
        result.map_err(step_error)?;
        batch.change("recv", |play| {
            if let Some(bytes) = bytes {
                detached(py, || play.envs.observe(play.lanes.as_deref(), bytes)).map_err(refused)?;
            }
            Ok(results(py, &play.records))
        })?
    }

    /// The episodes that the last step ended.
    fn endings(&self) -> PyResult<Vec<Ending>> {
        let batch = self.batch()?;
        let records = batch.play("endings")?.records.iter().enumerate();
        Ok(records
            .filter(|(_, record)| ended(record))
            .map(|(place, record)| {
                let episode = record
                    .episode
                    .map(|episode| (episode.reward, episode.length, episode.frames));
                let last = record
                    .final_info
                    .map(|info| (info.lives, info.frame_number, info.episode_frame_number));
                (place, record.real_done, episode, last)
            })
            .collect())
    }

    /// Writes the observation with which the last step of an environment ended an episode, if the next one has started. Returns whether
    /// there is one.
    fn final_observation(&self, lane: usize, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<bool> {
        let batch = self.batch()?;
        let envs = &batch.play("final_observation")?.envs;
        let Some(last) = envs.games().get(lane).and_then(|game| game.final_observation()) else {
            return Ok(false);
        };
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        if out.len() != last.len() {
            return Err(value_error("the array has another size than an observation"));
        }
        out.copy_from_slice(last);
        Ok(true)
    }

    /// Writes the picture of an environment in colour.
    fn render(&self, lane: usize, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.batch()?.change_game(lane, "render", |game| {
            let arcade = game.arcade_mut();
            let palette = arcade.palette();
            let pixels = arcade.screen();
            if out.len() != pixels.len() * 3 {
                return Err(value_error("the array has another size than a picture"));
            }
            for (colour, pixel) in out.chunks_exact_mut(3).zip(pixels) {
                colour.copy_from_slice(&palette.rgb[usize::from(*pixel)]);
            }
            Ok(())
        })
    }

    /// Writes the RAM of all environments, or of those whose ascending numbers are in `lanes`, 128 bytes each.
    #[pyo3(signature = (out, lanes = None))]
    fn ram(&self, py: Python<'_>, out: &Bound<'_, PyArrayDyn<u8>>, lanes: Option<Vec<usize>>) -> PyResult<()> {
        let mut batch = self.batch()?;
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        batch
            .change("ram", |play| detached(py, || play.envs.ram(lanes.as_deref(), out)))?
            .map_err(refused)
    }

    /// The variables of the game's rules by name, each of all environments.
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Vec<Labels<'py>>> {
        let batch = self.batch()?;
        let games = batch.play("variables")?.envs.games();
        let mut columns: Vec<(&str, Vec<i64>)> = games[0].variables().map(|(name, _)| (name, Vec::new())).collect();
        for game in games {
            for ((_, column), (_, value)) in columns.iter_mut().zip(game.variables()) {
                column.push(value);
            }
        }
        let array = |(name, values): (&str, Vec<i64>)| (name.to_owned(), PyArray1::from_vec(py, values));
        Ok(columns.into_iter().map(array).collect())
    }

    /// The variables with which the last step of an environment ended an episode, if the next one has started.
    fn final_variables(&self, lane: usize) -> PyResult<Option<Vec<(String, i64)>>> {
        let batch = self.batch()?;
        let games = batch.play("final_variables")?.envs.games();
        let last = games.get(lane).and_then(Game::final_variables);
        Ok(last.map(|variables| variables.map(|(name, value)| (name.to_owned(), value)).collect()))
    }

    /// Whether the game of each environment is over.
    fn game_over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let batch = self.batch()?;
        let games = batch.play("game_over")?.envs.games();
        Ok(PyArray1::from_iter(
            py,
            games.iter().map(|game| game.arcade().game_over()),
        ))
    }

    /// The state of an environment as bytes.
    fn save<'py>(&self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.batch()?.change_game(lane, "save", |game| Ok(game.save()))?;
        Ok(PyBytes::new(py, &state))
    }

    /// The state of an environment in memory.
    fn clone_state(&self, lane: usize) -> PyResult<GameState> {
        self.batch()?.change_game(lane, "clone_state", |game| {
            memory::check_environments(1, game.observation_len(), 0)?;
            Ok(GameState { game: game.clone() })
        })
    }

    /// Goes back to a state of `clone_state`, of an environment of the same game and options, and writes its observation.
    fn restore_state(&self, lane: usize, state: &GameState, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut batch = self.batch()?;
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        batch.change_game(lane, "restore_state", |game| {
            game.copy_from(&state.game).map_err(value_error)?;
            game.observe(out).map_err(refused)
        })
    }

    /// Copies the state of an environment into another one, and writes its observation.
    fn copy_lane(&self, source: usize, target: usize, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut batch = self.batch()?;
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        batch
            .change("copy_lane", |play| play.envs.copy_lane(source, target))?
            .map_err(refused)?;
        batch.change_game(target, "copy_lane", |game| game.observe(out).map_err(refused))
    }

    /// Restores the state of an environment and writes its observation.
    fn restore(&self, lane: usize, state: &[u8], out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut batch = self.batch()?;
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        batch.change_game(lane, "restore", |game| {
            game.restore(state).map_err(value_error)?;
            game.observe(out).map_err(refused)
        })
    }
}

/// The state of an environment in memory, as `VectorEnv.clone_state` gives it. It is not compressed. For files there is `VectorEnv.save`.
#[pyclass(module = "gym2600._gym2600", frozen)]
pub(crate) struct GameState {
    game: Game,
}

/// Plays a step without the interpreter's lock.
fn detached_step(play: &mut Play, observations: &mut [u8]) -> Result<(), GymError> {
    let _open = gate::open();
    play.step(observations)
}

/// Whether a step ended an episode.
fn ended(record: &StepRecord) -> bool {
    record.terminated || record.truncated
}

fn results<'py>(py: Python<'py>, records: &[StepRecord]) -> Step<'py> {
    (
        PyArray1::from_iter(py, records.iter().map(|record| record.reward)),
        PyArray1::from_iter(py, records.iter().map(|record| record.raw_reward)),
        PyArray1::from_iter(py, records.iter().map(|record| record.terminated)),
        PyArray1::from_iter(py, records.iter().map(|record| record.truncated)),
        records.iter().any(ended),
        arrays(py, records.iter().map(|record| record.info)),
    )
}

fn arrays(py: Python<'_>, infos: impl ExactSizeIterator<Item = Info> + Clone) -> Infos<'_> {
    (
        PyArray1::from_iter(py, infos.clone().map(|info| info.lives)),
        PyArray1::from_iter(py, infos.clone().map(|info| info.frame_number as i32)),
        PyArray1::from_iter(py, infos.map(|info| info.episode_frame_number as i32)),
    )
}
