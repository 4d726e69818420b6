#![doc = include_str!("../README.md")]

mod data;
mod error;
mod mistake;
mod read;

pub use error::{code_of, from_gym, from_load, thrown};
pub use read::options;

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Data as plain objects, arrays, strings, numbers and `null`.
pub fn write(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}
