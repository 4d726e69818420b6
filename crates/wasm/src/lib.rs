#![doc = include_str!("../README.md")]
//!
//! The crates below do the work and have the tests. The codes of errors are those of the package's `errors.ts`.

mod arcade;
mod buffers;
mod canvas;
mod catalogue;
mod engine;
mod game;
mod room;
mod search;

pub use arcade::WasmArcade;
pub use canvas::WasmCanvas;
pub use catalogue::catalogue;
pub use game::{WasmGame, describe};
pub use search::{WasmRamSearch, define_game};
