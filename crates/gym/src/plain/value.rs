//! A value of any kind, and how numbers, texts and lists are read from it.

use super::{Decimal, Plain};
use std::borrow::Cow;
use std::fmt;

/// A value as JavaScript has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that a double holds exactly.
    Whole(i64),
    /// Any other number.
    Real(f64),
    /// A string.
    Text(Cow<'static, str>),
    /// An array.
    List(Vec<Value>),
    /// An object, in the order of its keys.
    Object(Vec<(Cow<'static, str>, Value)>),
    /// Nothing of this kind.
    Foreign,
}

impl Value {
    /// An object of these fields.
    pub fn object(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self::Object(
            fields
                .into_iter()
                .map(|(name, value)| (Cow::Borrowed(name), value))
                .collect(),
        )
    }

    /// Appends it as bytes: other ones for every other value.
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Null => put(bytes, 0, &[]),
            Self::Bool(value) => put(bytes, 1, &[u8::from(*value)]),
            Self::Whole(number) => put(bytes, 2, &number.to_le_bytes()),
            Self::Real(number) => put(bytes, 3, &number.to_bits().to_le_bytes()),
            Self::Text(text) => put(bytes, 4, text.as_bytes()),
            Self::List(values) => {
                put(bytes, 5, &(values.len() as u32).to_le_bytes());
                for value in values {
                    value.append_to(bytes);
                }
            }
            Self::Object(fields) => {
                put(bytes, 6, &(fields.len() as u32).to_le_bytes());
                for (key, value) in fields {
                    put(bytes, 4, key.as_bytes());
                    value.append_to(bytes);
                }
            }
            Self::Foreign => put(bytes, 7, &[]),
        }
    }

    /// The complaint that this is not what was expected.
    pub fn misfit(&self, expected: &str) -> String {
        format!("invalid type: {self}, expected {expected}")
    }

    /// A whole number from `low` to `high`, which is what a `what` holds.
    fn whole(&self, low: i64, high: i64, what: &str) -> Result<i64, String> {
        match *self {
            Self::Whole(number) if (low..=high).contains(&number) => Ok(number),
            Self::Whole(number) => Err(format!("invalid value: integer `{number}`, expected {what}")),
            _ => Err(self.misfit(what)),
        }
    }
}

/// Appends something of a kind, with its length.
fn put(bytes: &mut Vec<u8>, kind: u8, content: &[u8]) {
    bytes.push(kind);
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(content);
}

/// What a message calls the value.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("unit value"),
            Self::Bool(value) => write!(formatter, "boolean `{value}`"),
            Self::Whole(number) => write!(formatter, "integer `{number}`"),
            Self::Real(number) => write!(formatter, "floating point `{}`", Decimal::from(*number)),
            Self::Text(text) => write!(formatter, "string {text:?}"),
            Self::List(_) => formatter.write_str("sequence"),
            Self::Object(_) => formatter.write_str("map"),
            Self::Foreign => formatter.write_str("value that is no data"),
        }
    }
}

macro_rules! whole_numbers {
    ($($type:ident up to $high:expr),*) => {$(
        impl Plain for $type {
            fn read(value: &Value) -> Result<Self, String> {
                value
                    .whole($type::MIN as i64, $high, stringify!($type))
                    .map(|number| number as $type)
            }

            fn write(&self) -> Value {
                Value::Whole(*self as i64)
            }
        }
    )*};
}

whole_numbers!(i32 up to i64::from(i32::MAX), u32 up to i64::from(u32::MAX), u64 up to i64::MAX, usize up to i64::from(u32::MAX));

impl Plain for f32 {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            #[allow(clippy::cast_precision_loss, reason = "it is what a number becomes")]
            Value::Whole(number) => Ok(*number as f32),
            Value::Real(number) => Ok(*number as f32),
            _ => Err(value.misfit("f32")),
        }
    }

    fn write(&self) -> Value {
        Value::Real(f64::from(*self))
    }
}

impl Plain for bool {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Bool(value) => Ok(*value),
            _ => Err(value.misfit("a boolean")),
        }
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Plain for String {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Text(text) => Ok(text.to_string()),
            _ => Err(value.misfit("a string")),
        }
    }

    fn write(&self) -> Value {
        Value::Text(self.clone().into())
    }
}

impl<T: Plain> Plain for Option<T> {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(None),
            _ => T::read(value).map(Some),
        }
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::List(values) => values.iter().map(T::read).collect(),
            _ => Err(value.misfit("a sequence")),
        }
    }

    fn write(&self) -> Value {
        Value::List(self.iter().map(T::write).collect())
    }
}
