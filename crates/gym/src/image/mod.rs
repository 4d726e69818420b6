//! From the console's picture to what an agent sees: grey, colour, and OpenCV's resizes, byte for byte.
//!
//! A picture arrives as palette indices, or as two of them of which the brighter wins, or as bytes that another wrapper
//! made ([`Source`]). Looking up colours happens once, row by row, inside the resize; a row that repeats the row above it,
//! and on this console most do, is neither looked up nor squeezed again.

mod area;
mod colour;
mod linear;
mod resizer;
mod source;

pub(crate) use colour::{Colours, Pairs};
pub use colour::{Grey, opencv_grey};
pub use resizer::{Interpolation, ResizeError, Resizer};
pub(crate) use source::{Source, copy_rows};
