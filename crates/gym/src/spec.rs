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
/// Most frames of the steps that a reset may take before an episode.
pub(crate) const MAX_START_FRAMES: u32 = 1_500;
/// Cycles of the CPU after which the steps before an episode end: those of [`MAX_START_FRAMES`], PAL or NTSC, and of several resets. Only
/// a program that does not end its frames, a game that ends in nearly every step, or a step of many thousand frames takes as many.
pub(crate) const MAX_START_CYCLES: u64 = 60_000_000;
