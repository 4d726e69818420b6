//! A bounded copy of a JavaScript value.
//!
//! The copy takes time in proportion to the data, and no more than the limits allow: a definition may be anybody's file. An object that
//! contains itself has too many levels. Own keys are read, never inherited ones.

use gym2600_gym::data::{Data, MAX_LEVELS, Mistake};
use js_sys::{Array, ArrayBuffer, JsString, Map, Object, Set};
use wasm_bindgen::prelude::*;

/// Entries of all objects and arrays together.
const MAX_ENTRIES: u32 = 10_000;
/// UTF-16 code units of all strings and keys together.
const MAX_TEXT: u32 = 256 * 1024;

/// Copies a value. A key whose value is `undefined` counts as left out.
///
/// # Errors
/// [`Mistake`] for functions, symbols, binary data, maps and sets, and for more than the limits.
pub(crate) fn copy(value: JsValue) -> Result<Data, Mistake> {
    let mut room = Room {
        entries: MAX_ENTRIES,
        text: MAX_TEXT,
    };
    room.copy(value, MAX_LEVELS)
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
            return Err(Mistake::new(format!("nested in more than {MAX_LEVELS} levels")));
        };
        match value.dyn_into::<Array>() {
            Ok(array) => self.list(&array, levels),
            Err(object) => self.table(object.unchecked_ref(), levels),
        }
    }

    fn list(&mut self, array: &Array, levels: usize) -> Result<Data, Mistake> {
        self.take_entries(array.length())?;
        let entry = |index| {
            let copy = self.copy(array.get(index), levels);
            copy.map_err(|mistake| mistake.within(&format!("[{index}]")))
        };
        (0..array.length()).map(entry).collect::<Result<_, _>>().map(Data::List)
    }

    fn table(&mut self, object: &Object, levels: usize) -> Result<Data, Mistake> {
        let pairs = Object::entries(object);
        self.take_entries(pairs.length())?;
        let mut entries = Vec::new();
        for pair in pairs.iter() {
            let pair: Array = pair.unchecked_into();
            let (key, value) = (JsString::from(pair.get(0)), pair.get(1));
            self.take_text(key.length())?;
            if value.is_undefined() {
                continue;
            }
            let name = String::from(&key);
            match self.copy(value, levels) {
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
