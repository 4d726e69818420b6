//! From the console's picture to what an agent sees: grey, colour, and OpenCV's resizes, byte for byte.
//!
//! A picture arrives as palette indices, or as two of them of which the brighter wins, or as bytes that another wrapper
//! made ([`Source`]). Looking up colours happens once, row by row, inside the resize. A row that repeats the row above it is not
//! looked up again, and of a picture of indices ([`Signatures`]) only what its changed rows touch is resized again: on
//! this console that is a small part of most pictures.

mod area;
mod colour;
mod fixed;
mod greys;
mod linear;
mod resizer;
mod rows;
mod signatures;
mod source;
mod tables;

pub(crate) use colour::Colours;
pub use colour::{Grey, opencv_grey};
pub use resizer::{Interpolation, ResizeError, Resizer};
pub(crate) use signatures::Signatures;
pub(crate) use source::{Source, copy_rows};
pub(crate) use tables::Rows;
