//! The interpolations of a resize.

use serde::{Deserialize, Serialize};

/// Which of OpenCV's interpolations resizes a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Interpolation {
    /// `INTER_AREA`: the mean of the area that an output cell covers. If a side grows, both are interpolated, as OpenCV does.
    Area,
    /// `INTER_LINEAR`: OpenCV's default, in 11-bit fixed point.
    Linear,
}

/// Width and height of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width: usize,
    pub(super) height: usize,
}
