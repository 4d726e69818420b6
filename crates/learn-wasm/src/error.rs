//! Refusals as JavaScript sees them.

use gym2600_js::detailed;
use gym2600_learn::LearnError;
use wasm_bindgen::JsValue;

/// What is thrown: an `Error` with a code, or what a game threw, as it was.
pub struct Thrown(JsValue);

impl From<LearnError> for Thrown {
    fn from(error: LearnError) -> Self {
        Self(detailed(error.code(), &error.to_string(), &error.details()))
    }
}

impl From<JsValue> for Thrown {
    fn from(value: JsValue) -> Self {
        Self(value)
    }
}

impl From<Thrown> for JsValue {
    fn from(Thrown(value): Thrown) -> Self {
        value
    }
}
