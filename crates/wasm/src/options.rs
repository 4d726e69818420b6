//! Options as they come from JavaScript.

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

use crate::plain::{Subject, read};

const OPTIONS: Subject = Subject {
    code: "bad-option",
    whole: "options",
    key: "option ",
};

/// Reads the options of an environment or of a bare console.
pub(crate) fn options<T: DeserializeOwned + Serialize>(value: &JsValue) -> Result<T, JsValue> {
    read(&without_definition(value), &OPTIONS)
}

/// Options without `game`, which [`definition`](crate::definition::definition) reads.
fn without_definition(options: &JsValue) -> JsValue {
    if !options.is_object() || Array::is_array(options) {
        return options.clone();
    }
    let rest = Object::assign(&Object::new(), options.unchecked_ref());
    let deleted = Reflect::delete_property(&rest, &"game".into());
    debug_assert!(deleted.is_ok(), "a new object can be changed");
    rest.into()
}
