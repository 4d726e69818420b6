//! States with arbitrary bytes behind a right checksum are refused, or played without a panic.
//!
//! Two games restore every state, an interpreted and a compiled one; what one does is compared with the other. `GYM2600_FUZZ_SECONDS` and
//! `GYM2600_FUZZ_SEED` make the run longer and different: see `scripts/fuzz`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../vcs/tests/programs/mod.rs"]
mod programs;

use std::time::{Duration, Instant};

use gym2600_arcade::{StateError, StateKind, seal, unseal};
use gym2600_gym::random::Pcg64;
use gym2600_gym::{Game, GameOptions};
use gym2600_native::{CompileThread, TierUpThreshold, install};
use programs::number;

const WALLOP: &[u8] = gym2600_arcade::WALLOP;
/// Changed states of each list of wrappers, unless a time is given.
const STATES: u32 = 250;
/// Where both pictures are in a state. Their bytes may have any value, so most changes are made elsewhere.
const PICTURES: std::ops::Range<u32> = 500..67_600;

/// Lists that keep every kind of state, with small observations where possible.
const LISTS: [&str; 9] = [
    r#"{"observation": "ram", "wrappers": [{"type": "EpisodicLife"}, {"type": "NoopReset", "max": 30},
        {"type": "StartWithRandomActions", "max": 10}, {"type": "TimeLimit", "steps": 50}, "EpisodeStatistics",
        {"type": "QueueFrames", "n": 2}, "ScaledFloat", {"type": "AutoReset", "mode": "next-step"}]}"#,
    r#"{"observation": "labels", "wrappers": [{"type": "QueueFrames", "axis": "last"}, {"type": "AutoReset", "mode": "same-step"}]}"#,
    r#"{"observation": "grey", "wrappers": ["MaxBetweenFrames", {"type": "AutoReset", "mode": "same-step"}]}"#,
    r#"{"preset": "labml"}"#,
    r#"{"preset": "nature-dqn"}"#,
    r#"{"preset": "gymnasium"}"#,
    r#"{"preset": "ale-vector"}"#,
    r#"{"preset": "envpool"}"#,
    r#"{"preset": "baselines"}"#,
];

/// A place in a state. Half of the places are in the console, whose fields come first, and few in the pictures.
fn place(len: usize, random: &mut Pcg64) -> usize {
    loop {
        let most = [PICTURES.start, len as u32][random.integers(0, 2) as usize];
        let place = random.integers(0, most);
        if !PICTURES.contains(&place) || random.integers(0, 50) == 0 {
            return place as usize;
        }
    }
}

/// Changes one to four bytes.
fn mutate_bytes(state: &mut [u8], random: &mut Pcg64) {
    for _ in 0..random.integers(1, 5) {
        let place = place(state.len(), random);
        let values = [
            0,
            1,
            2,
            0x7F,
            0x80,
            0xFF,
            random.next_u32() as u8,
            state[place] ^ 1 << random.integers(0, 8),
        ];
        state[place] = values[random.integers(0, 8) as usize];
    }
}

/// Changes one or two words of two, four or eight bytes to limits of such numbers, or to about the length of the state or of its rest.
fn mutate_words(state: &mut [u8], random: &mut Pcg64) {
    for _ in 0..random.integers(1, 3) {
        let size = [2, 4, 8][random.integers(0, 3) as usize];
        let place = place(state.len() - size, random);
        let most = u64::MAX >> (64 - 8 * size);
        let length = state.len() as u64;
        let rest = length - (place + size) as u64;
        let values = [
            0,
            1,
            most,
            most - 1,
            most / 2,
            most / 2 + 1,
            length - 1,
            length,
            length + 1,
            rest - rest.min(1),
            rest,
            rest + 1,
        ];
        let value = values[random.integers(0, 12) as usize].to_le_bytes();
        state[place..place + size].copy_from_slice(&value[..size]);
    }
}

/// So low that the program is compiled before the first state is saved.
const THRESHOLD: TierUpThreshold = TierUpThreshold {
    interpreted: 3,
    profiled: 12,
};

/// How states are changed.
const MUTATIONS: [fn(&mut [u8], &mut Pcg64); 2] = [mutate_bytes, mutate_words];

/// Plays on, and gives the observations and the state that this leads to.
fn play(game: &mut Game) -> Vec<Vec<u8>> {
    let mut observation = vec![0; game.observation_len()];
    let mut run = Vec::new();
    game.observe(&mut observation).unwrap();
    run.push(observation.clone());
    let count = game.action_count() as u32;
    for step in 0..5 {
        // Before the first reset and after the end of an episode, a step is refused.
        if game.step(step % count, &mut observation).is_err() {
            game.reset(None, &mut observation).unwrap();
        }
        run.push(observation.clone());
    }
    game.reset(None, &mut observation).unwrap();
    run.push(observation);
    run.push(game.save());
    run
}

#[test]
fn changed_states_are_refused_or_played() {
    let seconds = number("GYM2600_FUZZ_SECONDS", 0);
    let mut random = Pcg64::new(number("GYM2600_FUZZ_SEED", 2600));
    // For each kind of change.
    let (mut refused, mut played) = ([0_u32; 2], [0_u32; 2]);
    let games = || LISTS.map(|list| Game::new(WALLOP, &serde_json::from_str(list).unwrap()).unwrap());
    let interpreted = games();
    install(THRESHOLD, CompileThread::Console);
    for ((list, mut game), mut other) in LISTS.into_iter().zip(interpreted).zip(games()) {
        let mut observation = vec![0; game.observation_len()];
        for game in [&mut game, &mut other] {
            game.reset(None, &mut observation).unwrap();
            play(game);
        }
        assert!(!game.arcade().is_compiled() && other.arcade().is_compiled(), "{list}");
        let sealed = game.save();
        let md5 = unseal_md5(&sealed);
        let state = unseal(StateKind::Environment, md5, &sealed).unwrap();
        let end = Instant::now() + Duration::from_secs(seconds) / LISTS.len() as u32;
        let mut number = 0;
        while number < STATES || Instant::now() < end {
            number += 1;
            let mut hostile = state.clone();
            let kind = random.integers(0, 2) as usize;
            MUTATIONS[kind](&mut hostile, &mut random);
            let hostile = seal(StateKind::Environment, md5, &hostile);
            let before = game.save();
            if let Err(error) = game.restore(&hostile) {
                assert_eq!(error, StateError::Misfit, "{list}: state {number}");
                assert!(
                    game.save() == before,
                    "{list}: state {number} is refused, and changes the game"
                );
                refused[kind] += 1;
                continue;
            }
            other.restore(&hostile).unwrap();
            assert!(play(&mut game) == play(&mut other), "{list}: state {number}");
            played[kind] += 1;
        }
    }
    println!("bytes, words: {refused:?} states refused, {played:?} played");
    assert!(
        refused.iter().chain(&played).all(|count| *count > STATES / 2),
        "{refused:?} states refused, {played:?} played"
    );
}

/// The MD5 in a sealed state, after magic, version and kind.
fn unseal_md5(sealed: &[u8]) -> [u8; 16] {
    *sealed[7..].first_chunk().unwrap()
}

#[test]
fn states_of_the_wrong_length_are_refused() {
    let options: GameOptions = serde_json::from_str(LISTS[0]).unwrap();
    let mut game = Game::new(WALLOP, &options).unwrap();
    let sealed = game.save();
    let md5 = unseal_md5(&sealed);
    let state = unseal(StateKind::Environment, md5, &sealed).unwrap();
    for length in (0..state.len()).step_by(997).chain([state.len() - 1]) {
        let short = seal(StateKind::Environment, md5, &state[..length]);
        assert_eq!(game.restore(&short), Err(StateError::Misfit), "{length} bytes");
    }
    let mut long = state.clone();
    long.push(0);
    let long = seal(StateKind::Environment, md5, &long);
    assert_eq!(game.restore(&long), Err(StateError::Misfit));
}
