//! The classes that the npm package is made of: an environment ([`WasmGame`]) and a bare console ([`WasmArcade`]).
//!
//! Thin on purpose: what is worth a unit test is in the crates below. Options and descriptions cross as plain objects at
//! creation. A step is one call; what it brings stays in WebAssembly memory, at addresses that stay the same as long as the
//! object lives, and the caller reads it there.
//!
//! Failures are thrown as JavaScript `Error`s whose `code` is one of the package's (see its `errors.ts`).

mod arcade;
mod canvas;
mod catalogue;
mod console;
mod engine;
mod error;
mod game;
mod options;
mod plain;

pub use arcade::WasmArcade;
pub use canvas::WasmCanvas;
pub use catalogue::catalogue;
pub use game::WasmGame;
