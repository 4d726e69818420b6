//! States with arbitrary bytes are refused, or played without a panic and alike by the interpreter and compiled code.
//!
//! `GYM2600_FUZZ_SECONDS` and `GYM2600_FUZZ_SEED` make the run longer and different: see `scripts/fuzz`.
#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Console, ConsoleConfig, Drawing, Mapper};
use pair::programs::{Random, number};
use pair::saved;
use std::time::{Duration, Instant};

/// Frames before the state that is changed, enough for the program to be compiled.
const BEFORE: u32 = 40;
/// Changed states of each program and configuration, unless a time is given.
const STATES: u32 = 150;
/// Where the pictures are in a state. Their bytes may have any value.
const PICTURES: std::ops::Range<usize> = 500..67_600;
/// The bytes of sound samples, near the end. Few values are levels.
const SAMPLES: usize = 512;

/// Changes up to four bytes.
fn mutate(state: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let is_rare = random.below(50) == 0;
        let place = loop {
            let place = random.below(state.len());
            let is_picture = PICTURES.contains(&place);
            let is_sample = !is_picture && place > PICTURES.end && random.below(SAMPLES) > 20;
            if is_rare || !is_picture && !is_sample {
                break place;
            }
        };
        let any = random.below(256) as u8;
        state[place] = [0, 1, 0x7F, 0x80, 0xFF, any, state[place] ^ 1 << random.below(8)][random.below(7)];
    }
}

fn play(console: &mut Console, frames: u32, random: &mut Random) {
    for frame in 0..frames {
        let drawing = [Drawing::Immediate, Drawing::OnDemand][frame as usize % 2];
        console.run_frame(&pair::any_input(random), drawing);
    }
}

#[test]
fn changed_states_are_refused_or_played() {
    // One ROM of every mapper that the ROMs have.
    let names = [
        "breakout",
        "seaquest",
        "asteroids",
        "elevator_action",
        "crossbow",
        "darkchambers",
        "montezuma_revenge",
        "robotank",
        "pitfall2",
    ];
    let mut random = Random(number("GYM2600_FUZZ_SEED", 2600));
    let mut programs = Vec::new();
    for name in names {
        let rom = support::rom(name);
        let mapper = Mapper::detect(&rom).unwrap();
        let usual = ConsoleConfig::new(mapper);
        for config in [
            usual,
            pair::any_config(mapper, &mut random),
            pair::any_config(mapper, &mut random),
        ] {
            // Made before the compiler is installed.
            let interpreted = Console::new(rom.clone(), &config).unwrap();
            programs.push((name, rom.clone(), config, interpreted));
        }
    }
    let time = Duration::from_secs(number("GYM2600_FUZZ_SECONDS", 0)) / programs.len() as u32;
    install(pair::THRESHOLD, CompileThread::Console);
    let (mut all_refused, mut all_played) = (0, 0);
    for (name, rom, config, mut plain) in programs {
        let mut compiled = Console::new(rom, &config).unwrap();
        compiled.reset(&mut || 1);
        play(&mut compiled, BEFORE, &mut random);
        assert!(compiled.is_compiled(), "{name}, {config:?}");
        let state = saved(&mut compiled);
        let (mut refused, mut played) = (0, 0);
        let end = Instant::now() + time;
        while refused + played < STATES || Instant::now() < end {
            let number = refused + played;
            let mut hostile = state.clone();
            mutate(&mut hostile, &mut random);
            let loaded = plain.load(&mut hostile.as_slice());
            let what = format!("{name}, {config:?}: state {number}");
            assert_eq!(loaded, compiled.load(&mut hostile.as_slice()), "{what}");
            if loaded.is_err() {
                refused += 1;
                continue;
            }
            played += 1;
            let inputs = random.below(usize::MAX) as u64;
            for console in [&mut plain, &mut compiled] {
                play(console, 3, &mut Random(inputs));
            }
            assert!(saved(&mut plain) == saved(&mut compiled), "{what}");
        }
        assert!(
            refused > 0 && played > STATES / 4,
            "{name}, {config:?}: {refused} refused, {played} played"
        );
        all_refused += refused;
        all_played += played;
    }
    println!("{all_refused} states refused, {all_played} played");
}
