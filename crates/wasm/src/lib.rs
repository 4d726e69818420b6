//! The classes behind the npm package: an environment ([`WasmGame`]) and a bare console ([`WasmArcade`]).
//!
//! The crates below do the work and have the tests. Options and descriptions cross as plain objects, by serde-wasm-bindgen. A step is one
//! call that writes its record to an array of the caller, and its observation is another.
//!
//! Failures are thrown as JavaScript `Error`s whose `code` is one of the package's (see its `errors.ts`).

mod arcade;
mod canvas;
mod catalogue;
mod console;
mod definition;
mod engine;
mod error;
mod game;
mod options;
mod plain;

pub use arcade::WasmArcade;
pub use canvas::WasmCanvas;
pub use catalogue::catalogue;
pub use game::{WasmGame, describe};
