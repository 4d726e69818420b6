//! Spaces of actions and observations.

use serde::{Deserialize, Serialize};

/// The type of one value of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Dtype {
    /// An unsigned byte, 0 to 255.
    Uint8,
    /// A 32-bit float from 0 to 1, in little-endian bytes.
    Float32,
    /// A signed whole number of 32 bits, in little-endian bytes, between the bounds of the space.
    Int32,
}

impl Dtype {
    /// Bytes of one value.
    pub fn size(self) -> usize {
        match self {
            Self::Uint8 => 1,
            Self::Float32 | Self::Int32 => 4,
        }
    }
}

/// The shape and type of an observation: Gymnasium's `Box`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "SpaceDescription"))]
pub struct Space {
    /// Sizes of the axes, slowest first (C order).
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub shape: Vec<usize>,
    /// Type of the values.
    pub dtype: Dtype,
    /// The bounds of whole numbers of 32 bits. Other types have fixed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bounds: Option<SpaceBounds>,
}

/// The least and the greatest of each value of an observation, in C order. Where an observation has more values, as a stack has, they
/// repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpaceBounds {
    /// The least values.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub low: Vec<i32>,
    /// The greatest values.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub high: Vec<i32>,
}

impl Space {
    /// Values in one observation.
    pub fn values(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes of one observation.
    pub fn len(&self) -> usize {
        self.values() * self.dtype.size()
    }

    /// Whether an observation has no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The observation of the console, before any wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, ts(rename = "ObservationKind"))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Observation {
    /// The picture in colour: height x 160 x 3.
    #[default]
    Rgb,
    /// The picture in ALE's grey: height x 160.
    Grey,
    /// The console's 128 bytes of memory.
    Ram,
    /// The variables of the game's rules, such as the score and the lives, as whole numbers of 32 bits. A value beyond them is the nearest one.
    /// The description of the game has their names in this order, as `labels`.
    Labels,
}

impl Observation {
    /// Whether it is a picture.
    pub(crate) fn is_picture(self) -> bool {
        matches!(self, Self::Rgb | Self::Grey)
    }
}

/// The whole number of 32 bits that is nearest to a value.
pub(crate) fn nearest(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
