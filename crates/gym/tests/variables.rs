//! The variables of a game's rules, which label observations and are observations themselves.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use gym2600_gym::random::Pcg64;
use gym2600_gym::{AutoresetMode, Dtype, Game, GameDescription, GameOptions, GymError, PRESETS, SpaceBounds};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

fn options(json: &str) -> GameOptions {
    serde_json::from_str(json).unwrap()
}

/// The whole numbers of an observation.
fn numbers(observation: &[u8]) -> Vec<i32> {
    observation
        .as_chunks()
        .0
        .iter()
        .map(|bytes| i32::from_le_bytes(*bytes))
        .collect()
}

/// What an environment's variables are as an observation.
fn labels(game: &Game) -> Vec<i32> {
    game.variables()
        .map(|(_, value)| i32::try_from(value).unwrap())
        .collect()
}

fn values<'a>(variables: impl Iterator<Item = (&'a str, i64)>) -> BTreeMap<&'a str, i64> {
    variables.collect()
}

#[test]
fn an_end_that_starts_the_next_episode_keeps_the_variables_of_the_end() {
    let options = GameOptions {
        autoreset: Some(AutoresetMode::SameStep),
        ..GameOptions::default()
    };
    let mut game = Game::new(gym2600_arcade::WALLOP, &options).unwrap();
    game.restart(Some(1)).unwrap();
    for _ in 0..20_000 {
        let record = game.advance(1).unwrap();
        let Some(info) = record.final_info else {
            assert!(game.final_variables().is_none());
            continue;
        };
        let score = record.episode.unwrap().reward as i64;
        let last = values(game.final_variables().unwrap());
        assert_eq!((last["lives"], last["score"]), (i64::from(info.lives), score));
        let now = values(game.variables());
        assert_eq!((now["lives"], now["score"]), (5, 0));
        game.advance(1).unwrap();
        assert!(game.final_variables().is_none());
        return;
    }
    panic!("no game has ended");
}

/// A definition that names the place of the bat and a number that 32 bits do not have.
const CELLS: &str = r#"{"observation": "labels", "wrappers": [], "game": {"rom": "mine", "rules": {
    "start": "score = 0; lives = 5",
    "frame": "score = bcd(0x85, 0x84, 0x83); lives = ram[0x82]; bat = ram[0x8A]; huge = -(2 ** 40)"
}}}"#;

#[test]
fn labels_are_the_observation_in_the_order_of_their_names_within_bounds_from_the_rules() {
    let mut game = Game::new(WALLOP, &options(CELLS)).unwrap();
    assert_eq!(
        GameDescription::of(&game).arcade.labels,
        ["score", "lives", "bat", "huge"]
    );
    let space = game.observation_space().clone();
    assert_eq!((space.shape, space.dtype), (vec![4], Dtype::Int32));
    let bounds = SpaceBounds {
        low: vec![0, 0, 0, i32::MIN],
        high: vec![1_666_665, 255, 255, 0],
    };
    assert_eq!(space.bounds, Some(bounds));
    let mut observation = [0; 16];
    game.reset(None, &mut observation).unwrap();
    let mut bats = Vec::new();
    for step in 0..300 {
        game.step(1 + step % 3, &mut observation).unwrap();
        let [score, lives, bat, huge] = numbers(&observation)[..] else {
            panic!("four labels")
        };
        let ram = game.arcade().ram();
        assert_eq!((lives, bat, huge), (ram[2].into(), ram[10].into(), i32::MIN));
        assert_eq!(i64::from(score), game.variables().next().unwrap().1);
        bats.push(bat);
    }
    bats.dedup();
    assert!(bats.len() > 10, "the bat was at {bats:?}");
}

#[test]
fn labels_stay_within_their_bounds_in_every_game_of_the_catalogue() {
    let options = options(
        r#"{"observation": "labels", "wrappers": [{"type": "SkipFrames", "n": 4}, "AutoReset"], "fullActionSpace": true}"#,
    );
    let mut random = Pcg64::new(1);
    let (mut games, mut bounded) = (0, 0);
    for (name, rom) in support::all_roms() {
        let mut game = match Game::new(&rom, &options) {
            Ok(game) => game,
            Err(error) => {
                assert!(
                    matches!(
                        error,
                        GymError::Option {
                            option: "observation",
                            ..
                        }
                    ),
                    "{name}: {error}"
                );
                continue;
            }
        };
        games += 1;
        let count = game.action_count() as u32;
        let SpaceBounds { low, high } = game.observation_space().bounds.clone().unwrap();
        bounded += low.iter().filter(|low| **low > i32::MIN).count();
        let mut observation = vec![0; game.observation_len()];
        game.reset(None, &mut observation).unwrap();
        for _ in 0..100 {
            game.step(random.integers(0, count), &mut observation).unwrap();
            // Without a clamp.
            let values = labels(&game);
            assert_eq!(numbers(&observation), values, "{name}");
            let mut within = values
                .iter()
                .zip(low.iter().zip(&high))
                .map(|(value, (low, high))| low <= value && value <= high);
            assert!(
                within.all(|within| within),
                "{name}: {values:?} not from {low:?} to {high:?}"
            );
        }
    }
    assert!(games > 100 && bounded > 300, "{games} games, {bounded} bounded labels");
}

#[test]
fn labels_are_stacked_by_every_preset_and_their_bounds_with_them() {
    for preset in PRESETS {
        let name = preset.name;
        let mut game = Game::new(
            WALLOP,
            &options(&format!(
                r#"{{"preset": "{name}", "observation": "labels", "autoreset": "next-step"}}"#
            )),
        )
        .unwrap();
        let count = labels(&game).len();
        let space = game.observation_space().clone();
        let is_last = space.shape == [count, 4];
        assert!(is_last || space.shape == [4, count], "{name}: {:?}", space.shape);
        let SpaceBounds { low, high } = space.bounds.unwrap();
        let single = Game::new(WALLOP, &options(r#"{"wrappers": [], "observation": "labels"}"#)).unwrap();
        let SpaceBounds { low: one, .. } = single.observation_space().bounds.clone().unwrap();
        let expected: Vec<i32> = if is_last {
            one.iter().flat_map(|low| [*low; 4]).collect()
        } else {
            one
        };
        assert_eq!((low, high.len()), (expected.clone(), expected.len()), "{name}");
        let mut observation = vec![0; game.observation_len()];
        game.reset(None, &mut observation).unwrap();
        for step in 0..20 {
            game.step(1 + step % 2, &mut observation).unwrap();
        }
        let stack = numbers(&observation);
        let newest: Vec<i32> = if is_last {
            stack.chunks(4).map(|values| values[3]).collect()
        } else {
            stack[3 * count..].to_vec()
        };
        assert_eq!(newest, labels(&game), "{name}");
        // A state has them too.
        let state = game.save();
        let mut other = Game::new(
            WALLOP,
            &options(&format!(
                r#"{{"preset": "{name}", "observation": "labels", "autoreset": "next-step"}}"#
            )),
        )
        .unwrap();
        other.restore(&state).unwrap();
        let mut restored = vec![0; observation.len()];
        other.observe(&mut restored).unwrap();
        assert_eq!(restored, observation, "{name}");
    }
}

#[test]
fn wrappers_of_bytes_and_rules_without_variables_refuse_labels() {
    for wrapper in [
        r#""ImagePreprocessing""#,
        r#""MaxBetweenFrames""#,
        r#""ScaledFloat""#,
        r#"{"type": "SkipFrames", "shows": "maxOfLastTwo"}"#,
    ] {
        let error = Game::new(
            WALLOP,
            &options(&format!(r#"{{"observation": "labels", "wrappers": [{wrapper}]}}"#)),
        )
        .unwrap_err();
        assert!(matches!(error, GymError::Wrapper { .. }), "{error}");
        assert!(
            error
                .to_string()
                .ends_with("the observations below it are whole numbers of 32 bits, and it is for bytes"),
            "{error}"
        );
    }
    let error = Game::new(
        WALLOP,
        &options(r#"{"observation": "labels", "game": {"rom": "mine"}}"#),
    )
    .unwrap_err();
    assert_eq!(error.code(), "bad-option");
    assert_eq!(
        error.to_string(),
        "option observation: the rules of mine have no variables that could be labels"
    );
}
