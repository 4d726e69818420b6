//! Programs that no console plays leave no memory behind.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Drawing, Input};
use pair::programs::{Random, mutate};

/// Programs before memory is measured, and after that.
const WARM: usize = 40;
const MEASURED: usize = 400;
/// Bytes of resident memory that a program may leave, on average. The allocator keeps or returns about a megabyte as it likes; a program's code
/// takes 65 KB.
const MOST: usize = 16_384;

/// Resident memory of this process, in bytes. None where the system does not tell.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn a_program_that_is_no_longer_played_leaves_no_memory() {
    install(pair::THRESHOLD, CompileThread::Console);
    let original = support::rom("breakout");
    let mut random = Random(2600);
    let mut compiled = 0;
    // The most memory while warming up, and after that.
    let mut peaks = [None; 2];
    for number in 0..WARM + MEASURED {
        let mut rom = original.clone();
        mutate(&mut rom[..1024], &mut random);
        let mut console = pair::console(&rom, 1);
        for _ in 0..30 {
            console.run_frame(&Input::default(), Drawing::OnDemand);
        }
        compiled += usize::from(console.is_compiled());
        let peak = &mut peaks[usize::from(number >= WARM)];
        *peak = (*peak).max(resident());
    }
    assert!(compiled > MEASURED / 2, "{compiled} programs were compiled");
    if let [Some(before), Some(after)] = peaks {
        let each = after.saturating_sub(before) / MEASURED;
        println!("{each} bytes a program");
        assert!(
            each < MOST,
            "{before} bytes, and {after} after {MEASURED} programs: {each} for each"
        );
    }
}
