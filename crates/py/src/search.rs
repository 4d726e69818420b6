//! The class `RamSearch`: the search in RAM behind `gym2600.RamSearch`, and the definition of a game that it leads to.

use std::sync::MutexGuard;

use gym2600_arcade::definition::RawDefinition;
use gym2600_arcade::search::{RamSearch, Seen, define};
use pyo3::prelude::*;

use crate::error::{Alone, refused, value_error};
use crate::gate::detached;
use crate::{memory, options};

/// An expression, and its value where the memory is given and has one.
type Candidate = (String, Option<i64>);

/// A search. Calls of several threads at the same time are errors.
#[pyclass(module = "gym2600._gym2600", name = "RamSearch", frozen)]
pub(crate) struct PyRamSearch {
    search: Alone<RamSearch>,
}

impl PyRamSearch {
    fn search(&self) -> PyResult<MutexGuard<'_, RamSearch>> {
        self.search.get("a search")
    }

    fn see(&self, ram: &[u8], seen: Seen) -> PyResult<()> {
        self.search()?.look(&bytes(ram)?, seen).map_err(value_error)
    }
}

#[pymethods]
impl PyRamSearch {
    #[new]
    fn new() -> Self {
        Self {
            search: Alone::new(RamSearch::new()),
        }
    }

    fn mark(&self, ram: &[u8]) -> PyResult<()> {
        self.search()?.mark(&bytes(ram)?);
        Ok(())
    }

    /// A look at a number with so many digits.
    fn look_at_number(&self, ram: &[u8], value: i64, digits: u8) -> PyResult<()> {
        self.see(ram, Seen::Number { value, digits })
    }

    /// A look that is compared with the one before.
    fn look_at_change(&self, ram: &[u8], change: &str) -> PyResult<()> {
        let seen = match change {
            "changed" => Seen::Changed,
            "unchanged" => Seen::Unchanged,
            "larger" => Seen::Larger,
            "smaller" => Seen::Smaller,
            _ => return Err(value_error(format!("there is no comparison {change:?}"))),
        };
        self.see(ram, seen)
    }

    /// A look at something that is so or not.
    fn look_at_state(&self, ram: &[u8], state: bool) -> PyResult<()> {
        self.see(ram, Seen::State(state))
    }

    fn undo(&self) -> PyResult<bool> {
        Ok(self.search()?.undo())
    }

    fn looks(&self) -> PyResult<usize> {
        Ok(self.search()?.looks())
    }

    /// The likeliest candidates, at most `most`, and the number of all.
    #[pyo3(signature = (most, ram = None))]
    fn candidates(&self, most: usize, ram: Option<&[u8]>) -> PyResult<(Vec<Candidate>, usize)> {
        let ram = ram.map(bytes).transpose()?;
        let search = self.search()?;
        let all = search.candidates();
        let shown = all.iter().take(most);
        let shown = shown.map(|one| (one.to_string(), ram.and_then(|ram| one.value(&ram))));
        Ok((shown.collect(), all.len()))
    }
}

/// The console's RAM.
fn bytes(ram: &[u8]) -> PyResult<[u8; 128]> {
    let wrong = |_| value_error(format!("ram has {} bytes; the console has 128", ram.len()));
    ram.try_into().map_err(wrong)
}

/// The definition of a ROM, as JSON, of what was found, as JSON.
#[pyfunction]
pub(crate) fn define_game(py: Python<'_>, rom: &[u8], found: &str) -> PyResult<String> {
    let found = options::read(found)?;
    memory::check_console()?;
    let definition = detached(py, || define(rom, &found)).map_err(refused)?;
    serde_json::to_string(&definition).map_err(value_error)
}

/// A definition, given as JSON, as text.
#[pyfunction]
pub(crate) fn write_definition(definition: &str) -> PyResult<String> {
    Ok(options::read::<RawDefinition>(definition)?.to_toml())
}
