//! Plain data: JavaScript's objects to Rust's types and back, by serde-wasm-bindgen.

use js_sys::{Array, JsString, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::thrown;

/// Levels of objects and arrays within data. An object that contains itself has more.
const MAX_DEPTH: usize = 8;
/// Entries of an array.
const MAX_LENGTH: u32 = 10_000;

/// What data is, for messages.
pub(crate) struct Subject {
    /// The error code.
    pub(crate) code: &'static str,
    /// What all the data is called.
    pub(crate) whole: &'static str,
    /// What stands before the path of a key.
    pub(crate) key: &'static str,
}

impl Subject {
    /// An error that names a key path, or all the data where the path is empty.
    fn refuse(&self, path: &str, reason: &str) -> JsValue {
        match path.trim_start_matches('.') {
            "" => thrown(self.code, &format!("{}: {reason}", self.whole)),
            path => thrown(self.code, &format!("{}{path}: {reason}", self.key)),
        }
    }
}

/// Reads data. An error names the key path and the value at fault.
pub(crate) fn read<T: DeserializeOwned + Serialize>(value: &JsValue, subject: &Subject) -> Result<T, JsValue> {
    let refuse = |(path, reason): (String, String)| subject.refuse(&path, &reason);
    check_size(value, "", MAX_DEPTH).map_err(refuse)?;
    let read = |value: &JsValue| serde_wasm_bindgen::from_value::<T>(value.clone()).map_err(|error| reason(&error));
    let data = read(value).map_err(|reason| {
        let path = path_at_fault(value, &reason, &|value| read(value).err());
        subject.refuse(&path, &reason)
    })?;
    // serde-wasm-bindgen asks an object for the keys of the type, and does not see others.
    check_keys(value, &write(&data)?, "").map_err(refuse)?;
    Ok(data)
}

/// The reason why serde refuses data. What JavaScript itself throws is about an array or an object that is none.
fn reason(error: &serde_wasm_bindgen::Error) -> String {
    let text = error.to_string();
    let reason = text.strip_prefix("Error: ");
    reason.unwrap_or("an array or an object is expected").to_owned()
}

/// Writes data as plain objects, arrays, strings, numbers and `null`.
pub(crate) fn write(data: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(data.serialize(&Serializer::json_compatible())?)
}

/// The entries of an object or an array, with their paths below `path`.
fn entries(value: &JsValue, path: &str) -> impl Iterator<Item = (JsString, JsValue, String)> {
    let is_array = Array::is_array(value);
    let entries = value
        .is_object()
        .then(|| Object::entries(value.unchecked_ref::<Object>()));
    entries.into_iter().flatten().map(move |entry| {
        let entry: Array = entry.unchecked_into();
        let key: JsString = entry.get(0).unchecked_into();
        let inner = if is_array {
            format!("{path}[{key}]")
        } else {
            format!("{path}.{key}")
        };
        (key, entry.get(1), inner)
    })
}

/// Refuses what would take long to read, or forever. Gives the path and the reason.
fn check_size(value: &JsValue, path: &str, levels: usize) -> Result<(), (String, String)> {
    if levels == 0 {
        return Err((path.into(), format!("nested in more than {MAX_DEPTH} levels")));
    }
    if value
        .dyn_ref::<Array>()
        .is_some_and(|array| array.length() > MAX_LENGTH)
    {
        return Err((path.into(), format!("an array of more than {MAX_LENGTH} entries")));
    }
    entries(value, path).try_for_each(|(_, value, path)| check_size(&value, &path, levels - 1))
}

/// Refuses keys that data does not have when it is written again. Gives the path and the reason.
fn check_keys(value: &JsValue, written: &JsValue, path: &str) -> Result<(), (String, String)> {
    // A wrapper's name stands for an object.
    if !written.is_object() {
        return Ok(());
    }
    entries(value, path).try_for_each(|(key, value, path)| {
        if !Reflect::has(written, &key).unwrap_or(false) {
            let known = Object::keys(written.unchecked_ref::<Object>()).join(", ");
            return Err((path, format!("unknown; the keys here are {known}")));
        }
        let written = Reflect::get(written, &key).unwrap_or(JsValue::NULL);
        check_keys(&value, &written, &path)
    })
}

/// The path of the innermost entry for which data is refused: without it, data is accepted or refused for another reason. `reason_of`
/// gives the reason why data is refused.
fn path_at_fault(data: &JsValue, reason: &str, reason_of: &dyn Fn(&JsValue) -> Option<String>) -> String {
    for (key, entry, path) in entries(data, "") {
        let at_fault = match reason_of(&with_entry(data, &key, None)) {
            None => true,
            Some(other) => other != reason && !other.contains("missing field"),
        };
        if at_fault {
            return path + &path_at_fault(&entry, reason, &|entry| reason_of(&with_entry(data, &key, Some(entry))));
        }
    }
    String::new()
}

/// A copy of an object or an array with another value of an entry, or without the entry.
fn with_entry(data: &JsValue, key: &JsString, entry: Option<&JsValue>) -> JsValue {
    let copy: JsValue = match (data.dyn_ref::<Array>(), entry) {
        (Some(array), None) => {
            let index = String::from(key).parse().unwrap_or(0);
            array
                .slice(0, index)
                .concat(&array.slice(index + 1, array.length()))
                .into()
        }
        (Some(array), Some(_)) => array.slice(0, array.length()).into(),
        (None, _) => Object::assign(&Object::new(), data.unchecked_ref()).into(),
    };
    // A copy of plain data can be changed.
    let changed = match entry {
        Some(entry) => Reflect::set(&copy, key, entry),
        None if Array::is_array(&copy) => Ok(true),
        None => Reflect::delete_property(copy.unchecked_ref::<Object>(), key),
    };
    debug_assert!(changed.is_ok());
    copy
}
