//! How a wrapper is read and written: as an object with a `type`, and read also as a bare name.
//!
//! serde derives the object's form as functions of [`Wrapper`] itself (`remote = "Self"`); the traits here add the bare name.

use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

use super::Wrapper;

/// Reads the rest of a wrapper that has no options. serde would ignore unknown keys there.
pub(crate) fn no_options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct NoOptions {}
    NoOptions::deserialize(deserializer).map(|NoOptions {}| ())
}

impl Serialize for Wrapper {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Wrapper::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Wrapper {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WrapperVisitor;

        impl<'de> Visitor<'de> for WrapperVisitor {
            type Value = Wrapper;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a wrapper: its name, or an object with its name as \"type\"")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Wrapper, E> {
                Wrapper::deserialize(MapDeserializer::new(std::iter::once(("type", name))))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Wrapper, A::Error> {
                Wrapper::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(WrapperVisitor)
    }
}
