//! Games that take turns in one thread give the observations that each gives alone.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use std::hash::{DefaultHasher, Hash, Hasher};

use gym2600_gym::{Game, GameOptions, PRESETS};

/// The games that take turns.
const GAMES: usize = 18;
const ROUNDS: u32 = 120;

struct Player {
    game: Game,
    observation: Vec<u8>,
    ended: bool,
    seen: Vec<u64>,
}

impl Player {
    fn new(rom: &[u8], preset: &str) -> Self {
        let options = |preset: &str| GameOptions {
            preset: Some(preset.into()),
            ..GameOptions::default()
        };
        // Some presets refuse games without FIRE.
        let game = Game::new(rom, &options(preset)).or_else(|_| Game::new(rom, &options("gym2600")));
        let game = game.unwrap();
        Self {
            observation: vec![0; game.observation_len()],
            game,
            ended: true,
            seen: Vec::new(),
        }
    }

    /// A step or a reset, and sometimes a picture, or a state that is saved and restored.
    fn play(&mut self, round: u32) {
        let Self {
            game,
            observation,
            ended,
            seen,
        } = self;
        if *ended {
            game.reset(None, observation).unwrap();
            *ended = false;
        } else {
            let action = (round * 7 + round / 11) % game.action_count() as u32;
            let step = game.step(action, observation).unwrap();
            *ended = (step.terminated || step.truncated) && !game.resets_itself();
        }
        let mut hasher = DefaultHasher::new();
        observation.hash(&mut hasher);
        if round % 5 == 4 {
            game.arcade_mut().screen().hash(&mut hasher);
        }
        if round % 17 == 16 {
            let state = game.save();
            state.hash(&mut hasher);
            game.restore(&state).unwrap();
        }
        seen.push(hasher.finish());
    }
}

#[test]
fn games_that_take_turns_show_what_each_shows_alone() {
    for (number, roms) in support::all_roms().chunks(GAMES).enumerate() {
        let preset = |at: usize| PRESETS[(number + at) % PRESETS.len()].name;
        let alone: Vec<_> = std::thread::scope(|scope| {
            let threads = roms.iter().enumerate().map(|(at, (_, rom))| {
                // Alone in a new thread.
                let thread = scope.spawn(move || {
                    let mut player = Player::new(rom, preset(at));
                    (0..ROUNDS).for_each(|round| player.play(round));
                    player.seen
                });
                thread.join().unwrap()
            });
            threads.collect()
        });
        let mut players: Vec<_> = roms
            .iter()
            .enumerate()
            .map(|(at, (_, rom))| Player::new(rom, preset(at)))
            .collect();
        for round in 0..ROUNDS {
            for player in &mut players {
                player.play(round);
            }
        }
        for ((player, alone), (name, _)) in players.iter().zip(&alone).zip(roms) {
            assert!(player.seen == *alone, "{name}");
        }
    }
}
