//! Options as JSON.
//!
//! An error names the option at fault, and of a list of wrappers the one at fault.

use gym2600_gym::Wrapper;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::value_error;

/// Reads options of which each may be absent.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| {
        let options: Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
        let mut faults = options.into_iter().filter_map(|(name, value)| fault::<T>(&name, value));
        value_error(faults.next().unwrap_or_else(|| error.to_string()))
    })
}

/// What is wrong with an option, if anything.
fn fault<T: DeserializeOwned>(name: &str, value: Value) -> Option<String> {
    if let (Value::Array(wrappers), "wrappers") = (&value, name) {
        return wrappers.iter().enumerate().find_map(|(place, wrapper)| {
            let error = serde_json::from_value::<Wrapper>(wrapper.clone()).err()?;
            Some(format!("option wrappers[{place}] is {wrapper}: {error}"))
        });
    }
    let text = value.to_string();
    let alone = Map::from_iter([(name.to_owned(), value)]);
    let error = serde_json::from_value::<T>(Value::Object(alone)).err()?;
    // The definition of a game has a name of its own in Python, where `game` is the ROM.
    let name = if name == "game" { "definition" } else { name };
    Some(format!("option {name} is {text}: {error}"))
}
