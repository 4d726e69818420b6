//! From the console's picture to what an agent sees: grey, colour, and OpenCV's resizes, byte for byte.
//!
//! A picture arrives as palette indices, as two pictures of indices that stand for their maximum, or as bytes of another wrapper
//! (`Source`). The resize looks colours up row by row. A row that equals the row above it is not looked up again, and only the
//! output rows that depend on a changed source row are computed (`RowSet`), which is a small part of most pictures.

mod area;
mod changes;
mod colour;
mod fixed;
mod greys;
mod interpolation;
mod linear;
mod resizer;
mod row_cache;
mod source;
mod tables;

pub(crate) use changes::{ChangeTimes, Changes, RowSet, update_rows};
pub(crate) use colour::Colours;
pub use colour::{Grey, opencv_grey};
pub use interpolation::Interpolation;
pub use resizer::{ResizeError, Resizer};
pub(crate) use source::{Source, copy_rows};
