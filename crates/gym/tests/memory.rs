//! The memory of a game, and of branches from one state: after ten thousand branches as much memory is allocated as after a
//! hundred.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use allocation_counter::measure;
use gym2600_arcade::{Action, Arcade, Drawing, Generators, Settings};
use gym2600_gym::{Game, GameOptions, VectorEnv, VectorOptions};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

/// Runs a branch ten thousand times, and checks after each hundred that the allocated memory has not grown.
fn keeps_nothing(mut branch: impl FnMut(u32)) {
    (0..100).for_each(&mut branch);
    for hundred in 1..100 {
        let left = measure(|| (100 * hundred..100 * (hundred + 1)).for_each(&mut branch));
        assert_eq!(
            left.bytes_current, 0,
            "bytes left behind by the branches from {hundred}00 on"
        );
    }
}

#[test]
fn ten_thousand_branches_from_one_state_leave_no_byte_behind() {
    let mut arcade = Arcade::load(WALLOP, &Settings::default()).unwrap();
    let state = arcade.save(Generators::Included);
    let mut expected = None;
    keeps_nothing(|_| {
        arcade.restore(&state, Generators::Included).unwrap();
        for action in [Action::Fire, Action::Left] {
            arcade.act(action, Drawing::Immediate);
        }
        assert_eq!(*expected.get_or_insert(*arcade.ram()), *arcade.ram());
    });

    keeps_nothing(|number| {
        let mut branch = arcade.clone();
        branch.act(Action::ALL[number as usize % 18], Drawing::Immediate);
        branch.save(Generators::Excluded);
    });

    let options = GameOptions {
        preset: Some("gymnasium".into()),
        sound_obs: Some(true),
        ..GameOptions::default()
    };
    let mut game = Game::new(WALLOP, &options).unwrap();
    let mut observation = vec![0; game.observation_len()];
    game.reset(None, &mut observation).unwrap();
    let state = game.save();
    let actions = game.action_count() as u32;
    keeps_nothing(|number| {
        game.restore(&state).unwrap();
        game.step(number % actions, &mut observation).unwrap();
        assert_eq!(game.audio().len(), 4 * gym2600_arcade::SOUND_SAMPLES);
        // A state that is refused, after which the game is unchanged.
        game.restore(&state[..state.len() / 2]).unwrap_err();
    });
}

/// A game of `AtariVectorEnv`'s stack after 100 steps.
fn played(rom: &[u8]) -> Box<Game> {
    let options = GameOptions {
        preset: Some("ale-vector".into()),
        seed: Some(0),
        ..GameOptions::default()
    };
    let mut game = Box::new(Game::new(rom, &options).unwrap());
    game.restart(None).unwrap();
    for number in 0..100 {
        let action = (number * 7 + number / 11) % game.action_count() as u32;
        game.advance(action).unwrap();
    }
    game
}

#[test]
fn a_batch_loads_its_games_and_no_other() {
    let game = || GameOptions {
        preset: Some("ale-vector".into()),
        ..GameOptions::default()
    };
    let options = VectorOptions {
        game: game(),
        num_envs: 1,
        seeds: None,
    };
    // The first load allocates what all share.
    Game::new(WALLOP, &game()).unwrap();
    let alone = measure(|| drop(Game::new(WALLOP, &game()).unwrap())).bytes_total;
    let batch = measure(|| drop(VectorEnv::new(WALLOP, &options).unwrap())).bytes_total;
    assert!(
        batch < alone + alone / 2,
        "{batch} bytes for a batch, {alone} for a game"
    );
}

#[test]
fn a_game_takes_less_than_240_kilobytes_and_nearly_all_games_less_than_200() {
    let (mut games, mut large) = (0, Vec::new());
    for (name, rom) in support::all_roms() {
        // These allocate what games of one ROM share.
        let others = [(); 3].map(|()| played(&rom));
        let mut game = None;
        let taken = measure(|| game = Some(played(&rom))).bytes_current;
        assert!(taken < 240_000, "{name}: {taken} bytes");
        if taken >= 200_000 {
            large.push((name, taken));
        }
        games += 1;
        drop((others, game));
    }
    assert!(games > 100, "{games} ROMs");
    // Their frames end early, so that pictures of both frame buffers are needed.
    assert!(large.len() <= 5, "{large:?}");
}
