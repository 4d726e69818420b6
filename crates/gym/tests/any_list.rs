//! Random lists of wrappers: each is refused with a reason, or plays.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_gym::random::Pcg64;
use gym2600_gym::{Game, GameOptions, GymError};
use serde_json::{Value, json};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;
const LISTS: usize = 250;

/// One of `choices`.
fn pick<T: Clone>(random: &mut Pcg64, choices: &[T]) -> T {
    choices[random.integers(0, choices.len() as u32) as usize].clone()
}

/// A wrapper with random options, most of them valid.
fn wrapper(random: &mut Pcg64) -> Value {
    let number = |random: &mut Pcg64| pick(random, &[0, 1, 1, 2, 3, 4, 7, 30, u32::MAX]);
    let side = |random: &mut Pcg64| match random.integers(0, 8) {
        0 => json!(null),
        1 => json!(0),
        2 => json!(u32::MAX),
        3 => json!(84),
        _ => json!(random.integers(1, 250)),
    };
    match random.integers(0, 15) {
        0 => json!({"type": "StickyActions", "probability": pick(random, &[0.0, 0.25, 1.0, 1.5, -0.1])}),
        1 => json!("FrameBlending"),
        2 => json!({
            "type": "EpisodicLife",
            "compare": pick(random, &["previousStep", "episodeStart"]),
            "ends": pick(random, &["livesLeft", "any"]),
            "restart": pick(random, &["noopStep", "continue", "fullReset"]),
        }),
        3 => json!({
            "type": "FireReset",
            "plays": pick(random, &["fire", "fireAndSecond"]),
            "withoutFire": pick(random, &["refuse", "passOn"]),
        }),
        4 => json!({
            "type": "NoopReset",
            "max": number(random),
            "draw": pick(random, &["numpy", "aleVector", "envpool"]),
        }),
        5 => json!({"type": "StartWithRandomActions", "max": number(random)}),
        6 => json!("MaxBetweenFrames"),
        7 => json!({
            "type": "SkipFrames",
            "n": number(random),
            "below": pick(random, &[json!(null), json!(null), json!(5), json!(u32::MAX)]),
            "shows": pick(random, &[
                "last",
                "lastWithoutEndingFrame",
                "maxOfLastTwo",
                "maxOfAll",
                "maxOfTwoBuffers",
                "maxWithoutEndingFrame",
                "maxOrFirstBuffer",
            ]),
            "stopsAt": pick(random, &["episodeEnd", "lostLife"]),
        }),
        8 | 9 => json!({
            "type": "ImagePreprocessing",
            "width": side(random),
            "height": side(random),
            "grey": pick(random, &[json!(null), json!(null), json!("opencv"), json!("ale")]),
            "interpolation": pick(random, &["area", "linear"]),
            "rows": pick(random, &[json!(null), json!(null), json!(0), json!(1), json!(150), json!(210), json!(u32::MAX)]),
        }),
        10 => json!({
            "type": "QueueFrames",
            "n": number(random),
            "axis": pick(random, &["first", "last"]),
            "concat": pick(random, &[false, true]),
            "padding": pick(random, &["reset", "zero", "gameReset"]),
        }),
        11 => json!({"type": "ClipReward", "to": pick(random, &["sign", "range"])}),
        12 => json!("ScaledFloat"),
        13 => json!({"type": "TimeLimit", "steps": number(random)}),
        _ => json!({"type": "AutoReset", "mode": pick(random, &["next-step", "same-step"])}),
    }
}

/// Two hundred steps with a save in between, and the last fifty of them once more in a clone.
fn play(mut game: Game, random: &mut Pcg64) {
    game.keep_final_observations();
    let mut observation = vec![0; game.observation_len()];
    game.reset(None, &mut observation).unwrap();
    let count = game.action_count() as u32;
    let mut clone = None;
    for number in 0..200 {
        let action = random.integers(0, count);
        let step = game.step(action, &mut observation).unwrap();
        if (step.terminated || step.truncated) && !game.resets_itself() {
            game.reset(None, &mut observation).unwrap();
        }
        if number == 150 {
            let state = game.save();
            game.restore(&state).unwrap();
            clone = Some((game.clone(), random.clone()));
        }
    }
    let (mut clone, mut random) = clone.unwrap();
    let mut copied = vec![0; observation.len()];
    for _ in 151..200 {
        let step = clone.step(random.integers(0, count), &mut copied).unwrap();
        if (step.terminated || step.truncated) && !clone.resets_itself() {
            clone.reset(None, &mut copied).unwrap();
        }
    }
    assert!(copied == observation && clone.save() == game.save());
}

#[test]
fn every_list_is_refused_with_a_reason_or_plays() {
    let mut random = Pcg64::new(2600);
    let (mut played, mut refused) = (0, 0);
    for _ in 0..LISTS {
        let mut wrappers: Vec<Value> = (0..random.integers(1, 6)).map(|_| wrapper(&mut random)).collect();
        // At other places these wrappers would make most lists invalid.
        wrappers.sort_by_key(|wrapper| match wrapper["type"].as_str() {
            Some("StickyActions") => 0,
            Some("AutoReset") => 2,
            _ => 1,
        });
        let json = json!({
            "wrappers": wrappers,
            "observation": pick(&mut random, &["rgb", "rgb", "grey", "ram", "labels"]),
            "seeding": pick(&mut random, &["gymnasium", "gym", "native"]),
            "seed": random.integers(0, 1000),
        });
        let options: GameOptions = serde_json::from_value(json.clone()).unwrap();
        match Game::new(WALLOP, &options) {
            Ok(game) => {
                played += 1;
                play(game, &mut random);
            }
            Err(GymError::Wrapper { position, reason, .. }) => {
                refused += 1;
                assert!(position <= wrappers.len() && !reason.is_empty(), "{json}: {reason}");
            }
            Err(error) => panic!("{json}: {error}"),
        }
    }
    assert!(played > 50 && refused > 50, "{played} played, {refused} refused");
}
