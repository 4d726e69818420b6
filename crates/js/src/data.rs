//! A bounded copy of a JavaScript value.
//!
//! Taking the copy is the only time at which JavaScript runs: each property is read once, and what it throws is caught. (An exception that
//! crosses WebAssembly frames leaves their part of the stack behind.) It takes time in proportion to the data, and no more than the limits
//! allow. An object that contains itself has too many levels.

use js_sys::{ArrayBuffer, JsString, Map, Reflect, Set};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::mistake::Mistake;

/// Levels of objects and arrays.
const MAX_DEPTH: usize = 8;
/// Entries of all objects and arrays together.
const MAX_ENTRIES: u32 = 10_000;
/// UTF-16 code units of all strings and keys together.
const MAX_TEXT: u32 = 256 * 1024;

#[wasm_bindgen]
extern "C" {
    /// `Array.isArray`, which throws for a revoked proxy.
    #[wasm_bindgen(js_namespace = Array, js_name = isArray, catch)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;
}

/// A copy of a JavaScript value.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    /// Null or undefined.
    Null,
    Scalar(Scalar),
    List(Vec<Data>),
    /// Keys and values. A key whose value is `undefined` counts as left out.
    Table(Vec<(String, Data)>),
}

/// A Boolean, a number, a `BigInt` or a string.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Scalar {
    Bool(bool),
    /// A number without a fraction that JavaScript has exactly.
    Integer(i64),
    Float(f64),
    Text(String),
}

impl Data {
    /// Copies a value.
    ///
    /// # Errors
    /// [`Mistake`] for functions, symbols, binary data, maps and sets, for more than the limits, and where a property throws.
    pub(crate) fn copy(value: JsValue) -> Result<Self, Mistake> {
        let mut room = Room {
            entries: MAX_ENTRIES,
            text: MAX_TEXT,
        };
        room.copy(value, MAX_DEPTH)
    }
}

/// What a copy may still take.
struct Room {
    entries: u32,
    text: u32,
}

impl Room {
    fn copy(&mut self, value: JsValue, levels: usize) -> Result<Data, Mistake> {
        if value.is_function() || value.is_symbol() {
            return Err(Mistake::new("a function or a symbol is not plain data"));
        }
        if value.is_null() || value.is_undefined() {
            return Ok(Data::Null);
        }
        if let Some(text) = value.dyn_ref::<JsString>() {
            self.take_text(text.length())?;
        }
        if !value.is_object() {
            let scalar = serde_wasm_bindgen::from_value(value);
            return scalar.map(Data::Scalar).map_err(|_| Mistake::new("not plain data"));
        }
        if ArrayBuffer::is_view(&value) || value.is_instance_of::<ArrayBuffer>() {
            return Err(Mistake::new("binary data, expected plain data"));
        }
        // Maps and sets have no keys of their own, and a `String` object has one for each character.
        if value.is_instance_of::<Map>() || value.is_instance_of::<Set>() || value.is_instance_of::<JsString>() {
            return Err(Mistake::new("a Map, a Set or a String object, expected plain data"));
        }
        let Some(levels) = levels.checked_sub(1) else {
            return Err(Mistake::new(format!("nested in more than {MAX_DEPTH} levels")));
        };
        if is_array(&value).map_err(thrown)? {
            self.list(&value, levels)
        } else {
            self.table(&value, levels)
        }
    }

    fn list(&mut self, array: &JsValue, levels: usize) -> Result<Data, Mistake> {
        // The length of a proxy is what its handler says.
        let length = Reflect::get(array, &"length".into()).map_err(thrown)?.as_f64();
        let length = length.unwrap_or_default().clamp(0.0, f64::from(u32::MAX));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let length = length as u32;
        self.take_entries(length)?;
        let entry = |index| {
            let value = Reflect::get_u32(array, index).map_err(thrown);
            let copy = value.and_then(|value| self.copy(value, levels));
            copy.map_err(|mistake| mistake.within(&format!("[{index}]")))
        };
        (0..length).map(entry).collect::<Result<_, _>>().map(Data::List)
    }

    fn table(&mut self, object: &JsValue, levels: usize) -> Result<Data, Mistake> {
        let keys = Reflect::own_keys(object).map_err(thrown)?;
        self.take_entries(keys.length())?;
        let mut entries = Vec::new();
        for key in keys.iter() {
            let Some(text) = key.dyn_ref::<JsString>() else {
                continue;
            };
            self.take_text(text.length())?;
            let name = String::from(text);
            let value = Reflect::get(object, &key).map_err(thrown);
            if value.as_ref().is_ok_and(JsValue::is_undefined) {
                continue;
            }
            match value.and_then(|value| self.copy(value, levels)) {
                Ok(value) => entries.push((name, value)),
                Err(mistake) => return Err(mistake.within(&format!(".{name}"))),
            }
        }
        Ok(Data::Table(entries))
    }

    fn take_entries(&mut self, count: u32) -> Result<(), Mistake> {
        let left = self.entries.checked_sub(count);
        self.entries =
            left.ok_or_else(|| Mistake::new(format!("{count} entries: the limit is {MAX_ENTRIES} in all")))?;
        Ok(())
    }

    fn take_text(&mut self, count: u32) -> Result<(), Mistake> {
        let left = self.text.checked_sub(count);
        self.text = left.ok_or_else(|| {
            Mistake::new(format!(
                "a string of {count} characters: the limit is {MAX_TEXT} in all"
            ))
        })?;
        Ok(())
    }
}

/// The mistake of a value that throws when it is read.
fn thrown(_: JsValue) -> Mistake {
    Mistake::new("reading it throws an exception")
}
