//! The class `Vector`: the batch behind `gym2600.VectorEnv`, `gym2600.AtariVectorEnv` and `gym2600.make`.

use std::num::NonZero;

use gym2600_gym::{GameDescription, Info, Seeds, StepRecord, VectorEnv, VectorOptions};
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{bytes_of, value_error};

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

/// Place in the batch, reward and length of an episode, whether the game ended, and the final info: lives, frame number, episode frame number.
type Ending = (usize, f64, u32, bool, Option<(i32, u32, u32)>);

/// A batch of environments of one game.
#[pyclass(module = "gym2600._gym2600")]
pub(crate) struct Vector {
    envs: VectorEnv,
    actions: Vec<u32>,
    records: Vec<StepRecord>,
    infos: Vec<Info>,
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
            game: serde_json::from_str(options).map_err(value_error)?,
            num_envs,
            seeds: seeds.map(Seeds::List),
        };
        let envs = py.detach(|| {
            let mut envs = VectorEnv::new(rom, &options)?;
            envs.set_threads(threads)?;
            envs.keep_final_observations();
            Ok(envs)
        });
        Ok(Self {
            envs: envs.map_err(|error: gym2600_gym::GymError| value_error(error))?,
            actions: Vec::with_capacity(num_envs),
            records: Vec::with_capacity(num_envs),
            infos: vec![Info::default(); num_envs],
        })
    }

    /// The description of an environment, as JSON.
    fn description(&self) -> PyResult<String> {
        serde_json::to_string(&GameDescription::of(&self.envs.games()[0])).map_err(value_error)
    }

    /// Resets all environments or those with true in `mask`, and writes the observations of all.
    #[pyo3(signature = (observations, seeds = None, mask = None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        mut observations: PyReadwriteArrayDyn<'py, u8>,
        seeds: Option<Vec<u64>>,
        mask: Option<Vec<bool>>,
    ) -> PyResult<Infos<'py>> {
        let seeds = seeds.map(Seeds::List);
        let bytes = bytes_of(&mut observations)?;
        let Self { envs, infos, .. } = self;
        py.detach(|| {
            envs.reset(seeds.as_ref(), mask.as_deref(), bytes, infos)?;
            let len = bytes.len() / envs.num_envs();
            for (lane, observation) in bytes.chunks_exact_mut(len).enumerate() {
                if let Some(game) = envs.game_mut(lane)
                    && mask.as_ref().is_some_and(|mask| !mask[lane])
                {
                    game.observe(observation)?;
                }
            }
            Ok(())
        })
        .map_err(|error: gym2600_gym::GymError| value_error(error))?;
        Ok(arrays(py, infos.iter().copied()))
    }

    /// Plays an action in all environments, or in those whose ascending numbers are in `lanes`, and writes their observations.
    #[pyo3(signature = (observations, actions, strengths = None, lanes = None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        mut observations: PyReadwriteArrayDyn<'py, u8>,
        actions: PyReadonlyArray1<'py, i64>,
        strengths: Option<Vec<f32>>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<Step<'py>> {
        let bytes = bytes_of(&mut observations)?;
        let Self {
            envs,
            actions: numbers,
            records,
            ..
        } = self;
        numbers.clear();
        for action in actions.as_slice().map_err(value_error)? {
            // A number beyond 32 bits is refused like one that is too large.
            numbers.push(u32::try_from(*action).unwrap_or(u32::MAX));
        }
        records.resize(numbers.len(), StepRecord::default());
        py.detach(|| envs.play(lanes.as_deref(), numbers, strengths.as_deref(), bytes, records))
            .map_err(value_error)?;
        let records = &*records;
        Ok((
            PyArray1::from_iter(py, records.iter().map(|record| record.reward)),
            PyArray1::from_iter(py, records.iter().map(|record| record.raw_reward)),
            PyArray1::from_iter(py, records.iter().map(|record| record.terminated)),
            PyArray1::from_iter(py, records.iter().map(|record| record.truncated)),
            records.iter().any(|record| record.episode.is_some()),
            arrays(py, records.iter().map(|record| record.info)),
        ))
    }

    /// The episodes that the last step ended.
    fn endings(&self) -> Vec<Ending> {
        let ended = self.records.iter().enumerate();
        ended
            .filter_map(|(place, record)| {
                let episode = record.episode?;
                let last = record
                    .final_info
                    .map(|info| (info.lives, info.frame_number, info.episode_frame_number));
                Some((place, episode.reward, episode.length, record.real_done, last))
            })
            .collect()
    }

    /// Writes the observation with which the last step of an environment ended an episode, if the next one has started. Returns whether
    /// there is one.
    fn final_observation(&self, lane: usize, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<bool> {
        let Some(last) = self.envs.games().get(lane).and_then(|game| game.final_observation()) else {
            return Ok(false);
        };
        let out = bytes_of(&mut out)?;
        if out.len() != last.len() {
            return Err(value_error("the array has another size than an observation"));
        }
        out.copy_from_slice(last);
        Ok(true)
    }

    /// Writes the picture of an environment in colour.
    fn render(&mut self, lane: usize, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let game = self.envs.game_mut(lane).ok_or_else(|| no_lane(lane))?;
        let arcade = game.arcade_mut();
        let palette = arcade.palette();
        let out = bytes_of(&mut out)?;
        let pixels = arcade.screen();
        if out.len() != pixels.len() * 3 {
            return Err(value_error("the array has another size than a picture"));
        }
        for (colour, pixel) in out.chunks_exact_mut(3).zip(pixels) {
            colour.copy_from_slice(&palette.rgb[usize::from(*pixel)]);
        }
        Ok(())
    }

    /// Writes the RAM of all environments, 128 bytes each.
    fn ram(&self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let out = bytes_of(&mut out)?;
        let games = self.envs.games();
        if out.len() != games.len() * 128 {
            return Err(value_error("the array has another size than the RAM"));
        }
        for (ram, game) in out.chunks_exact_mut(128).zip(games) {
            ram.copy_from_slice(game.arcade().ram());
        }
        Ok(())
    }

    /// The state of an environment as bytes.
    fn save<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyBytes>> {
        let game = self.envs.game_mut(lane).ok_or_else(|| no_lane(lane))?;
        Ok(PyBytes::new(py, &game.save()))
    }

    /// Restores the state of an environment and writes its observation.
    fn restore(&mut self, lane: usize, state: &[u8], mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let game = self.envs.game_mut(lane).ok_or_else(|| no_lane(lane))?;
        game.restore(state).map_err(value_error)?;
        game.observe(bytes_of(&mut out)?).map_err(value_error)
    }
}

fn no_lane(lane: usize) -> PyErr {
    value_error(format!("there is no environment {lane}"))
}

fn arrays(py: Python<'_>, infos: impl ExactSizeIterator<Item = Info> + Clone) -> Infos<'_> {
    (
        PyArray1::from_iter(py, infos.clone().map(|info| info.lives)),
        PyArray1::from_iter(py, infos.clone().map(|info| info.frame_number as i32)),
        PyArray1::from_iter(py, infos.map(|info| info.episode_frame_number as i32)),
    )
}
