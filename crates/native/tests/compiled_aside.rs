//! A console plays on while its program is compiled, and is the same before, meanwhile and after.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::Compiling;
use std::time::{Duration, Instant};

/// Frames after the program has been translated.
const AFTERWARDS: u32 = 200;
/// No compiler takes so long.
const AT_MOST: Duration = Duration::from_mins(2);

#[test]
fn a_program_compiled_aside_plays_the_same() {
    let roms: Vec<_> = ["seaquest", "breakout"]
        .map(|name| (name.to_owned(), support::rom(name)))
        .into();
    let deadline = Instant::now() + AT_MOST;
    let mut translated_at = None;
    let translated = pair::play_both(&roms, Compiling::Aside, |frames, console| {
        if frames == 0 {
            translated_at = None;
        }
        if translated_at.is_none() && console.is_translated() {
            // At once it would have been after just so many.
            assert!(frames > pair::PATIENCE.idle + pair::PATIENCE.watching);
            translated_at = Some(frames);
        }
        translated_at.is_some_and(|at| frames == at + AFTERWARDS) || Instant::now() > deadline
    });
    assert_eq!(translated, roms.len());
}
