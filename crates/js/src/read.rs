//! Options as serde reads them from a copy, with the path of a mistake.

use gym2600_gym::Wrapper;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor};
use wasm_bindgen::JsValue;

use crate::data::{Data, Scalar};
use crate::error;
use crate::mistake::Mistake;

/// Reads options: those of an environment, of ALE's interface or of a training run.
///
/// # Errors
/// `bad-option`, or `bad-game` in the option `game`. The message begins with the path: `option wrappers[1].n: ` or `game.rules.frame: `.
pub fn options<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    let read = Data::copy(value).and_then(T::deserialize);
    read.map_err(|Mistake { path, reason }| {
        // A run has the options of its games in `options`.
        let of_game = path.strip_prefix(".options").unwrap_or(&path).strip_prefix(".game");
        match (of_game, path.as_str()) {
            (Some(path), _) => error::thrown("bad-game", &format!("game{path}: {reason}")),
            (None, "") => error::thrown("bad-option", &format!("options: {reason}")),
            (None, path) => {
                let path = path.trim_start_matches('.');
                error::thrown("bad-option", &format!("option {path}: {reason}"))
            }
        }
    })
}

impl<'de> Deserializer<'de> for Data {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Scalar(Scalar::Bool(value)) => visitor.visit_bool(value),
            Self::Scalar(Scalar::Integer(value)) => visitor.visit_i64(value),
            Self::Scalar(Scalar::Float(value)) => visitor.visit_f64(value),
            Self::Scalar(Scalar::Text(text)) => visitor.visit_string(text),
            Self::List(entries) => visitor.visit_seq(List {
                entries: entries.into_iter().enumerate(),
            }),
            Self::Table(entries) if entries.iter().any(|(key, _)| key == TAG) => {
                let wrapper = entries.clone();
                visitor.visit_map(Table::new(entries)).map_err(|mistake| {
                    let has_path = !mistake.path.is_empty();
                    let found = if has_path { None } else { option_at_fault(wrapper) };
                    found.unwrap_or(mistake)
                })
            }
            Self::Table(entries) => visitor.visit_map(Table::new(entries)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self {
            Self::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    /// A table. serde would take an array for one, by position.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        match self {
            Self::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &str, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    /// A name: no type here has variants with content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        match self {
            Self::Scalar(Scalar::Text(name)) => visitor.visit_enum(name.into_deserializer()),
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map identifier ignored_any
    }
}

/// The key with a wrapper's name.
const TAG: &str = "type";

/// The mistake in a wrapper's options. serde reads them together after it knows the `type`, and does not say which of them is wrong. No
/// option is needed, so each is tried alone.
fn option_at_fault(wrapper: Vec<(String, Data)>) -> Option<Mistake> {
    let (tag, options): (Vec<_>, Vec<_>) = wrapper.into_iter().partition(|(key, _)| key == TAG);
    let refusal = |entries, key: &str| {
        let read = Wrapper::deserialize(MapAccessDeserializer::new(Table::new(entries)));
        read.err().map(|mistake| mistake.within(&format!(".{key}")))
    };
    refusal(tag.clone(), TAG).or_else(|| {
        options.into_iter().find_map(|(key, value)| {
            let alone = tag.iter().cloned().chain([(key.clone(), value)]);
            refusal(alone.collect(), &key)
        })
    })
}

/// The entries of an array.
struct List {
    entries: std::iter::Enumerate<std::vec::IntoIter<Data>>,
}

impl<'de> de::SeqAccess<'de> for List {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        let Some((index, value)) = self.entries.next() else {
            return Ok(None);
        };
        let value = seed.deserialize(value).map(Some);
        value.map_err(|mistake| mistake.within(&format!("[{index}]")))
    }
}

/// The entries of an object.
struct Table {
    entries: std::vec::IntoIter<(String, Data)>,
    /// The path of the key whose value comes next, and the value.
    current: Option<(String, Data)>,
}

impl Table {
    fn new(entries: Vec<(String, Data)>) -> Self {
        Self {
            entries: entries.into_iter(),
            current: None,
        }
    }
}

impl<'de> de::MapAccess<'de> for Table {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let Some((name, value)) = self.entries.next() else {
            return Ok(None);
        };
        let path = format!(".{name}");
        let key = seed.deserialize(name.into_deserializer());
        let key = key.map_err(|mistake: Mistake| mistake.within(&path))?;
        self.current = Some((path, value));
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mistake> {
        let Some((path, value)) = self.current.take() else {
            return Err(de::Error::custom("a value without a key"));
        };
        let value = seed.deserialize(value);
        value.map_err(|mistake| mistake.within(&path))
    }
}
