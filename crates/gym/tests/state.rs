//! Saved environments with WALLOP: play from a restored state equals uninterrupted play.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_arcade::StateError;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameOptions, PRESETS, StepRecord};

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
    let state = defined(rules, "").save();
    defined(rules, "").restore(&state).unwrap();
    for (rules, others) in [
        ("reward = \"2 * score\"\nlives = \"left\"", ""),
        ("reward = \"score\"", ""),
        (rules, "[actions]\nminimal = [\"NOOP\", \"FIRE\"]"),
        (rules, "[controllers]\nleft = \"paddles\""),
    ] {
        let mut other = defined(rules, others);
        let before = other.save();
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
    let mut damaged = before.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    assert!(matches!(labml.restore(&damaged), Err(StateError::Altered { .. })));
    assert!(labml.restore(&before[..40]).is_err());
    assert!(labml.save() == before);
}
