//! Errors as JavaScript sees them.

use gym2600_gym::{ErrorDetails, GymError};
use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

use crate::write;

/// An `Error` with this message and `code`, one of the package's (see its `errors.ts`).
pub fn thrown(code: &str, message: &str) -> JsValue {
    detailed(code, message, &ErrorDetails::default())
}

/// As [`thrown`], with `details`, an object that the package's `ErrorDetails` describes.
pub fn detailed(code: &str, message: &str, details: &ErrorDetails) -> JsValue {
    let error = Error::new(message).into();
    let details = write(details).expect("details are texts and small numbers");
    for (key, value) in [("code", code.into()), ("details", details)] {
        Reflect::set(&error, &key.into(), &value).expect("a new error can be extended");
    }
    error
}

/// `error` as a JavaScript error.
pub fn from_gym(error: &GymError) -> JsValue {
    detailed(error.code(), &error.to_string(), &error.details())
}
