//! Definitions of games as JavaScript's objects.
//!
//! serde-wasm-bindgen reads the scalars. Objects and arrays are walked here, because serde-wasm-bindgen does not refuse unknown keys and
//! gives no key path. The walk takes time in proportion to the data. It reads a property at most once and catches what the property
//! throws: an exception that crosses WebAssembly frames leaves their part of the stack behind.

use std::fmt;

use gym2600_arcade::definition::RawDefinition;
use js_sys::{Array, ArrayBuffer, JsString, Reflect};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor};
use wasm_bindgen::{JsCast, JsValue};

use crate::error;

/// Levels of objects and arrays within data. An object that contains itself has more.
const MAX_DEPTH: usize = 8;
/// Entries of an array or an object.
const MAX_LENGTH: u32 = 10_000;
/// UTF-16 code units of a string.
const MAX_STRING: u32 = 256 * 1024;

/// Reads the option `game`, if options have it.
pub(crate) fn definition(options: &JsValue) -> Result<Option<RawDefinition>, JsValue> {
    let game = match Reflect::get(options, &"game".into()) {
        Ok(game) if !game.is_null() && !game.is_undefined() => game,
        _ => return Ok(None),
    };
    RawDefinition::deserialize(Value::new(game))
        .map(Some)
        .map_err(|Mistake { path, reason }| error::thrown("bad-game", &format!("game{path}: {reason}")))
}

/// A mistake in data: the path of its key, such as `.rules.frame` or `.modes[1]`, and the reason.
#[derive(Debug)]
struct Mistake {
    path: String,
    reason: String,
}

impl Mistake {
    /// A mistake in an entry of the container that reports it.
    fn within(self, key: &str) -> Self {
        Self {
            path: format!("{key}{}", self.path),
            ..self
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self {
            path: String::new(),
            reason: reason.to_string(),
        }
    }
}

/// A value, and how many levels it may have.
struct Value {
    value: JsValue,
    levels: usize,
}

impl Value {
    /// The outermost value.
    fn new(value: JsValue) -> Self {
        let levels = MAX_DEPTH;
        Self { value, levels }
    }

    fn is_nullish(&self) -> bool {
        self.value.is_null() || self.value.is_undefined()
    }

    /// The entries of an object or an array that is not too deep and too long.
    fn entries(&self) -> Result<Entries, Mistake> {
        let is_array = Array::is_array(&self.value);
        let keys = if is_array {
            None
        } else {
            Some(Reflect::own_keys(&self.value).map_err(|_| thrown())?)
        };
        let length = match &keys {
            Some(keys) => keys.length(),
            None => self.value.unchecked_ref::<Array>().length(),
        };
        let levels = self.levels.checked_sub(1).ok_or_else(|| {
            let reason = format!("nested in more than {MAX_DEPTH} levels");
            de::Error::custom(reason)
        })?;
        if length > MAX_LENGTH {
            let reason = format!("{length} entries: {MAX_LENGTH} is the limit");
            return Err(de::Error::custom(reason));
        }
        Ok(Entries {
            container: self.value.clone(),
            keys,
            range: 0..length,
            levels,
            current: None,
        })
    }

    /// What a container or a value that is not data is, for messages.
    fn unexpected(&self) -> Unexpected<'static> {
        if Array::is_array(&self.value) {
            Unexpected::Seq
        } else if ArrayBuffer::is_view(&self.value) {
            Unexpected::Other("binary data")
        } else if self.value.is_object() {
            Unexpected::Map
        } else {
            Unexpected::Other("function or symbol")
        }
    }

    fn invalid_type<T>(&self, visitor: &impl de::Expected) -> Result<T, Mistake> {
        Err(de::Error::invalid_type(self.unexpected(), visitor))
    }
}

/// The mistake of a property that throws when it is read.
fn thrown() -> Mistake {
    de::Error::custom("reading it throws an exception")
}

impl<'de> Deserializer<'de> for Value {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.unexpected() {
            Unexpected::Seq => visitor.visit_seq(self.entries()?),
            Unexpected::Map => visitor.visit_map(self.entries()?),
            _ if self.value.is_object() || self.value.is_function() || self.value.is_symbol() => {
                self.invalid_type(&visitor)
            }
            _ => {
                let too_long = |text: &JsString| text.length() > MAX_STRING;
                if self.value.dyn_ref().is_some_and(too_long) {
                    let reason = format!("a string of more than {MAX_STRING} characters");
                    return Err(de::Error::custom(reason));
                }
                let scalar = serde_wasm_bindgen::Deserializer::from(self.value);
                scalar.deserialize_any(visitor).map_err(|error| {
                    let text = error.to_string();
                    de::Error::custom(text.strip_prefix("Error: ").unwrap_or(&text))
                })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        if self.is_nullish() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// A table. serde would take an array for one, by position.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        if Array::is_array(&self.value) {
            return self.invalid_type(&visitor);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &str, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        if let Some(name) = self.value.as_string() {
            return visitor.visit_enum(name.into_deserializer());
        }
        match self.unexpected() {
            Unexpected::Map => visitor.visit_enum(MapAccessDeserializer::new(self.entries()?)),
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map identifier ignored_any
    }
}

/// The entries of an object or an array.
struct Entries {
    container: JsValue,
    /// The keys of an object.
    keys: Option<Array>,
    range: std::ops::Range<u32>,
    levels: usize,
    /// The key whose value comes next, and the value.
    current: Option<(String, JsValue)>,
}

impl Entries {
    fn inner(&self, value: JsValue) -> Value {
        let levels = self.levels;
        Value { value, levels }
    }
}

impl<'de> de::SeqAccess<'de> for Entries {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        let Some(index) = self.range.next() else {
            return Ok(None);
        };
        let key = format!("[{index}]");
        let value = Reflect::get_u32(&self.container, index).map_err(|_| thrown().within(&key))?;
        let value = seed.deserialize(self.inner(value));
        value.map(Some).map_err(|mistake| mistake.within(&key))
    }
}

impl<'de> de::MapAccess<'de> for Entries {
    type Error = Mistake;

    /// The next key. A key with the value `undefined` counts as left out.
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let Some(keys) = &self.keys else { return Ok(None) };
        for index in self.range.by_ref() {
            let key = keys.get(index);
            let Some(name) = key.as_string() else { continue };
            let path = format!(".{name}");
            let value = Reflect::get(&self.container, &key).map_err(|_| thrown().within(&path))?;
            if value.is_undefined() {
                continue;
            }
            self.current = Some((path.clone(), value));
            let key = seed.deserialize(name.into_deserializer());
            return key.map(Some).map_err(|mistake: Mistake| mistake.within(&path));
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mistake> {
        let (path, value) = self.current.take().unwrap_or_default();
        seed.deserialize(self.inner(value))
            .map_err(|mistake| mistake.within(&path))
    }
}
