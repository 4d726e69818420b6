//! States with arbitrary bytes are refused, or played without a panic and alike by the interpreter and compiled code.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Console, Input, Picture};
use pair::{Random, saved};

/// Frames before the state that is changed, enough for the program to be compiled.
const BEFORE: u32 = 40;
/// Changed states of each program.
const STATES: u32 = 400;
/// Bytes at the state's beginning and end that are changed. The pictures lie between them.
const ENDS: usize = 700;

/// Changes up to four bytes.
fn mutate(state: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let place = random.below(ENDS.min(state.len()));
        let place = [place, state.len() - 1 - place][random.below(2)];
        let any = random.below(256) as u8;
        state[place] = [0, 1, 0x7F, 0x80, 0xFF, any, state[place] ^ 1 << random.below(8)][random.below(7)];
    }
}

fn play(console: &mut Console, frames: u32) {
    for frame in 0..frames {
        let picture = [Picture::Wanted, Picture::OnDemand][frame as usize % 2];
        console.run_frame(&Input::default(), picture);
    }
}

#[test]
fn changed_states_are_refused_or_played() {
    // One ROM of every mapper.
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
    let roms = names.map(|name| (name, support::rom(name)));
    let interpreted: Vec<Console> = roms.iter().map(|(_, rom)| pair::console(rom, 1)).collect();
    install(pair::THRESHOLD, CompileThread::Console);
    for ((name, rom), mut plain) in roms.iter().zip(interpreted) {
        let mut compiled = pair::console(rom, 1);
        play(&mut compiled, BEFORE);
        assert!(compiled.is_compiled(), "{name}");
        let state = saved(&mut compiled);
        let mut random = Random(2600);
        let (mut refused, mut played) = (0, 0);
        for number in 0..STATES {
            let mut hostile = state.clone();
            mutate(&mut hostile, &mut random);
            let loaded = plain.load(&mut hostile.as_slice());
            assert_eq!(loaded, compiled.load(&mut hostile.as_slice()), "{name}: state {number}");
            if loaded.is_err() {
                refused += 1;
                continue;
            }
            played += 1;
            for console in [&mut plain, &mut compiled] {
                play(console, 3);
            }
            assert!(saved(&mut plain) == saved(&mut compiled), "{name}: state {number}");
        }
        assert!(
            refused > 0 && played > STATES / 4,
            "{name}: {refused} refused, {played} played"
        );
    }
}
