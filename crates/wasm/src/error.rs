//! Errors as JavaScript sees them.

use gym2600_arcade::LoadError;
use gym2600_arcade::definition::{DefinitionError, Place};
use gym2600_gym::GymError;
use wasm_bindgen::JsValue;

use crate::plain::{new_error, set};

/// An `Error` with this message and `code`.
pub(crate) fn thrown(code: &str, message: &str) -> JsValue {
    let error = new_error(message);
    set(&error, "code", code.into());
    error
}

/// What `error` is to JavaScript.
pub(crate) fn from_gym(error: &GymError) -> JsValue {
    match error {
        GymError::Definition(error) => from_definition(error),
        _ => thrown(gym_code(error), &error.to_string()),
    }
}

/// What `error` is to JavaScript: with `line`, `column` and `reason`, for a definition that was an object before it was a text.
pub(crate) fn from_definition(error: &DefinitionError) -> JsValue {
    let value = thrown("bad-game", &error.to_string());
    if let Place::File { position, .. } = &error.place {
        set(&value, "line", (position.line as u32).into());
        set(&value, "column", (position.column as u32).into());
        set(&value, "reason", error.problem.to_string().into());
    }
    value
}

/// What `error` is to JavaScript.
pub(crate) fn from_load(error: &LoadError) -> JsValue {
    thrown(load_code(error), &error.to_string())
}

fn gym_code(error: &GymError) -> &'static str {
    match error {
        GymError::Load(error) => load_code(error),
        GymError::Definition(_) | GymError::ModeNotReached(_) => "bad-game",
        GymError::Mode(_)
        | GymError::Difficulty(_)
        | GymError::UnknownPreset { .. }
        | GymError::PresetAndWrappers { .. }
        | GymError::Wrapper { .. }
        | GymError::Option { .. } => "bad-option",
        GymError::Action { .. } | GymError::Batch { .. } => "bad-action",
        GymError::Buffer { .. } => "bad-buffer",
        GymError::ResetNeeded | GymError::EpisodeEnded => "bad-state",
        GymError::Lane { error, .. } => gym_code(error),
    }
}

fn load_code(error: &LoadError) -> &'static str {
    match error {
        LoadError::Cartridge(_) => "bad-rom-size",
        LoadError::UnknownRom { .. } => "unknown-rom",
        LoadError::OtherRom { .. } | LoadError::Definition(_) | LoadError::Mode(_) => "bad-game",
    }
}
