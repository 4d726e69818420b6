//! Refusals as JavaScript sees them.

use gym2600_js::detailed;
use gym2600_learn::LearnError;
use wasm_bindgen::JsValue;

/// What is thrown: an `Error` with a code, or what a game threw, as it was.
pub struct Thrown(JsValue);

impl From<LearnError> for Thrown {
    fn from(error: LearnError) -> Self {
        let mut details = error.details();
        for name in [&mut details.option, &mut details.path].into_iter().flatten() {
            *name = option_name(name);
        }
        Self(detailed(error.code(), &error.message(option_name), &details))
    }
}

/// A setting of a run as JavaScript calls it.
fn option_name(name: &str) -> String {
    match name {
        "num_envs" => "numEnvs".to_owned(),
        _ => name.replace("hyper_parameters.", "hyperParameters."),
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
