//! Consoles that play one ROM in several threads do not meet at a lock, once what the program executes often is compiled.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Console, Drawing, JitStatistics, Mapper};
use std::thread;

/// Consoles, each in a thread of its own.
const CONSOLES: u32 = 3;
/// Frames that are counted, for each console.
const FRAMES: u32 = 10_000;
/// A program has at most this many compile jobs, so it is warm after as many times as many frames.
const JOBS: u32 = 8;

/// A ROM of every mapper that the ROMs have.
const ROMS: [(Mapper, &str); 9] = [
    (Mapper::Rom2K, "breakout"),
    (Mapper::Rom4K, "seaquest"),
    (Mapper::F8, "asteroids"),
    (Mapper::F8Sc, "elevator_action"),
    (Mapper::F6, "crossbow"),
    (Mapper::F6Sc, "darkchambers"),
    (Mapper::E0, "montezuma_revenge"),
    (Mapper::Fe, "robotank"),
    (Mapper::Dpc, "pitfall2"),
];

fn play(consoles: &mut [Console], frames: u32) {
    thread::scope(|scope| {
        for (number, console) in (0..).zip(consoles) {
            scope.spawn(move || {
                let mut random = pair::programs::Random(number);
                for _ in 0..frames {
                    console.run_frame(&pair::input(&mut random), Drawing::OnDemand);
                }
            });
        }
    });
}

fn statistics(consoles: &[Console]) -> JitStatistics {
    consoles[0].jit_statistics().expect("a compiler is installed")
}

#[test]
fn after_warm_up_no_frame_takes_a_lock() {
    install(pair::THRESHOLD, CompileThread::Console);
    for (mapper, name) in ROMS {
        let rom = support::rom(name);
        assert_eq!(Mapper::detect(&rom), Ok(mapper), "{name}");
        let mut consoles: Vec<Console> = (0..CONSOLES).map(|number| pair::console(&rom, number)).collect();
        let mut jobs = 0;
        let mut has_counted = false;
        for _ in 0..=JOBS {
            // Every console takes the lock once for each code cache. This frame takes it for the last one, if no other job begins in it.
            let jobs_before = jobs;
            play(&mut consoles, 1);
            let before = statistics(&consoles);
            assert!(before.locks <= before.jobs * CONSOLES, "{name}: {before:?}");
            play(&mut consoles, FRAMES);
            jobs = statistics(&consoles).jobs;
            if before.is_compiled && jobs == jobs_before && jobs == before.jobs {
                assert_eq!(statistics(&consoles), before, "{name}");
                has_counted = true;
                break;
            }
        }
        assert!(has_counted, "{name}: a compile job began in every window");
        assert!((1..JOBS).contains(&jobs), "{name}: {jobs} jobs");
    }
}
