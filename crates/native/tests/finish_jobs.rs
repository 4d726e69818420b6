//! After a wait for the compile threads, programs are compiled.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, finish_jobs};

#[test]
fn a_program_is_compiled_when_its_job_has_been_waited_for() {
    let roms: Vec<_> = ["seaquest", "qbert"]
        .map(|name| (name.to_owned(), support::rom(name)))
        .into();
    // Consoles take the code at their next frame.
    let begun = pair::THRESHOLD.interpreted + pair::THRESHOLD.profiled + 2;
    let compiled = pair::play_both(&roms, CompileThread::Background, |frames, console| {
        if frames == begun {
            finish_jobs();
        }
        assert!(frames <= begun || console.is_compiled());
        frames == begun + 100
    });
    assert_eq!(compiled, roms.len());
}
