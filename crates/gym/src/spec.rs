//! Wrappers as data, and the spec of an environment.
//!
//! A list goes from the console outwards: the first wrapper is next to the game, the last one next to the agent, in the
//! order in which Python code writes `env = Wrapper(env)`. A wrapper is an object with a `type` and its options in
//! camelCase, `{"type": "SkipFrames", "n": 4}`, or a name where every option keeps its default: `"ClipReward"`.
//! The defaults are those of the wrapper that the type is named after, without any preset's quirk.

mod environment;
mod form;

pub use crate::wrappers::*;
pub use environment::{Seeding, Spec};
pub(crate) use form::no_options;

/// Most frames that the wrappers of a list may make of one step.
pub(crate) const MAX_FRAMES: u32 = 10_000;
/// Most frames of the steps that the wrappers of a list may play before an episode.
pub(crate) const MAX_START_FRAMES: u32 = 1_500;
/// Frames of the console after which a reset plays no further step: those before an episode, and several resets of the game.
pub(crate) const MAX_RESET_FRAMES: u32 = 2 * MAX_START_FRAMES;
