//! A console runs on while its program is compiled in the background, and is the same before, meanwhile and after.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::CompileThread;
use std::time::{Duration, Instant};

/// Frames that are compared after the program has been compiled.
const AFTERWARDS: u32 = 200;

#[test]
fn a_program_compiled_in_the_background_plays_the_same() {
    let roms: Vec<_> = ["seaquest", "breakout"]
        .map(|name| (name.to_owned(), support::rom(name)))
        .into();
    let deadline = Instant::now() + support::limits::hang(Duration::from_mins(10));
    let mut compiled_at = None;
    let compiled = pair::play_both(&roms, CompileThread::Background, |frames, console| {
        if frames == 0 {
            compiled_at = None;
        }
        if compiled_at.is_none() && console.is_compiled() {
            // A compile in the console's thread would have ended after this many.
            assert!(frames > pair::THRESHOLD.interpreted + pair::THRESHOLD.profiled);
            compiled_at = Some(frames);
        }
        compiled_at.is_some_and(|at| frames == at + AFTERWARDS) || Instant::now() > deadline
    });
    assert_eq!(compiled, roms.len());
}
