//! Options at the ends of their ranges, and lists that no preset has.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use gym2600_gym::spec::Wrapper;
use gym2600_gym::{Game, GymError, StepRecord};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;
/// The most pixels of a side.
const MOST_SIDE: u32 = 4096;

fn new(json: &str) -> Result<Game, GymError> {
    Game::new(WALLOP, &serde_json::from_str(json).unwrap())
}

fn game(json: &str) -> Game {
    new(json).unwrap()
}

/// A reset, and its observation.
fn reset(game: &mut Game, seed: Option<u64>) -> Vec<u8> {
    let mut observation = vec![0; game.observation_len()];
    game.reset(seed, &mut observation).unwrap();
    observation
}

fn step(game: &mut Game, action: u32) -> (StepRecord, Vec<u8>) {
    let mut observation = vec![0; game.observation_len()];
    let record = game.step(action, &mut observation).unwrap();
    (record, observation)
}

/// A definition of WALLOP with five lives, which ends as `terminal` says.
fn wallop(terminal: &str, minimal: &str) -> String {
    let frame = format!("n = n + 1; lives = ram[0x82]; terminal = {terminal}");
    format!(
        r#"{{"rom": "mine", "actions": {{"minimal": {minimal}}}, "rules": {{"start": "n = 0; lives = 5; terminal = false", "frame": "{frame}"}}}}"#
    )
}

#[test]
fn the_largest_seed_is_taken() {
    for (seeding, largest) in [
        ("gymnasium", (1 << 53) - 1),
        ("gym", u64::from(u32::MAX)),
        ("native", i32::MAX as u64),
    ] {
        let of = |seed: u64| {
            new(&format!(
                r#"{{"wrappers": [], "seeding": "{seeding}", "seed": {seed}}}"#
            ))
        };
        reset(&mut of(largest).unwrap(), None);
        assert!(of(largest + 1).is_err());
    }
}

#[test]
fn a_probability_of_0_adds_no_sticky_actions_and_a_limit_of_0_removes_the_wrapper() {
    let plain = game(r#"{"wrappers": ["SkipFrames"], "repeatActionProbability": 0}"#);
    assert!(matches!(plain.spec().wrappers[..], [Wrapper::SkipFrames(_)]));
    let limits = |frames: u32| {
        let game = game(&format!(
            r#"{{"preset": "ale-vector", "maxFramesPerEpisode": {frames}}}"#
        ));
        let wrappers = game.spec().wrappers.iter();
        wrappers
            .filter(|wrapper| matches!(wrapper, Wrapper::TimeLimit(_)))
            .count()
    };
    assert_eq!([0, 1].map(limits), [0, 1]);
}

#[test]
fn a_mapper_of_another_size_is_refused() {
    assert!(new(r#"{"wrappers": [], "mapper": "F8"}"#).is_err());
    assert!(new(r#"{"wrappers": [], "mapper": "4K"}"#).is_ok());
}

#[test]
fn two_presses_of_a_reset_need_fire_and_an_action_after_it() {
    let with = |minimal: &str| {
        let definition = wallop("false", minimal);
        let fire = r#"{"type": "FireReset", "plays": "fireAndSecond"}"#;
        new(&format!(r#"{{"game": {definition}, "wrappers": [{fire}]}}"#))
    };
    assert!(with(r#"["NOOP", "FIRE", "RIGHT"]"#).is_ok());
    assert!(with(r#"["NOOP", "FIRE", "RIGHT", "LEFT"]"#).is_ok());
    assert!(with(r#"["NOOP", "FIRE"]"#).is_err());
    assert!(with(r#"["NOOP", "RIGHT", "FIRE"]"#).is_err());
}

#[test]
fn the_last_life_ends_an_episode_only_where_every_loss_does() {
    let definition = wallop("false", r#"["NOOP", "FIRE"]"#);
    for (ends, lives) in [("livesLeft", [4, 3, 2, 1].as_slice()), ("any", &[4, 3, 2, 1, 0])] {
        let life = format!(r#"{{"type": "EpisodicLife", "ends": "{ends}"}}"#);
        let mut game = game(&format!(r#"{{"game": {definition}, "wrappers": [{life}]}}"#));
        reset(&mut game, Some(1));
        let mut found = Vec::new();
        for _ in 0..20_000 {
            let (record, _) = step(&mut game, 1);
            if record.terminated {
                found.push(record.info.lives);
            }
            if record.info.lives == 0 {
                break;
            }
            if record.terminated {
                reset(&mut game, None);
            }
        }
        assert_eq!(found, lives, "{ends}");
    }
}

#[test]
fn grey_and_rows_without_a_resize_are_those_of_the_picture() {
    let grey = r#"{"type": "ImagePreprocessing", "grey": "ale", "width": null, "height": null"#;
    let mut whole = game(r#"{"wrappers": [], "observation": "grey"}"#);
    let greys = reset(&mut whole, Some(1));
    let mut rows = game(&format!(r#"{{"wrappers": [{grey}, "rows": 100}}]}}"#));
    assert_eq!(rows.observation_space().shape, [100, 160]);
    assert!(reset(&mut rows, Some(1)) == greys[..100 * 160]);
    let mut colours = game(r#"{"wrappers": []}"#);
    let rgb = reset(&mut colours, Some(1));
    let cropped = r#"{"type": "ImagePreprocessing", "grey": null, "width": null, "height": null, "rows": 100}"#;
    let mut rows = game(&format!(r#"{{"wrappers": [{cropped}]}}"#));
    assert_eq!(rows.observation_space().shape, [100, 160, 3]);
    assert!(reset(&mut rows, Some(1)) == rgb[..100 * 160 * 3]);
    // The maximum of all frames has colours of no index.
    let pooled = r#"{"type": "SkipFrames", "n": 1, "shows": "maxWithoutEndingFrame"}"#;
    let mut pooled = game(&format!(r#"{{"wrappers": [{pooled}, {grey}}}]}}"#));
    assert!(reset(&mut pooled, Some(1)) == greys);
}

#[test]
fn random_actions_at_the_start_are_at_most_max() {
    let mut game = game(r#"{"wrappers": [{"type": "StartWithRandomActions", "max": 1}]}"#);
    reset(&mut game, Some(1));
    let frames: BTreeSet<u32> = (0..40)
        .map(|_| {
            let mut observation = vec![0; game.observation_len()];
            game.reset(None, &mut observation).unwrap();
            for _ in 0..3 {
                game.step(0, &mut observation).unwrap();
            }
            game.info().episode_frame_number
        })
        .collect();
    assert_eq!(frames.into_iter().collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn a_reset_with_a_seed_forgets_all_that_a_list_keeps() {
    let skip = |shows: &str| format!(r#"{{"type": "SkipFrames", "shows": "{shows}"}}"#);
    let life = r#""EpisodicLife", {"type": "StartWithRandomActions", "max": 9}"#;
    for (observation, list) in [
        ("rgb", skip("maxOfTwoBuffers")),
        ("rgb", skip("maxWithoutEndingFrame")),
        ("grey", skip("maxOfTwoBuffers")),
        ("grey", skip("maxOrFirstBuffer")),
        ("grey", life.to_owned()),
    ] {
        let json = format!(
            r#"{{"wrappers": [{list}, {{"type": "TimeLimit", "steps": 400}}], "observation": "{observation}"}}"#
        );
        let (mut used, mut fresh) = (game(&json), game(&json));
        reset(&mut used, Some(1));
        for number in 0..300 {
            let (record, _) = step(&mut used, 1 + number / 10 % 3);
            if record.terminated || record.truncated {
                reset(&mut used, None);
            }
        }
        assert!(
            reset(&mut used, Some(2)) == reset(&mut fresh, Some(2)),
            "{observation} {list}"
        );
        for number in 0..60 {
            let (record, shown) = step(&mut used, number % 3);
            assert!(step(&mut fresh, number % 3) == (record, shown), "{observation} {list}");
            if record.terminated || record.truncated {
                break;
            }
        }
    }
}

#[test]
fn a_step_of_one_frame_can_be_saved() {
    for shows in ["last", "maxOfLastTwo", "maxOfAll"] {
        let json = format!(r#"{{"wrappers": [{{"type": "SkipFrames", "n": 1, "shows": "{shows}"}}]}}"#);
        let (mut one, mut other) = (game(&json), game(&json));
        reset(&mut one, Some(1));
        let (record, shown) = step(&mut one, 1);
        other.restore(&one.save()).unwrap();
        let mut seen = vec![0; shown.len()];
        other.observe(&mut seen).unwrap();
        assert!(seen == shown, "{shows}");
        assert_eq!((record.final_info, one.audio().len()), (None, 0));
    }
}

#[test]
fn limits_of_pictures_and_stacks_are_taken_themselves() {
    let width = |width: u32| {
        new(&format!(
            r#"{{"wrappers": [{{"type": "ImagePreprocessing", "width": {width}, "height": 1}}]}}"#
        ))
    };
    assert!(width(MOST_SIDE).is_ok());
    assert!(width(MOST_SIDE + 1).is_err());
    // RAM and the stack of it come to so many bytes.
    let stack = |n: u32| {
        new(&format!(
            r#"{{"observation": "ram", "wrappers": [{{"type": "QueueFrames", "n": {n}}}]}}"#
        ))
    };
    assert!(stack((1 << 15) - 1).is_ok());
    assert!(stack(1 << 15).is_err());
}

#[test]
fn a_stack_along_the_last_axis_has_the_values_of_one_along_the_first() {
    for (observation, size) in [("ram", 1), ("grey", 1), ("rgb", 3)] {
        for n in [1, 2, 4, 5] {
            let stack = |axis: &str| {
                let queue = format!(r#"{{"type": "QueueFrames", "n": {n}, "axis": "{axis}"}}"#);
                game(&format!(r#"{{"wrappers": [{queue}], "observation": "{observation}"}}"#))
            };
            let (mut first, mut last) = (stack("first"), stack("last"));
            let mut shown = (reset(&mut first, Some(1)), reset(&mut last, Some(1)));
            for action in [1, 2, 3, 0, 1, 2] {
                let frames: Vec<_> = shown.0.chunks_exact(shown.0.len() / n).collect();
                let (values, mut expected) = (frames[0].len(), Vec::new());
                for at in (0..values).step_by(size) {
                    for frame in &frames {
                        expected.extend_from_slice(&frame[at..at + size]);
                    }
                }
                assert!(shown.1 == expected, "{observation}, {n}");
                shown = (step(&mut first, action).1, step(&mut last, action).1);
            }
        }
    }
}

/// The maximum of two pictures.
fn max(one: &[u8], other: &[u8]) -> Vec<u8> {
    one.iter().zip(other).map(|(a, b)| *a.max(b)).collect()
}

#[test]
fn a_step_that_is_cut_short_shows_what_its_rule_says() {
    for (shows, n) in ["maxOfLastTwo", "maxOrFirstBuffer", "lastWithoutEndingFrame"]
        .into_iter()
        .flat_map(|shows| [2, 3, 4, 7].map(|n| (shows, n)))
    {
        for observation in ["grey", "rgb"] {
            let kind = format!(r#""observation": "{observation}", "maxFramesPerEpisode": 90"#);
            let mut frames = game(&format!(r#"{{"wrappers": [], {kind}}}"#));
            let skip = format!(r#"{{"type": "SkipFrames", "n": {n}, "shows": "{shows}"}}"#);
            let mut steps = game(&format!(r#"{{"wrappers": [{skip}], {kind}}}"#));
            let mut buffers = [reset(&mut frames, Some(3)), vec![0; steps.observation_len()]];
            reset(&mut steps, Some(3));
            for action in [1, 2, 3].into_iter().cycle() {
                let mut played = Vec::new();
                let mut ended = false;
                while played.len() < n && !ended {
                    let (record, frame) = step(&mut frames, action);
                    ended = record.truncated;
                    played.push(frame);
                }
                let is_whole = played.len() == n;
                let last = &played[played.len() - 1];
                let expected = match shows {
                    "maxOfLastTwo" if is_whole => max(&played[n - 2], last),
                    "maxOfLastTwo" => last.clone(),
                    // Two buffers for the last two of n frames, of which the first takes the maximum.
                    "maxOrFirstBuffer" => {
                        for (number, frame) in played.iter().enumerate().skip(n - 2) {
                            buffers[number + 2 - n].clone_from(frame);
                        }
                        if is_whole {
                            buffers[0] = max(&buffers[0], &buffers[1]);
                        }
                        buffers[0].clone()
                    }
                    _ => {
                        if !ended {
                            buffers[0].clone_from(last);
                        }
                        buffers[0].clone()
                    }
                };
                let (record, shown) = step(&mut steps, action);
                assert!(shown == expected, "{shows}, {observation}, {n} frames");
                assert_eq!(record.truncated, ended);
                if ended {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_raw_reward_of_a_step_is_that_of_all_its_frames() {
    let frame = "n = n + 1; reward = n; lives = 0; terminal = false";
    let definition = format!(
        r#"{{"rom": "mine", "actions": {{"minimal": ["NOOP"]}}, "rules": {{"start": "n = 0; lives = 0; terminal = false", "frame": "{frame}"}}}}"#
    );
    let list = |wrappers: &str| format!(r#"{{"wrappers": [{wrappers}], "game": {definition}}}"#);
    let (mut frames, mut steps) = (game(&list("")), game(&list(r#""SkipFrames", "ClipReward""#)));
    for game in [&mut frames, &mut steps] {
        reset(game, None);
    }
    for _ in 0..5 {
        let points: f64 = (0..4).map(|_| step(&mut frames, 0).0.raw_reward).sum();
        let (record, _) = step(&mut steps, 0);
        assert!(points > 1.0);
        assert_eq!((record.raw_reward, record.reward), (points, 1.0));
    }
}
