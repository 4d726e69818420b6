#![doc = include_str!("../README.md")]

mod data;
mod error;

pub use error::{detailed, from_gym, thrown};

use gym2600_gym::GymError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Reads options: those of an environment, of ALE's interface or of a training run.
///
/// # Errors
/// `bad-option`, or `bad-game` in the option `game`, with the path. The message begins with it: `option wrappers[1].n: ` or
/// `game.rules.frame: `.
pub fn options<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    let copy = data::copy(value).map_err(GymError::from);
    copy.and_then(gym2600_gym::data::Data::options)
        .map_err(|error| from_gym(&error))
}

/// Data as plain objects, arrays, strings, numbers and `null`.
pub fn write(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
