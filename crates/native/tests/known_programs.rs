//! What is known of a program is shared by its consoles, and the last program is known longer than these.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{Compiling, install};
use gym2600_vcs::{Console, Input, Picture};

fn play(console: &mut Console) {
    for _ in 0..20 {
        console.run_frame(&Input::default(), Picture::OnDemand);
    }
}

#[test]
fn the_last_program_stays_known() {
    install(pair::PATIENCE, Compiling::AtOnce);
    let [breakout, pong] = ["breakout", "pong"].map(support::rom);
    let mut first = pair::console(&breakout, 1);
    play(&mut first);
    assert!(first.is_translated());
    assert!(pair::console(&breakout, 2).is_translated());
    drop(first);
    assert!(pair::console(&breakout, 3).is_translated());
    assert!(!pair::console(&pong, 4).is_translated());
    assert!(!pair::console(&breakout, 5).is_translated());
}
