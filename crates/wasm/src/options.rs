//! Options as they come from JavaScript.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::plain::{Subject, read};

const OPTIONS: Subject = Subject {
    code: "bad-option",
    whole: "options",
    key: "option ",
};

/// Reads the options of an environment or of a bare console.
pub(crate) fn options<T: DeserializeOwned + Serialize>(value: &JsValue) -> Result<T, JsValue> {
    read(value, &OPTIONS)
}
