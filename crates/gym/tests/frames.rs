//! The frames of steps and resets.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]
#![allow(clippy::float_cmp, reason = "rewards are whole numbers")]

#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_gym::{Frame, Game, GameOptions, MAX_KEPT_FRAMES, PRESETS, StepRecord};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

/// Games that flicker, that select a mode, that wait for FIRE, that have a paddle, and one of PAL.
const GAMES: [&str; 7] = [
    "air_raid",
    "asteroids",
    "breakout",
    "double_dunk",
    "ms_pacman",
    "space_invaders",
    "yars_revenge",
];

fn game(rom: &[u8], json: &str) -> Game {
    Game::new(rom, &serde_json::from_str(json).unwrap()).unwrap()
}

fn made_up(number: u32, game: &Game) -> u32 {
    (number * 7 + number / 11) % game.action_count() as u32
}

/// A step, or a reset where an episode has ended.
fn play(game: &mut Game, number: u32, ended: bool, observation: &mut [u8]) -> StepRecord {
    if ended {
        return StepRecord::of_reset(game.reset(None, observation).unwrap());
    }
    let action = made_up(number, game);
    game.step(action, observation).unwrap()
}

fn frames(game: &Game) -> Vec<Frame> {
    game.frames().cloned().collect()
}

fn sound(frames: &[Frame]) -> Vec<u8> {
    frames.iter().flat_map(|frame| frame.audio.clone()).collect()
}

/// Plays with and without frames.
fn compare(name: &str, rom: &[u8], options: &GameOptions) {
    let preset = options.preset.as_deref().unwrap_or_default();
    // Some presets refuse games without FIRE.
    let Ok(mut plain) = Game::new(rom, options) else { return };
    let mut kept = Game::new(rom, options).unwrap();
    kept.keep_frames();
    let mut shown = [vec![0; plain.observation_len()], vec![0; plain.observation_len()]];
    let (mut ended, mut begins) = (true, true);
    for number in 0..200 {
        let label = format!("{name}, {preset}, step {number}");
        let [first, second] = &mut shown;
        let record = play(&mut plain, number, ended, first);
        assert_eq!(play(&mut kept, number, ended, second), record, "{label}");
        assert!(first == second, "{label}: another observation");
        assert!(plain.audio() == kept.audio(), "{label}: another sound");
        if number % 20 == 7 {
            assert!(plain.save() == kept.save(), "{label}: another state");
        }
        let frames = frames(&kept);
        assert!(sound(&frames) == kept.audio(), "{label}: the frames have another sound");
        let ends = record.terminated || record.truncated;
        if let Some(last) = frames.last()
            && !ends
        {
            assert!(last.screen == kept.arcade_mut().screen(), "{label}: another picture");
            assert_eq!(last.info, kept.info(), "{label}");
            let points: f64 = frames.iter().map(|frame| frame.reward).sum();
            assert!(begins || points == record.raw_reward, "{label}: {points} points");
        }
        (ended, begins) = (ends && !kept.resets_itself(), ends);
        assert_eq!(plain.frames().count(), 0, "{label}");
    }
}

#[test]
fn keeping_frames_changes_no_byte() {
    let roms = GAMES.map(|name| (name, support::rom(name)));
    for preset in PRESETS {
        let silent = GameOptions {
            preset: Some(preset.name.into()),
            ..GameOptions::default()
        };
        compare("wallop", WALLOP, &silent);
        let heard = GameOptions {
            sound_obs: Some(true),
            ..silent
        };
        for (name, rom) in &roms {
            compare(name, rom, &heard);
        }
    }
}

#[test]
fn a_step_has_the_frames_that_an_environment_without_a_skip_shows() {
    for name in GAMES {
        let rom = support::rom(name);
        let lists = [
            (r#"{"type": "SkipFrames", "n": 4, "shows": "maxOfTwoBuffers"}"#, ""),
            (
                r#""FrameBlending", {"type": "SkipFrames", "n": 3}"#,
                r#""FrameBlending""#,
            ),
        ];
        for (skipping, single) in lists {
            let options = |list: &str| format!(r#"{{"wrappers": [{list}], "soundObs": true}}"#);
            let (mut skipping, mut single) = (game(&rom, &options(skipping)), game(&rom, &options(single)));
            skipping.keep_frames();
            skipping.restart(None).unwrap();
            single.restart(None).unwrap();
            for number in 0..200 {
                let action = made_up(number, &single);
                let record = skipping.advance(action).unwrap();
                for frame in frames(&skipping) {
                    let shown = single.advance(action).unwrap();
                    assert_eq!((frame.reward, frame.info), (shown.raw_reward, shown.info), "{name}");
                    assert!(frame.audio == single.audio(), "{name}: another sound");
                    assert!(frame.screen == single.arcade_mut().screen(), "{name}: another picture");
                }
                if record.terminated {
                    skipping.restart(None).unwrap();
                    single.restart(None).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_reset_has_its_no_ops_and_presses_of_fire() {
    let list = r#"["NoopReset", {"type": "SkipFrames", "n": 4}, "FireReset"]"#;
    let mut game = game(WALLOP, &format!(r#"{{"wrappers": {list}}}"#));
    game.keep_frames();
    for _ in 0..10 {
        let after = game.restart(None).unwrap();
        let frames = frames(&game);
        assert!(frames.len() > 4, "no no-op and FIRE");
        // One after the other, up to the present.
        for pair in frames.windows(2) {
            assert_eq!(pair[1].info.frame_number, pair[0].info.frame_number + 1);
        }
        assert_eq!(frames.last().unwrap().info, after);
    }
}

#[test]
fn the_newest_frames_of_a_long_step_are_kept_and_a_restored_state_has_none() {
    let mut game = game(
        WALLOP,
        r#"{"wrappers": [{"type": "SkipFrames", "n": 700}], "soundObs": true}"#,
    );
    game.keep_frames();
    for _ in 0..2 {
        game.restart(None).unwrap();
        assert_eq!(game.frames().count(), 0);
        let record = game.advance(0).unwrap();
        let frames = frames(&game);
        assert_eq!(frames.len(), MAX_KEPT_FRAMES);
        for (frame, number) in frames.iter().rev().zip((0..=record.info.frame_number).rev()) {
            assert_eq!(frame.info.frame_number, number);
        }
        assert!(game.audio().ends_with(&sound(&frames)));
    }
    let state = game.save();
    game.restore(&state).unwrap();
    assert_eq!(game.frames().count(), 0);
}
