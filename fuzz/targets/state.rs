//! Changed states with a right checksum are refused, or played. Four bytes are a change: its place, what is done, a value.

#![no_main]

use std::sync::LazyLock;

use gym2600_arcade::{StateKind, WALLOP, seal, unseal};
use gym2600_gym::{Game, GameOptions};
use libfuzzer_sys::fuzz_target;

/// A list that keeps many kinds of state, with small observations.
const LIST: &str = r#"{"observation": "ram", "wrappers": [{"type": "EpisodicLife"}, {"type": "NoopReset", "max": 30},
    {"type": "TimeLimit", "steps": 50}, "EpisodeStatistics", {"type": "QueueFrames", "n": 2},
    {"type": "AutoReset", "mode": "next-step"}]}"#;
/// Where both pictures are in a state. Their bytes may have any value.
const PICTURES: std::ops::Range<usize> = 500..67_600;

static OPTIONS: LazyLock<GameOptions> = LazyLock::new(|| serde_json::from_str(LIST).expect("a list"));
/// The MD5 of a state after a reset and some steps, and the state behind the seal.
static STATE: LazyLock<([u8; 16], Vec<u8>)> = LazyLock::new(|| {
    let mut game = Game::new(WALLOP, &OPTIONS).expect("a game");
    play(&mut game);
    let sealed = game.save();
    // After magic, version and kind.
    let md5 = *sealed[7..].first_chunk().expect("16 bytes");
    (md5, unseal(StateKind::Environment, md5, &sealed).expect("a state"))
});

fn play(game: &mut Game) {
    let mut observation = vec![0; game.observation_len()];
    let count = game.action_count() as u32;
    for step in 0..5 {
        if game.step(step % count, &mut observation).is_err() {
            game.reset(None, &mut observation).expect("a reset");
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let (md5, state) = &*STATE;
    let mut state = state.clone();
    let free = state.len() - PICTURES.len();
    for &[low, high, kind, value] in data.as_chunks().0 {
        let mut place = usize::from(u16::from_le_bytes([low, high])) % free;
        if place >= PICTURES.start {
            place += PICTURES.len();
        }
        state[place] = match kind % 3 {
            0 => value,
            1 => state[place].wrapping_add(value),
            _ => state[place] ^ value,
        };
    }
    let mut game = Game::new(WALLOP, &OPTIONS).expect("a game");
    let before = game.save();
    if game.restore(&seal(StateKind::Environment, *md5, &state)).is_ok() {
        play(&mut game);
        game.save();
    } else {
        assert!(game.save() == before, "a refused state changes the game");
    }
});
