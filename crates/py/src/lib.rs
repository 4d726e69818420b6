#![doc = include_str!("../README.md")]

mod arcade;
mod error;
mod gate;
mod interrupt;
mod job;
mod memory;
mod options;
mod play;
mod policy;
mod search;
mod vector;
#[allow(unsafe_code, reason = "XLA's interface is one of C")]
mod xla;

use gym2600_arcade::{WALLOP, catalogue};
use gym2600_native::{CompileThread, TierUpThreshold};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use arcade::PyArcade;
use error::{EnvironmentLostError, refused, value_error};
use policy::PyPolicy;
use search::PyRamSearch;
use vector::{GameState, Vector};

/// Name, title, ALE's id or None, and MD5 of every game.
#[pyfunction]
fn games() -> Vec<(&'static str, &'static str, Option<&'static str>, &'static str)> {
    catalogue::games()
        .map(|entry| (entry.rom, entry.title, entry.env_id, entry.md5))
        .collect()
}

/// The name of the game with these bytes or in this zip file, or None.
#[pyfunction]
fn identify(rom: &[u8]) -> Option<&'static str> {
    let rom = gym2600_arcade::rom_of(rom).ok()?;
    catalogue::find_by_md5(&gym2600_arcade::md5(&rom)).map(|entry| entry.rom)
}

/// The ROM of WALLOP.
#[pyfunction]
fn wallop(py: Python<'_>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, WALLOP)
}

/// The description of the environment that options, as JSON, make of a ROM, as JSON.
#[pyfunction]
fn describe(py: Python<'_>, rom: &[u8], options: &str) -> PyResult<String> {
    let options = options::read(options)?;
    let description = gate::detached(py, || gym2600_gym::describe(rom, &options)).map_err(refused)?;
    serde_json::to_string(&description).map_err(value_error)
}

/// The names of the presets.
#[pyfunction]
fn presets() -> Vec<&'static str> {
    gym2600_gym::PRESETS.map(|preset| preset.name).to_vec()
}

/// Runs the program `gym2600` with its arguments, of which the first one is its name, and gives its exit code.
#[pyfunction]
fn program(py: Python<'_>, arguments: Vec<String>) -> u8 {
    gate::detached(py, || gym2600_cli::run(arguments))
}

#[pymodule]
fn _gym2600(module: &Bound<'_, PyModule>) -> PyResult<()> {
    gym2600_native::install(TierUpThreshold::default(), CompileThread::Background);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_ENVS", gym2600_gym::VectorEnv::MAX_ENVS)?;
    module.add("EnvironmentLostError", module.py().get_type::<EnvironmentLostError>())?;
    module.add_class::<PyArcade>()?;
    module.add_class::<Vector>()?;
    module.add_class::<GameState>()?;
    module.add_class::<PyPolicy>()?;
    module.add_class::<PyRamSearch>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(wallop, module)?)?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(presets, module)?)?;
    module.add_function(wrap_pyfunction!(search::define_game, module)?)?;
    module.add_function(wrap_pyfunction!(search::write_definition, module)?)?;
    module.add_function(wrap_pyfunction!(program, module)?)?;
    module.add_function(wrap_pyfunction!(xla::xla_handler, module)?)?;
    module.add_function(wrap_pyfunction!(gate::before_fork, module)?)?;
    module.add_function(wrap_pyfunction!(gate::after_fork, module)?)?;
    Ok(())
}
