//! Refusals as JavaScript sees them.

use gym2600_gym::ErrorDetails;
use gym2600_js::detailed;
use gym2600_learn::LearnError;
use wasm_bindgen::JsValue;

/// What is thrown: an `Error` with a code, or what a game threw, as it was.
pub struct Thrown(JsValue);

impl From<LearnError> for Thrown {
    fn from(error: LearnError) -> Self {
        let code = match &error {
            LearnError::Environment(error) => error.code(),
            LearnError::NoRewards { .. } | LearnError::Endless { .. } => "bad-game",
            LearnError::Game(_) => "bad-saved-state",
            LearnError::Option { .. } | LearnError::Resumed { .. } | LearnError::Observation { .. } => "bad-option",
            LearnError::Misfit { .. } | LearnError::File { .. } => "bad-weights",
            LearnError::NotFinite { .. } | LearnError::NotFiniteOutput => "not-finite",
        };
        let details = match &error {
            LearnError::Environment(error) => error.details(),
            LearnError::Option { option, reason } => ErrorDetails::of_option(option, reason),
            _ => ErrorDetails::default(),
        };
        Self(detailed(code, &error.to_string(), &details))
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
