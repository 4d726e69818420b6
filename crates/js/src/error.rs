//! Errors as JavaScript sees them.

use gym2600_arcade::LoadError;
use gym2600_gym::GymError;
use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// An `Error` with this message and `code`, one of the package's (see its `errors.ts`).
pub fn thrown(code: &str, message: &str) -> JsValue {
    let error = Error::new(message).into();
    let set = Reflect::set(&error, &"code".into(), &code.into());
    debug_assert!(set.is_ok(), "a new error can be extended");
    error
}

/// `error` as a JavaScript error.
pub fn from_gym(error: &GymError) -> JsValue {
    thrown(code_of(error), &error.to_string())
}

/// `error` as a JavaScript error.
pub fn from_load(error: &LoadError) -> JsValue {
    thrown(load_code(error), &error.to_string())
}

/// The code of an environment's error.
pub fn code_of(error: &GymError) -> &'static str {
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
        GymError::Lane { error, .. } => code_of(error),
    }
}

fn load_code(error: &LoadError) -> &'static str {
    match error {
        LoadError::Cartridge(_) => "bad-rom-size",
        LoadError::UnknownRom { .. } => "unknown-rom",
        LoadError::OtherRom { .. } | LoadError::Definition(_) | LoadError::Mode(_) => "bad-game",
    }
}
