//! Saved states of real games: play from a restored state equals uninterrupted play.

mod support;

use allocation_counter::measure;
use gym2600_arcade::{Action, Arcade, Drawing, Generators, Settings, StateError, StateKind, seal, unseal};
use support::rom;

/// ROMs with every mapper, a mode program, partial frames and short frames.
const GAMES: [&str; 12] = [
    "breakout",
    "seaquest",
    "qbert",
    "tetris",
    "montezuma_revenge",
    "pitfall2",
    "robotank",
    "klax",
    "elevator_action",
    "crossbow",
    "journey_escape",
    "tic_tac_toe_3d",
];

/// A fixed pseudo-random sequence of actions.
fn action(index: u32) -> Action {
    Action::ALL[(index.wrapping_mul(2_654_435_761) >> 16) as usize % Action::ALL.len()]
}

fn play(arcade: &mut Arcade, from: u32, frames: u32, drawing: Drawing) -> Vec<(i32, [u8; 128], u32)> {
    (from..from + frames)
        .map(|index| {
            if arcade.game_over() {
                arcade.reset_game();
            }
            let reward = arcade.act(action(index), drawing);
            let ram = *arcade.ram();
            (reward, ram, crc32fast::hash(arcade.screen()))
        })
        .collect()
}

#[test]
fn a_restored_game_goes_on_byte_for_byte() {
    for name in GAMES {
        let rom = rom(name);
        let mut original = Arcade::load(&rom, &Settings::default()).expect("a game of the catalogue");
        // Frames that are not drawn are pending when the state is saved.
        for index in 0..237 {
            original.act(action(index), Drawing::OnDemand);
        }
        let state = original.save(Generators::Included);
        assert!(state.len() < 64 * 1024, "{name}: {} bytes", state.len());
        let mut restored = Arcade::load(
            &rom,
            &Settings {
                random_seed: 99,
                ..Settings::default()
            },
        )
        .expect("the same game");
        restored.restore(&state, Generators::Included).expect("its own state");
        assert_eq!(restored.episode_frame_number(), original.episode_frame_number());
        let expected = play(&mut original, 1000, 300, Drawing::Immediate);
        assert!(
            play(&mut restored, 1000, 300, Drawing::OnDemand) == expected,
            "{name} went another way"
        );
        // Another branch from the same state, in the same console.
        restored.restore(&state, Generators::Included).expect("its own state");
        assert!(
            play(&mut restored, 1000, 300, Drawing::Immediate) == expected,
            "{name} went another way the second time"
        );
    }
}

#[test]
fn without_generators_sticky_actions_run_on() {
    let rom = rom("breakout");
    let mut arcade = Arcade::load(&rom, &Settings::default()).expect("a game of the catalogue");
    let state = arcade.save(Generators::Excluded);
    let first = play(&mut arcade, 0, 200, Drawing::OnDemand);
    let last = arcade.last_action();
    assert_ne!(last, Action::Noop);
    arcade.restore(&state, Generators::Excluded).expect("its own state");
    assert_eq!(arcade.last_action(), last);
    assert!(
        play(&mut arcade, 0, 200, Drawing::OnDemand) != first,
        "the same actions stuck twice"
    );
    assert!(matches!(
        arcade.restore(&state, Generators::Included),
        Err(StateError::Kind { .. })
    ));
}

#[test]
fn a_copy_goes_on_byte_for_byte_as_from_the_bytes_of_its_original() {
    for name in GAMES {
        let mut original = Arcade::load(&rom(name), &Settings::default()).expect("a game of the catalogue");
        for index in 0..237 {
            original.act(action(index), Drawing::OnDemand);
        }
        let other = Settings {
            random_seed: 99,
            ..Settings::default()
        };
        for generators in [Generators::Included, Generators::Excluded] {
            let load = || Arcade::load(&rom(name), &other).expect("the same game");
            let (mut copy, mut restored) = (load(), load());
            copy.copy_from(&original, generators).expect("the same game");
            let state = original.save(generators);
            restored.restore(&state, generators).expect("its own state");
            let expected = play(&mut restored, 1000, 300, Drawing::Immediate);
            assert!(
                play(&mut copy, 1000, 300, Drawing::OnDemand) == expected,
                "{name}, {generators:?}: the copy went another way"
            );
            assert!(original.save(generators) == state, "{name}: the original has moved");
        }
    }
}

#[test]
fn states_of_other_games_and_damaged_ones_change_nothing() {
    let mut pong = Arcade::load(&rom("pong"), &Settings::default()).expect("a game of the catalogue");
    let mut breakout = Arcade::load(&rom("breakout"), &Settings::default()).expect("a game of the catalogue");
    let foreign = pong.save(Generators::Included);
    let mut own = breakout.save(Generators::Included);
    let before = own.clone();
    assert!(matches!(
        breakout.restore(&foreign, Generators::Included),
        Err(StateError::OtherRom { .. })
    ));
    assert!(matches!(
        breakout.copy_from(&pong, Generators::Included),
        Err(StateError::OtherRom { .. })
    ));
    let last = own.len() - 1;
    own[last] ^= 1;
    assert!(matches!(
        breakout.restore(&own, Generators::Included),
        Err(StateError::Altered { .. })
    ));
    assert!(breakout.restore(&own[..20], Generators::Included).is_err());
    assert!(breakout.restore(&[], Generators::Included).is_err());
    assert!(breakout.save(Generators::Included) == before);
}

#[test]
fn a_state_that_unpacks_to_more_than_any_state_is_refused_before_it_is_unpacked() {
    let (kind, md5) = (StateKind::Arcade, [7; 16]);
    let bomb = seal(kind, md5, &vec![0; 100 << 20]);
    assert!(bomb.len() < 1 << 20);
    let allocations = measure(|| {
        assert!(matches!(unseal(kind, md5, &bomb), Err(StateError::Foreign { .. })));
    });
    assert!(allocations.bytes_max < 64 << 20, "{} bytes", allocations.bytes_max);
}
