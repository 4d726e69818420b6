//! Plain data from another language, and the options that serde reads from it, with the path of a mistake.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor};

use crate::error::GymError;
use crate::spec::Wrapper;

/// The most levels of objects and lists in options.
pub const MAX_LEVELS: usize = 8;

/// Plain data.
#[derive(Debug, Clone)]
pub enum Data {
    /// Nothing.
    Null,
    /// A value without parts.
    Scalar(Scalar),
    /// A list.
    List(Vec<Data>),
    /// Keys and values.
    Table(Vec<(String, Data)>),
}

/// A value without parts.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A Boolean.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction, or beyond the whole ones.
    Float(f64),
    /// A text.
    Text(String),
}

/// A mistake in options, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The path of the value at fault, such as `.game.rules.frame` or `.wrappers[1].n`; empty for the whole.
    pub(crate) path: String,
    /// The reason.
    pub(crate) reason: String,
    /// The wrapper whose options have the mistake.
    pub(crate) wrapper: Option<String>,
    /// Whether the path ends in a key that there is not.
    pub(crate) unknown_key: bool,
}

impl Mistake {
    /// A mistake of the whole value.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            reason: reason.into(),
            wrapper: None,
            unknown_key: false,
        }
    }

    /// A mistake in an entry of the object or list that reports it: `.key` or `[index]`.
    #[must_use]
    pub fn within(self, key: &str) -> Self {
        Self {
            path: format!("{key}{}", self.path),
            ..self
        }
    }

    /// The path within the definition of a game, if the mistake is in one. A training run has the options of its games in `options`.
    pub(crate) fn path_in_game(&self) -> Option<&str> {
        let path = self.path.strip_prefix(".options").unwrap_or(&self.path);
        path.strip_prefix(".game")
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = &self.reason;
        match (self.path_in_game(), self.path.trim_start_matches('.')) {
            (Some(path), _) => write!(f, "game{path}: {reason}"),
            (None, "") => write!(f, "options: {reason}"),
            (None, path) => write!(f, "option {path}: {reason}"),
        }
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self::new(reason.to_string())
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self {
            unknown_key: true,
            ..Self::new(de::value::Error::unknown_field(field, expected).to_string())
        }
    }
}

impl Data {
    /// Reads options: those of an environment, of ALE's interface or of a training run.
    ///
    /// # Errors
    /// [`GymError::Data`]
    pub fn options<T: DeserializeOwned>(self) -> Result<T, GymError> {
        Ok(T::deserialize(self)?)
    }
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
                    let name = name_of(&wrapper);
                    let has_path = !mistake.path.is_empty();
                    let found = if has_path { None } else { option_at_fault(wrapper) };
                    Mistake {
                        wrapper: name,
                        ..found.unwrap_or(mistake)
                    }
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

/// The name of a wrapper.
fn name_of(wrapper: &[(String, Data)]) -> Option<String> {
    wrapper.iter().find_map(|(key, value)| match value {
        Data::Scalar(Scalar::Text(name)) if key == TAG => Some(name.clone()),
        _ => None,
    })
}

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

#[cfg(test)]
mod tests {
    use crate::{ErrorDetails, Game, GameOptions, GymError};
    use gym2600_arcade::WALLOP;

    use super::*;

    fn text(text: &str) -> Data {
        Data::Scalar(Scalar::Text(text.to_owned()))
    }

    fn table(entries: &[(&str, Data)]) -> Data {
        Data::Table(
            entries
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.clone()))
                .collect(),
        )
    }

    /// The code, the message and the details of the error for options.
    fn refusal(options: &[(&str, Data)]) -> (&'static str, String, ErrorDetails) {
        let made = table(options)
            .options::<GameOptions>()
            .and_then(|options| Game::new(WALLOP, &options));
        let error: GymError = made.expect_err("the options are wrong");
        (error.code(), error.to_string(), error.details())
    }

    #[test]
    fn an_error_has_its_place_and_reason_as_values() {
        let wrapper = |n| table(&[("type", text("SkipFrames")), ("n", n)]);
        let list = |n| ("wrappers", Data::List(vec![text("ClipReward"), wrapper(n)]));
        let (code, message, details) = refusal(&[list(text("4"))]);
        let reason = details.reason.clone().expect("a reason");
        assert_eq!(
            (code, message),
            ("bad-option", format!("option wrappers[1].n: {reason}"))
        );
        let expected = ErrorDetails {
            path: Some("wrappers[1].n".into()),
            wrapper: Some("SkipFrames".into()),
            ..ErrorDetails::of_option("wrappers", reason)
        };
        assert_eq!(details, expected);

        // What only the list as a whole can tell has the wrapper's place.
        let (code, message, details) = refusal(&[list(Data::Scalar(Scalar::Integer(0)))]);
        let reason = details.reason.clone().expect("a reason");
        assert_eq!(
            (code, message),
            ("bad-option", format!("wrapper 2, SkipFrames: {reason}"))
        );
        let expected = ErrorDetails {
            path: Some("wrappers[1]".into()),
            wrapper: Some("SkipFrames".into()),
            ..ErrorDetails::of_option("wrappers", reason)
        };
        assert_eq!(details, expected);

        let (code, _, details) = refusal(&[("seed", text("x"))]);
        let reason = details.reason.clone().expect("a reason");
        assert_eq!((code, details), ("bad-option", ErrorDetails::of_option("seed", reason)));
    }

    #[test]
    fn an_error_in_a_definition_has_its_path_and_the_place_in_the_rules() {
        let game = |rules: Data| ("game", table(&[("rom", text("mine")), ("rules", rules)]));
        let (code, message, details) = refusal(&[game(table(&[("frame", text("a = 1\nb = x"))]))]);
        assert_eq!(code, "bad-game");
        assert_eq!(message, "game.rules.frame, line 2, column 5: unknown variable \"x\"");
        let expected = ErrorDetails {
            path: Some("game.rules.frame".into()),
            line: Some(2),
            column: Some(5),
            ..ErrorDetails::of_option("game", "unknown variable \"x\"")
        };
        assert_eq!(details, expected);

        let (code, _, details) = refusal(&[game(table(&[("farme", text("a = 1"))]))]);
        assert_eq!((code, details.path.as_deref()), ("bad-game", Some("game.rules.farme")));
        assert_eq!(details.unknown_key, Some(true));
    }
}
