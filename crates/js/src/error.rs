//! Errors as JavaScript sees them.

use gym2600_gym::{ErrorDetails, GymError};
use js_sys::{Error, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::write;

/// An `Error` with this message and `code`, one of the package's (see its `errors.ts`).
pub fn thrown(code: &str, message: &str) -> JsValue {
    detailed(code, message, &ErrorDetails::default())
}

/// As [`thrown`], with the details as properties, which the package's `ErrorDetails` names.
pub fn detailed(code: &str, message: &str, details: &ErrorDetails) -> JsValue {
    let error = Error::new(message);
    let set = Reflect::set(&error, &"code".into(), &code.into());
    debug_assert!(set.is_ok(), "a new error can be extended");
    let details = write(details).expect("details are texts and small numbers");
    Object::assign(&error, details.unchecked_ref()).into()
}

/// `error` as a JavaScript error.
pub fn from_gym(error: &GymError) -> JsValue {
    detailed(error.code(), &error.to_string(), &error.details())
}
