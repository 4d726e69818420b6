//! Consoles with one ROM share its compiled code, and the code of the last program outlives its consoles.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Console, Drawing, Input};

fn play(console: &mut Console) {
    for _ in 0..20 {
        console.run_frame(&Input::default(), Drawing::OnDemand);
    }
}

#[test]
fn the_last_program_stays_compiled() {
    install(pair::THRESHOLD, CompileThread::Console);
    let [breakout, pong] = ["breakout", "pong"].map(support::rom);
    let mut first = pair::console(&breakout, 1);
    play(&mut first);
    assert!(first.is_compiled());
    assert!(pair::console(&breakout, 2).is_compiled());
    drop(first);
    assert!(pair::console(&breakout, 3).is_compiled());
    assert!(!pair::console(&pong, 4).is_compiled());
    assert!(!pair::console(&breakout, 5).is_compiled());
}
