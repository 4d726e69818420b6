//! Options as they come from JavaScript.

use gym2600_gym::GameOptions;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use wasm_bindgen::JsValue;

use crate::error::thrown;

/// The options that `value`, a plain object, says.
pub(crate) fn game_options(value: JsValue) -> Result<GameOptions, JsValue> {
    match serde_wasm_bindgen::from_value(value) {
        Ok(EveryKey(options)) => Ok(options),
        Err(error) => Err(thrown("bad-option", &error.to_string())),
    }
}

/// Reads every key of an object. Read as a structure, an object is only asked for the keys that the structure has, and a
/// misspelt option would go unnoticed.
struct EveryKey(GameOptions);

impl<'de> Deserialize<'de> for EveryKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;

        impl<'de> Visitor<'de> for Form {
            type Value = GameOptions;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of options")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GameOptions, A::Error> {
                GameOptions::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Form).map(Self)
    }
}
