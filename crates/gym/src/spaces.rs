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
}

impl Dtype {
    /// Bytes of one value.
    pub fn size(self) -> usize {
        match self {
            Self::Uint8 => 1,
            Self::Float32 => 4,
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
}
