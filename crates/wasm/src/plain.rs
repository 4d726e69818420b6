//! Plain data as JavaScript's values, both ways.
//!
//! What is asked of the engine is imported here and not taken from js-sys: with that crate come 60 functions for closures that nobody
//! calls, 5 kB of the module.

use gym2600_gym::plain::Value;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(inline_js = "
export const isArray = Array.isArray;
export const keys = Object.keys;
export const length = (array) => array.length;
export const at = (array, index) => array[index];
export const get = (object, key) => object[key];
export const set = (object, key, value) => { object[key] = value; };
export const newArray = () => [];
export const push = (array, value) => { array.push(value); };
export const newObject = () => ({});
export const newError = (message) => new Error(message);
")]
extern "C" {
    #[wasm_bindgen(js_name = isArray)]
    fn is_array(value: &JsValue) -> bool;
    fn keys(object: &JsValue) -> JsValue;
    fn length(array: &JsValue) -> u32;
    fn at(array: &JsValue, index: u32) -> JsValue;
    fn get(object: &JsValue, key: &JsValue) -> JsValue;
    /// Gives an object a field.
    pub(crate) fn set(object: &JsValue, key: &str, value: JsValue);
    #[wasm_bindgen(js_name = newArray)]
    fn new_array() -> JsValue;
    fn push(array: &JsValue, value: JsValue);
    #[wasm_bindgen(js_name = newObject)]
    fn new_object() -> JsValue;
    /// An `Error` with a message.
    #[wasm_bindgen(js_name = newError)]
    pub(crate) fn new_error(message: &str) -> JsValue;
}

/// The whole numbers that a double tells from their neighbours are below this.
const SAFE: f64 = 9_007_199_254_740_992.0;

/// How deep the deepest value of any options is: `options.wrappers[0].n`. An object may lie within itself, so none is looked at deeper.
const DEEPEST: u32 = 3;

/// What a value of JavaScript says.
pub(crate) fn value(from: &JsValue) -> Value {
    value_within(from, DEEPEST)
}

/// The same down to so many levels.
fn value_within(from: &JsValue, levels: u32) -> Value {
    if let Some(value) = from.as_bool() {
        Value::Bool(value)
    } else if let Some(number) = from.as_f64() {
        if number.abs() < SAFE && number.fract() == 0.0 {
            Value::Whole(number as i64)
        } else {
            Value::Real(number)
        }
    } else if let Some(text) = from.as_string() {
        Value::Text(text.into())
    } else if from.is_object() && levels == 0 {
        Value::Foreign
    } else if is_array(from) {
        let entry = |index| value_within(&at(from, index), levels - 1);
        Value::List((0..length(from)).map(entry).collect())
    } else if from.is_object() {
        let keys = keys(from);
        let entry = |index| {
            let key = at(&keys, index);
            let value = value_within(&get(from, &key), levels - 1);
            (key.as_string().unwrap_or_default().into(), value)
        };
        Value::Object((0..length(&keys)).map(entry).collect())
    } else if from.is_null() || from.is_undefined() {
        Value::Null
    } else {
        i64::try_from(from.clone()).map_or(Value::Foreign, Value::Whole)
    }
}

/// `value` for JavaScript.
pub(crate) fn js(value: Value) -> JsValue {
    match value {
        Value::Null | Value::Foreign => JsValue::NULL,
        Value::Bool(value) => value.into(),
        #[allow(clippy::cast_precision_loss, reason = "it was a double or is small")]
        Value::Whole(number) => (number as f64).into(),
        Value::Real(number) => number.into(),
        Value::Text(text) => (&*text).into(),
        Value::List(entries) => {
            let array = new_array();
            for entry in entries {
                push(&array, js(entry));
            }
            array
        }
        Value::Object(fields) => {
            let object = new_object();
            for (key, field) in fields {
                set(&object, &key, js(field));
            }
            object
        }
    }
}
