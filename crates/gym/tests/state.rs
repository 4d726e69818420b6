//! Saved and copied environments with WALLOP: play from a state or a copy equals uninterrupted play.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_arcade::StateError;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{AutoresetMode, Game, GameOptions, GymError, Info, PRESETS, StepRecord, VectorEnv, VectorOptions};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

fn game(preset: &str, seed: u64) -> Game {
    let options = GameOptions {
        preset: Some(preset.into()),
        seed: Some(seed),
        ..GameOptions::default()
    };
    Game::new(WALLOP, &options).unwrap()
}

fn play(game: &mut Game, from: u32, steps: u32) -> Vec<(u32, StepRecord)> {
    let mut observation = vec![0; game.observation_len()];
    let count = game.action_count() as u32;
    let mut run = Vec::new();
    for number in from..from + steps {
        let step = game.step((number * 7 + number / 11) % count, &mut observation).unwrap();
        run.push((crc32fast::hash(&observation), step));
        if (step.terminated || step.truncated) && !game.resets_itself() {
            game.reset(None, &mut observation).unwrap();
            run.push((crc32fast::hash(&observation), StepRecord::default()));
        }
    }
    run
}

#[test]
fn every_preset_goes_on_from_a_state_byte_for_byte() {
    for preset in PRESETS {
        let mut original = game(preset.name, 3);
        let mut observation = vec![0; original.observation_len()];
        original.reset(None, &mut observation).unwrap();
        play(&mut original, 0, 137);
        let state = original.save();
        original.observe(&mut observation).unwrap();
        let expected = play(&mut original, 500, 400);
        // Restore into a game with another seed, without a reset, or after other play.
        let mut fresh = game(preset.name, 8);
        fresh.restore(&state).unwrap();
        let mut restored = vec![0; observation.len()];
        fresh.observe(&mut restored).unwrap();
        assert!(restored == observation, "{}: it shows something else", preset.name);
        assert!(
            play(&mut fresh, 500, 400) == expected,
            "{}: a new game went another way",
            preset.name
        );
        original.restore(&state).unwrap();
        assert!(
            play(&mut original, 500, 400) == expected,
            "{}: the same game went another way",
            preset.name
        );
        assert!(
            expected.iter().any(|(_, step)| step.episode.is_some()),
            "{}: no episode ended",
            preset.name
        );
    }
}

/// A game of a preset with sticky actions, so that a copy needs the generators of the arcade too.
fn sticky(preset: &str, seed: u64) -> Game {
    let options = GameOptions {
        preset: Some(preset.into()),
        seed: Some(seed),
        repeat_action_probability: Some(0.25),
        ..GameOptions::default()
    };
    let mut game = Game::new(WALLOP, &options).unwrap();
    game.keep_final_observations();
    game
}

#[test]
fn a_clone_of_every_preset_plays_on_byte_for_byte_and_by_itself() {
    for preset in PRESETS {
        let name = preset.name;
        let mut original = sticky(name, 3);
        original.restart(None).unwrap();
        play(&mut original, 0, 137);
        let mut state = original.clone();
        let saved = original.save();
        assert!(state.save() == saved, "{name}: a clone has another state");
        // Other play of the original does not reach the clone.
        play(&mut original, 900, 60);
        let mut copy = state.clone();
        let expected = play(&mut copy, 500, 400);
        assert!(
            expected.iter().any(|(_, step)| step.episode.is_some()),
            "{name}: no episode ended"
        );
        assert!(state.save() == saved, "{name}: a clone of the clone has changed it");
        original.copy_from(&state).unwrap();
        assert!(original.save() == saved, "{name}: another state is copied");
        assert!(
            play(&mut original, 500, 400) == expected,
            "{name}: the same game went another way"
        );
        let mut other = sticky(name, 8);
        other.copy_from(&state).unwrap();
        assert!(
            play(&mut other, 500, 400) == expected,
            "{name}: another game went another way"
        );
        assert!(state.save() == saved, "{name}: a game has changed its state");
    }
}

#[test]
fn a_copied_lane_plays_on_as_the_other_and_by_itself() {
    for preset in PRESETS {
        let name = preset.name;
        let options = VectorOptions {
            game: GameOptions {
                preset: Some(name.into()),
                repeat_action_probability: Some(0.25),
                ..GameOptions::default()
            },
            num_envs: 3,
            seeds: None,
        };
        let mut envs = VectorEnv::new(WALLOP, &options).unwrap();
        let len = envs.observations_len() / 3;
        let mut observations = vec![0; 3 * len];
        let mut records = [StepRecord::default(); 3];
        envs.reset(None, None, &mut observations, &mut [Info::default(); 3])
            .unwrap();
        let count = envs.action_count() as u32;
        let mut step = |envs: &mut VectorEnv, actions: [u32; 3]| {
            envs.step(&actions.map(|action| action % count), &mut observations, &mut records)
                .unwrap();
            let shown = |lane: usize| observations[lane * len..(lane + 1) * len].to_vec();
            [0, 1, 2].map(|lane| (shown(lane), records[lane]))
        };
        for number in 0..100 {
            step(&mut envs, [number, number / 3, number / 7]);
        }
        let untouched = envs.game_mut(0).unwrap().save();
        envs.copy_lane(1, 2).unwrap();
        envs.copy_lane(1, 1).unwrap();
        assert!(
            envs.game_mut(0).unwrap().save() == untouched,
            "{name}: another lane has changed"
        );
        for number in 0..200 {
            let [_, original, copy] = step(&mut envs, [number, number / 2, number / 2]);
            assert!(original == copy, "{name}: step {number} of the copy differs");
        }
        step(&mut envs, [0, 1, 2]);
        let kept = envs.game_mut(1).unwrap().save();
        let mut one = vec![0; len];
        let action = [0];
        envs.play(Some(&[2]), &action, None, &mut one, &mut [StepRecord::default()])
            .unwrap();
        assert!(
            envs.game_mut(1).unwrap().save() == kept,
            "{name}: the copy moves its original"
        );
    }
}

#[test]
fn only_lanes_that_exist_are_copied() {
    let options = VectorOptions {
        game: GameOptions::default(),
        num_envs: 2,
        seeds: None,
    };
    let mut envs = VectorEnv::new(WALLOP, &options).unwrap();
    for (from, to) in [(0, 2), (2, 0), (usize::MAX, usize::MAX)] {
        let error = envs.copy_lane(from, to).unwrap_err();
        assert!(
            matches!(error, GymError::Option { option: "lane", .. }),
            "{from} {to}: {error}"
        );
    }
}

#[test]
fn a_clone_keeps_frames_where_its_original_does_and_has_none_of_its_own_yet() {
    let options = GameOptions {
        preset: Some("gymnasium".into()),
        sound_obs: Some(true),
        ..GameOptions::default()
    };
    let mut original = Game::new(WALLOP, &options).unwrap();
    original.restart(Some(1)).unwrap();
    let silent = original.clone();
    original.keep_frames();
    original.advance(1).unwrap();
    let mut clone = original.clone();
    assert_eq!((clone.frames().count(), clone.audio().len()), (0, 0));
    clone.advance(2).unwrap();
    original.advance(2).unwrap();
    assert!(clone.frames().eq(original.frames()) && clone.audio() == original.audio());
    assert_eq!(clone.frames().count(), 4);
    // The state of a game that keeps none.
    original.copy_from(&silent).unwrap();
    assert_eq!((original.frames().count(), original.audio().len()), (0, 0));
    original.advance(1).unwrap();
    assert_eq!(original.frames().count(), 4);
}

#[test]
fn final_observations_are_kept_after_the_state_of_a_game_that_keeps_none() {
    let options = GameOptions {
        preset: Some("gym2600".into()),
        autoreset: Some(AutoresetMode::SameStep),
        ..GameOptions::default()
    };
    let new = || {
        let mut game = Game::new(WALLOP, &options).unwrap();
        game.restart(Some(0)).unwrap();
        game
    };
    let (mut keeping, mut plain) = (new(), new());
    keeping.keep_final_observations();
    let states = [keeping.clone(), plain.clone()];
    keeping.copy_from(&states[1]).unwrap();
    plain.copy_from(&states[0]).unwrap();
    while keeping.advance(0).unwrap().final_info.is_none() {
        plain.advance(0).unwrap();
    }
    assert!(plain.advance(0).unwrap().final_info.is_some());
    assert_eq!(
        (keeping.final_observation().is_some(), plain.final_observation()),
        (true, None)
    );
}

/// A game of WALLOP by a definition with these lines.
fn defined(rules: &str, others: &str) -> Game {
    let text = format!("rom = \"mine\"\n{others}\n[rules]\nframe = \"score = ram[0x80]\\nleft = ram[0x81]\"\n{rules}");
    let game = RawDefinition::from_toml(&text, "mine.toml").unwrap();
    let options = GameOptions {
        game: Some(game),
        ..GameOptions::default()
    };
    let mut game = Game::new(WALLOP, &options).unwrap();
    game.restart(Some(0)).unwrap();
    game
}

#[test]
fn states_of_another_definition_are_refused() {
    let rules = "reward = \"score\"\nlives = \"left\"";
    let mut original = defined(rules, "");
    let state = original.save();
    defined(rules, "").restore(&state).unwrap();
    defined(rules, "").copy_from(&original).unwrap();
    for (rules, others) in [
        ("reward = \"2 * score\"\nlives = \"left\"", ""),
        ("reward = \"score\"", ""),
        (rules, "[actions]\nminimal = [\"NOOP\", \"FIRE\"]"),
        (rules, "[controllers]\nleft = \"paddles\""),
    ] {
        let mut other = defined(rules, others);
        let before = other.save();
        assert_eq!(other.copy_from(&original), Err(StateError::Misfit), "{rules} {others}");
        assert_eq!(other.restore(&state), Err(StateError::Misfit), "{rules} {others}");
        assert!(other.save() == before);
    }
}

#[test]
fn states_of_other_lists_and_damaged_ones_change_nothing() {
    let mut labml = game("labml", 0);
    let mut baselines = game("baselines", 0);
    let mut observation = vec![0; labml.observation_len()];
    labml.reset(None, &mut observation).unwrap();
    play(&mut labml, 0, 50);
    let before = labml.save();
    assert_eq!(labml.restore(&baselines.save()), Err(StateError::Misfit));
    assert_eq!(labml.copy_from(&baselines), Err(StateError::Misfit));
    let mut damaged = before.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    assert!(matches!(labml.restore(&damaged), Err(StateError::Altered { .. })));
    assert!(labml.restore(&before[..40]).is_err());
    assert!(labml.save() == before);
}
