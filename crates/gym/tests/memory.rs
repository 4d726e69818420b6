//! Planning from one state keeps nothing: what is allocated after ten thousand branches is what was allocated after a hundred.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use allocation_counter::measure;
use gym2600_arcade::{Action, Arcade, Generators, Picture, Settings};
use gym2600_gym::{Game, GameOptions};

const WALLOP: &[u8] = include_bytes!("../../../roms/wallop/wallop.bin");

/// Runs a branch ten thousand times; checks after each hundred that they have left no byte behind.
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
            arcade.act(action, Picture::Wanted);
        }
        assert_eq!(*expected.get_or_insert(*arcade.ram()), *arcade.ram());
    });

    keeps_nothing(|number| {
        let mut branch = arcade.clone();
        branch.act(Action::ALL[number as usize % 18], Picture::Wanted);
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
        // Refused, and put back as it was.
        game.restore(&state[..state.len() / 2]).unwrap_err();
    });
}
