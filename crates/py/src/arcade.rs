//! The class `Arcade`: what `gym2600.ALEInterface` has when a ROM is loaded.

use std::sync::Arc;

use gym2600_arcade::{Action, Arcade, Control, Drawing, GameDefinition, Generators};
use gym2600_gym::ArcadeOptions;
use numpy::PyReadwriteArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{bytes_of, value_error};
use crate::gate::detached;
use crate::options;

/// `gym2600_arcade::Arcade` for Python.
#[pyclass(module = "gym2600._gym2600", name = "Arcade")]
pub(crate) struct PyArcade {
    arcade: Arcade,
}

fn generators(include_rng: bool) -> Generators {
    if include_rng {
        Generators::Included
    } else {
        Generators::Excluded
    }
}

/// Writes one value for each of `pixels`.
fn write<const N: usize>(pixels: &[u8], colours: &[[u8; N]; 256], out: &mut [u8]) -> PyResult<()> {
    check(out.len(), pixels.len() * N)?;
    for (value, pixel) in out.chunks_exact_mut(N).zip(pixels) {
        value.copy_from_slice(&colours[usize::from(*pixel)]);
    }
    Ok(())
}

fn copy(bytes: &[u8], out: &mut [u8]) -> PyResult<()> {
    check(out.len(), bytes.len())?;
    out.copy_from_slice(bytes);
    Ok(())
}

fn check(given: usize, needed: usize) -> PyResult<()> {
    if given == needed {
        return Ok(());
    }
    Err(value_error(format!(
        "the array has {given} bytes, and {needed} are needed"
    )))
}

#[pymethods]
impl PyArcade {
    /// Loads a ROM with options in JSON.
    #[new]
    fn new(py: Python<'_>, rom: &[u8], options: &str) -> PyResult<Self> {
        let options: ArcadeOptions = options::read(options)?;
        let settings = options.settings().map_err(value_error)?;
        let arcade = match &options.game {
            Some(raw) => {
                let definition = Arc::new(GameDefinition::new(raw).map_err(value_error)?);
                detached(py, || Arcade::load_as(rom, definition, &settings))
            }
            None => detached(py, || Arcade::load(rom, &settings)),
        };
        Ok(Self {
            arcade: arcade.map_err(value_error)?,
        })
    }

    /// Plays an action a number of times and returns the sum of the rewards.
    fn act(&mut self, py: Python<'_>, action: u32, strength: f32, times: u32) -> PyResult<i64> {
        let action = Action::from_number(action).map_err(value_error)?;
        let controls = [Control { action, strength }, Control::default()];
        let arcade = &mut self.arcade;
        Ok(detached(py, || {
            let mut reward = 0;
            for _ in 0..times {
                reward += i64::from(arcade.act_both(controls, Drawing::OnDemand));
            }
            reward
        }))
    }

    fn reset_game(&mut self, py: Python<'_>) -> PyResult<()> {
        let arcade = &mut self.arcade;
        detached(py, || arcade.reset_game());
        match self.arcade.mode_error() {
            None => Ok(()),
            Some(error) => Err(value_error(error)),
        }
    }

    fn game_over(&self) -> bool {
        self.arcade.game_over()
    }

    fn game_truncated(&self) -> bool {
        self.arcade.game_truncated()
    }

    fn lives(&self) -> i32 {
        self.arcade.lives()
    }

    fn frame_number(&self) -> u32 {
        self.arcade.frame_number()
    }

    fn episode_frame_number(&self) -> u32 {
        self.arcade.episode_frame_number()
    }

    #[getter]
    fn mode(&self) -> u32 {
        self.arcade.mode()
    }

    #[setter]
    fn set_mode(&mut self, mode: u32) -> PyResult<()> {
        self.arcade.set_mode(mode).map_err(value_error)
    }

    #[getter]
    fn difficulty(&self) -> u32 {
        self.arcade.difficulty()
    }

    #[setter]
    fn set_difficulty(&mut self, difficulty: u32) -> PyResult<()> {
        self.arcade.set_difficulty(difficulty).map_err(value_error)
    }

    fn modes(&self) -> Vec<u32> {
        self.arcade.game().modes.clone()
    }

    fn difficulties(&self) -> Vec<u32> {
        self.arcade.game().difficulties.clone()
    }

    fn minimal_actions(&self) -> Vec<u32> {
        numbers(self.arcade.minimal_actions())
    }

    fn legal_actions(&self) -> Vec<u32> {
        numbers(self.arcade.legal_actions())
    }

    /// The catalogue's name of the game.
    fn rom_name(&self) -> &str {
        &self.arcade.game().rom
    }

    fn height(&self) -> usize {
        self.arcade.height()
    }

    /// Writes the picture's palette indices.
    fn screen(&mut self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        copy(self.arcade.screen(), bytes_of(&mut out)?)
    }

    /// Writes the picture in colour.
    fn screen_rgb(&mut self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let palette = self.arcade.palette();
        write(self.arcade.screen(), &palette.rgb, bytes_of(&mut out)?)
    }

    /// Writes the picture in ALE's grey.
    fn screen_grey(&mut self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let palette = self.arcade.palette();
        let greys = palette.gray.map(|grey| [grey]);
        write(self.arcade.screen(), &greys, bytes_of(&mut out)?)
    }

    fn ram(&self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        copy(self.arcade.ram(), bytes_of(&mut out)?)
    }

    fn set_ram(&mut self, index: u8, value: u8) {
        self.arcade.set_ram(index, value);
    }

    /// Writes the sound of the last act.
    fn audio(&self, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        copy(self.arcade.audio(), bytes_of(&mut out)?)
    }

    /// The state as bytes.
    fn save<'py>(&mut self, py: Python<'py>, include_rng: bool) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.arcade.save(generators(include_rng)))
    }

    /// Restores a state that was saved with the same `include_rng`.
    fn restore(&mut self, state: &[u8], include_rng: bool) -> PyResult<()> {
        self.arcade.restore(state, generators(include_rng)).map_err(value_error)
    }
}

fn numbers(actions: &[Action]) -> Vec<u32> {
    actions.iter().map(|action| action.number().into()).collect()
}
