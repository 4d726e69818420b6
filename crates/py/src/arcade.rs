//! The class `Arcade`: what `gym2600.ALEInterface` has when a ROM is loaded.

use std::sync::Arc;

use gym2600_arcade::definition::RawSwitch;
use gym2600_arcade::{Action, Arcade, ConsoleSwitches, Control, Drawing, GameDefinition, Generators};
use gym2600_gym::ArcadeOptions;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{Alone, bytes_of, lost, refused, value_error, writable};
use crate::gate::detached;
use crate::job::{Held, Missing, caught};
use crate::{memory, options};

/// An act plays so many frames between two looks for signals.
const FRAMES_BETWEEN_SIGNALS: u32 = 1_000;

/// `gym2600_arcade::Arcade` for Python. Calls of several threads at the same time are errors.
#[pyclass(module = "gym2600._gym2600", name = "Arcade", frozen)]
pub(crate) struct PyArcade {
    arcade: Alone<Held<Arcade>>,
}

impl PyArcade {
    fn read<R>(&self, job: impl FnOnce(&Arcade) -> R) -> PyResult<R> {
        let arcade = self.arcade.get("a console")?;
        arcade.get().map(job).map_err(missing)
    }

    /// Changes the console, without which later calls are errors if `job` panics.
    fn change<R>(&self, job: impl FnOnce(&mut Arcade) -> R) -> PyResult<R> {
        self.arcade.get("a console")?.change(job).map_err(missing)
    }
}

/// The error of a call after a panic. A console never leaves its thread.
fn missing(why: Missing) -> PyErr {
    match why {
        Missing::Lost(message) => lost("the console", &message),
        Missing::Away => lost("the console", "it is away"),
    }
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
        memory::check_console()?;
        let settings = options.settings().map_err(refused)?;
        let definition = match &options.game {
            Some(raw) => Some(Arc::new(GameDefinition::new(raw).map_err(refused)?)),
            None => None,
        };
        let load = || match definition {
            Some(definition) => Arcade::load_as(rom, definition, &settings),
            None => Arcade::load(rom, &settings),
        };
        let arcade = caught(|| detached(py, load)).map_err(|message| lost("loading the ROM", &message))?;
        Ok(Self {
            arcade: Alone::new(Held::Here(arcade.map_err(refused)?)),
        })
    }

    /// Plays an action a number of times and returns the sum of the rewards. A signal handler that raises ends it between two frames.
    fn act(&self, py: Python<'_>, action: u32, strength: f32, times: u32) -> PyResult<i64> {
        let action = Action::from_number(action).map_err(value_error)?;
        let controls = [Control { action, strength }, Control::default()];
        self.change(|arcade| {
            let (mut reward, mut left) = (0, times);
            loop {
                let now = left.min(FRAMES_BETWEEN_SIGNALS);
                reward += detached(py, || {
                    (0..now)
                        .map(|_| i64::from(arcade.act_both(controls, Drawing::OnDemand)))
                        .sum::<i64>()
                });
                left -= now;
                if left == 0 {
                    return Ok(reward);
                }
                py.check_signals()?;
            }
        })?
    }

    fn reset_game(&self, py: Python<'_>) -> PyResult<()> {
        self.change(|arcade| detached(py, || arcade.reset_game()))?;
        self.read(|arcade| match arcade.mode_error() {
            None => Ok(()),
            Some(error) => Err(refused(error)),
        })?
    }

    fn game_over(&self) -> PyResult<bool> {
        self.read(Arcade::game_over)
    }

    fn game_truncated(&self) -> PyResult<bool> {
        self.read(Arcade::game_truncated)
    }

    fn lives(&self) -> PyResult<i32> {
        self.read(Arcade::lives)
    }

    fn frame_number(&self) -> PyResult<u32> {
        self.read(Arcade::frame_number)
    }

    fn episode_frame_number(&self) -> PyResult<u32> {
        self.read(Arcade::episode_frame_number)
    }

    #[getter]
    fn mode(&self) -> PyResult<u32> {
        self.read(Arcade::mode)
    }

    #[setter]
    fn set_mode(&self, mode: u32) -> PyResult<()> {
        self.change(|arcade| arcade.set_mode(mode))?.map_err(refused)
    }

    #[getter]
    fn difficulty(&self) -> PyResult<u32> {
        self.read(Arcade::difficulty)
    }

    #[setter]
    fn set_difficulty(&self, difficulty: u32) -> PyResult<()> {
        self.change(|arcade| arcade.set_difficulty(difficulty))?
            .map_err(refused)
    }

    fn modes(&self) -> PyResult<Vec<u32>> {
        self.read(|arcade| arcade.game().modes.clone())
    }

    fn difficulties(&self) -> PyResult<Vec<u32>> {
        self.read(|arcade| arcade.game().difficulties.clone())
    }

    fn minimal_actions(&self) -> PyResult<Vec<u32>> {
        self.read(|arcade| numbers(arcade.minimal_actions()))
    }

    fn legal_actions(&self) -> PyResult<Vec<u32>> {
        self.read(|arcade| numbers(arcade.legal_actions()))
    }

    /// The catalogue's name of the game.
    fn rom_name(&self) -> PyResult<String> {
        self.read(|arcade| arcade.game().rom.clone())
    }

    fn height(&self) -> PyResult<usize> {
        self.read(Arcade::height)
    }

    /// Writes the picture's palette indices.
    fn screen(&self, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.change(|arcade| copy(arcade.screen(), out))?
    }

    /// Writes the picture in colour.
    fn screen_rgb(&self, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.change(|arcade| {
            let palette = arcade.palette();
            write(arcade.screen(), &palette.rgb, out)
        })?
    }

    /// Writes the picture in ALE's grey.
    fn screen_grey(&self, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.change(|arcade| {
            let greys = arcade.palette().gray.map(|grey| [grey]);
            write(arcade.screen(), &greys, out)
        })?
    }

    fn ram(&self, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.read(|arcade| copy(arcade.ram(), out))?
    }

    fn set_ram(&self, index: u8, value: u8) -> PyResult<()> {
        self.change(|arcade| arcade.set_ram(index, value))
    }

    /// The variables of the game's rules by name.
    fn variables(&self) -> PyResult<Vec<(String, i64)>> {
        self.read(|arcade| {
            arcade
                .variables()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()
        })
    }

    /// The least and the greatest value of each variable, in their order.
    fn variable_bounds(&self) -> PyResult<Vec<(i64, i64)>> {
        self.read(|arcade| {
            let bounds = arcade.game().variable_bounds().into_iter();
            bounds.map(|bounds| (bounds.least, bounds.greatest)).collect()
        })
    }

    /// Sets the console's switches. A difficulty switch is "A", "B", or None, which leaves it where the difficulty has it.
    fn set_switches(
        &self,
        select: bool,
        reset: bool,
        black_and_white: bool,
        left_difficulty: Option<&str>,
        right_difficulty: Option<&str>,
    ) -> PyResult<()> {
        let switches = ConsoleSwitches {
            select,
            reset,
            black_and_white,
            left_difficulty: left_difficulty.map(position).transpose()?,
            right_difficulty: right_difficulty.map(position).transpose()?,
        };
        self.change(|arcade| arcade.set_switches(switches))
    }

    /// Writes the sound of the last act.
    fn audio(&self, out: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<()> {
        let mut out = writable(out)?;
        let out = bytes_of(&mut out)?;
        self.read(|arcade| copy(arcade.audio(), out))?
    }

    /// A console that plays on by itself from the present state.
    fn fork(&self) -> PyResult<Self> {
        memory::check_console()?;
        let arcade = self.read(Arcade::clone)?;
        Ok(Self {
            arcade: Alone::new(Held::Here(arcade)),
        })
    }

    /// Continues from the state of another console of the same game, with or without what sticky actions depend on.
    fn copy_from(&self, other: &Self, include_rng: bool) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let other = other.arcade.get("a console")?;
        let other = other.get().map_err(missing)?;
        self.change(|arcade| arcade.copy_from(other, generators(include_rng)))?
            .map_err(value_error)
    }

    /// The state as bytes.
    fn save<'py>(&self, py: Python<'py>, include_rng: bool) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.change(|arcade| arcade.save(generators(include_rng)))?;
        Ok(PyBytes::new(py, &state))
    }

    /// Restores a state that was saved with the same `include_rng`.
    fn restore(&self, state: &[u8], include_rng: bool) -> PyResult<()> {
        self.change(|arcade| arcade.restore(state, generators(include_rng)))?
            .map_err(value_error)
    }
}

/// The position of a difficulty switch.
fn position(name: &str) -> PyResult<RawSwitch> {
    match name {
        "A" => Ok(RawSwitch::A),
        "B" => Ok(RawSwitch::B),
        _ => Err(value_error(format!(
            "a difficulty switch is at A or B, not at {name:?}"
        ))),
    }
}

fn numbers(actions: &[Action]) -> Vec<u32> {
    actions.iter().map(|action| action.number().into()).collect()
}
