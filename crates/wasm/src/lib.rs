//! The classes that the npm package is made of: an environment ([`WasmGame`]) and a bare console ([`WasmArcade`]).
//!
//! Thin on purpose: what is worth a unit test is in the crates below. Options and infos cross as plain objects, at
//! creation and at an episode's end. A step crosses as numbers; its bytes stay in WebAssembly memory, at an address that
//! stays the same as long as the object lives, and the caller copies them from there.
//!
//! Failures are thrown as JavaScript `Error`s whose `code` is one of the package's (see its `errors.ts`).

mod arcade;
mod error;
mod game;
mod options;

pub use arcade::WasmArcade;
pub use game::WasmGame;
