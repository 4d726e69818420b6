//! Batches on several threads, and batches in which only some environments play.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZero;

use gym2600_arcade::WALLOP;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{
    AutoresetMode, Game, GameOptions, GymError, Info, PRESETS, Seeds, StepRecord, VectorEnv, VectorOptions,
};

const LANES: usize = 7;

/// A batch after its first reset, and the buffer with its observations.
fn batch(preset: &str, threads: usize) -> (VectorEnv, Vec<u8>) {
    let options = VectorOptions {
        game: GameOptions {
            preset: Some(preset.into()),
            autoreset: Some(AutoresetMode::NextStep),
            ..GameOptions::default()
        },
        num_envs: LANES,
        seeds: None,
    };
    let mut envs = VectorEnv::new(WALLOP, &options).unwrap();
    envs.set_threads(NonZero::new(threads).unwrap()).unwrap();
    let mut observations = vec![0; envs.observations_len()];
    envs.reset(None, None, &mut observations, &mut [Info::default(); LANES])
        .unwrap();
    (envs, observations)
}

fn actions(envs: &VectorEnv, step: usize) -> Vec<u32> {
    let number = |lane| (step * 7 + step / 11 + lane * 3) % envs.action_count();
    (0..LANES).map(|lane| number(lane) as u32).collect()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for preset in PRESETS {
        let (mut alone, mut expected) = batch(preset.name, 1);
        let (mut shared, mut observations) = batch(preset.name, 3);
        assert!(observations == expected, "{}: reset", preset.name);
        let mut records = [StepRecord::default(); LANES];
        let mut wanted = records;
        for step in 0..400 {
            let actions = actions(&alone, step);
            alone.step(&actions, &mut expected, &mut wanted).unwrap();
            shared.step(&actions, &mut observations, &mut records).unwrap();
            assert_eq!(records, wanted, "{}, step {step}", preset.name);
            assert!(observations == expected, "{}, step {step}", preset.name);
        }
    }
}

#[test]
fn environments_that_play_in_turns_give_what_they_give_together() {
    let (mut together, mut expected) = batch("ale-vector", 1);
    let (mut turns, _) = batch("ale-vector", 2);
    let len = expected.len() / LANES;
    let parts: [&[usize]; 3] = [&[1, 4], &[0, 2, 3, 6], &[5]];
    let mut wanted = [StepRecord::default(); LANES];
    for step in 0..100 {
        let actions = actions(&together, step);
        together.step(&actions, &mut expected, &mut wanted).unwrap();
        for lanes in parts {
            let chosen: Vec<u32> = lanes.iter().map(|lane| actions[*lane]).collect();
            let mut observations = vec![0; lanes.len() * len];
            let mut records = vec![StepRecord::default(); lanes.len()];
            turns
                .play(Some(lanes), &chosen, None, &mut observations, &mut records)
                .unwrap();
            for (place, lane) in lanes.iter().enumerate() {
                assert_eq!(records[place], wanted[*lane], "step {step}, environment {lane}");
                assert!(observations[place * len..][..len] == expected[lane * len..][..len]);
            }
        }
    }
}

#[test]
fn observations_can_be_written_after_the_step() {
    for preset in PRESETS {
        let (mut at_once, mut expected) = batch(preset.name, 1);
        let (mut later, mut observations) = batch(preset.name, 3);
        let mut records = [StepRecord::default(); LANES];
        let mut wanted = records;
        for step in 0..200 {
            let actions = actions(&at_once, step);
            at_once.step(&actions, &mut expected, &mut wanted).unwrap();
            later.advance(None, &actions, None, &mut records).unwrap();
            assert_eq!(records, wanted, "{}, step {step}", preset.name);
            later.observe(None, &mut observations).unwrap();
            assert!(observations == expected, "{}, step {step}", preset.name);
        }
        let len = expected.len() / LANES;
        let lanes = [1, 4];
        let mut some = vec![0; lanes.len() * len];
        later.observe(Some(&lanes), &mut some).unwrap();
        let mut ram = [0; 2 * 128];
        later.ram(Some(&lanes), &mut ram).unwrap();
        for (place, lane) in lanes.into_iter().enumerate() {
            assert!(some[place * len..][..len] == expected[lane * len..][..len]);
            assert!(ram[place * 128..][..128] == at_once.games()[lane].arcade().ram()[..]);
        }
        let mut infos = [Info::default(); LANES];
        later.restart(None, Some(&[true; LANES]), &mut infos).unwrap();
        at_once.reset(None, None, &mut expected, &mut infos).unwrap();
        later.observe(None, &mut observations).unwrap();
        assert!(observations == expected, "{}: reset", preset.name);
    }
}

#[test]
fn a_buffer_of_another_size_is_refused_before_a_game_plays() {
    let (mut envs, mut observations) = batch("ale-vector", 2);
    let before: Vec<_> = envs.games().iter().map(Game::info).collect();
    let mut records = [StepRecord::default(); LANES];
    let short = &mut observations[1..];
    assert!(matches!(
        envs.step(&[0; LANES], short, &mut records),
        Err(GymError::Buffer { .. })
    ));
    assert!(matches!(envs.observe(None, short), Err(GymError::Buffer { .. })));
    assert!(matches!(envs.ram(None, &mut [0; 127]), Err(GymError::Buffer { .. })));
    let lanes = [LANES];
    assert!(matches!(
        envs.observe(Some(&lanes), short),
        Err(GymError::Option { option: "lanes", .. })
    ));
    let after: Vec<_> = envs.games().iter().map(Game::info).collect();
    assert_eq!(before, after);
}

#[test]
fn every_environment_of_a_large_batch_plays_once() {
    let options = |num_envs| VectorOptions {
        game: GameOptions {
            preset: Some("ale-vector".into()),
            ..GameOptions::default()
        },
        num_envs,
        seeds: None,
    };
    for num_envs in [1, 2, 9, 100] {
        let mut envs = VectorEnv::new(WALLOP, &options(num_envs)).unwrap();
        envs.set_threads(NonZero::new(4).unwrap()).unwrap();
        let mut observations = vec![0; envs.observations_len()];
        let mut infos = vec![Info::default(); num_envs];
        envs.reset(None, None, &mut observations, &mut infos).unwrap();
        let mut records = vec![StepRecord::default(); num_envs];
        envs.step(&vec![0; num_envs], &mut observations, &mut records).unwrap();
        for (lane, (record, info)) in records.iter().zip(infos).enumerate() {
            assert_eq!(
                record.info.frame_number,
                info.frame_number + 4,
                "environment {lane} of {num_envs}"
            );
        }
    }
}

#[test]
fn a_refused_action_moves_no_environment() {
    let (mut envs, mut observations) = batch("ale-vector", 2);
    let before: Vec<_> = envs.games().iter().map(Game::info).collect();
    let mut records = [StepRecord::default(); LANES];
    let mut actions = [0; LANES];
    actions[3] = 99;
    let error = envs.step(&actions, &mut observations, &mut records).unwrap_err();
    assert!(matches!(error, GymError::Lane { lane: 3, .. }), "{error}");
    for (lanes, what) in [(vec![2, 1], "descend"), (vec![0, LANES], "are too large")] {
        let mut observations = vec![0; observations.len() / LANES * 2];
        let played = envs.play(Some(&lanes), &[0; 2], None, &mut observations, &mut records[..2]);
        assert!(
            matches!(played, Err(GymError::Option { option: "lanes", .. })),
            "{what}"
        );
    }
    let strengths = [1.5; LANES];
    let played = envs.play(None, &[0; LANES], Some(&strengths), &mut observations, &mut records);
    assert!(matches!(played, Err(GymError::Lane { lane: 0, .. })));
    let after: Vec<_> = envs.games().iter().map(Game::info).collect();
    assert_eq!(before, after);
}

#[test]
fn a_paddle_turns_by_the_strength_of_its_lane() {
    let definition = include_str!("../../../roms/wallop/paddle.toml");
    let options = VectorOptions {
        game: GameOptions {
            wrappers: Some(vec![]),
            game: Some(RawDefinition::from_toml(definition, "paddle.toml").unwrap()),
            autoreset: Some(AutoresetMode::NextStep),
            ..GameOptions::default()
        },
        num_envs: 3,
        seeds: Some(Seeds::List(vec![0; 3])),
    };
    let mut envs = VectorEnv::new(WALLOP, &options).unwrap();
    let mut observations = vec![0; envs.observations_len()];
    envs.reset(None, None, &mut observations, &mut [Info::default(); 3])
        .unwrap();
    let mut records = [StepRecord::default(); 3];
    for _ in 0..12 {
        envs.play(None, &[2; 3], Some(&[1.0, 0.25, 1.0]), &mut observations, &mut records)
            .unwrap();
    }
    let pictures: Vec<_> = observations.chunks_exact(observations.len() / 3).collect();
    assert!(pictures[0] == pictures[2]);
    assert!(
        pictures[0] != pictures[1],
        "a strength of 0.25 turns as far as one of 1"
    );
}
