//! Compiled programs do what interpreted ones do, for random opcodes, addresses and jumps.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;

use gym2600_native::CompileThread;
use pair::programs::{self, Random};

#[test]
fn random_programs_run_the_same_compiled() {
    let mut random = Random(2600);
    let roms: Vec<_> = (0..600)
        .map(|number| (format!("program {number}"), programs::program(&mut random)))
        .collect();
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 30);
    // Some jam before the threshold.
    assert!(compiled > roms.len() / 3, "{compiled} of {} were compiled", roms.len());
}
