//! Refusals as JavaScript sees them.

use gym2600_js::{code_of, thrown};
use gym2600_learn::LearnError;
use wasm_bindgen::JsValue;

/// What is thrown: an `Error` with a code, or what a game threw, as it was.
pub struct Thrown(JsValue);

impl From<LearnError> for Thrown {
    fn from(error: LearnError) -> Self {
        let code = match &error {
            LearnError::Environment(error) => code_of(error),
            LearnError::NoRewards { .. } | LearnError::Endless { .. } => "bad-game",
            LearnError::Game(_) => "bad-saved-state",
            LearnError::Option { .. } | LearnError::Resumed { .. } | LearnError::Observation { .. } => "bad-option",
            LearnError::Misfit { .. } | LearnError::File { .. } => "bad-weights",
            LearnError::NotFinite { .. } | LearnError::NotFiniteOutput => "not-finite",
        };
        Self(thrown(code, &error.to_string()))
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
