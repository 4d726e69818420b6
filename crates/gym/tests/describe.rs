//! A description that is made without a game equals the description of the game.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameDescription, GameOptions, Observation, PRESETS, describe};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

/// Compares the description with that of a game, or the errors of both. Returns whether there was a game.
fn agrees(rom: &[u8], options: &GameOptions, name: &str) -> bool {
    let described = describe(rom, options).map_err(|error| error.to_string());
    let made = Game::new(rom, options).map_err(|error| error.to_string());
    let made = made.map(|game| GameDescription::of(&game));
    assert_eq!(described, made, "{name}, {options:?}");
    made.is_ok()
}

#[test]
fn the_description_of_every_preset_and_rom_is_that_of_its_game() {
    let mut games = 0;
    for (name, rom) in support::all_roms() {
        for preset in PRESETS {
            let options = GameOptions {
                preset: Some(preset.name.into()),
                ..GameOptions::default()
            };
            // A game without FIRE is refused by some presets.
            games += u32::from(agrees(&rom, &options, &name));
        }
    }
    assert!(games > 700, "{games} games");
}

#[test]
fn options_change_the_description_as_they_change_the_game_and_errors_are_the_same() {
    let options = |change: &dyn Fn(&mut GameOptions)| {
        let mut options = GameOptions::default();
        change(&mut options);
        options
    };
    let accepted = [
        options(&|options| {
            options.observation = Some(Observation::Ram);
            options.wrappers = Some(Vec::new());
        }),
        options(&|options| options.wrappers = Some(Vec::new())),
        options(&|options| options.observation = Some(Observation::Ram)),
        options(&|options| options.observation = Some(Observation::Labels)),
        options(&|options| options.full_action_space = Some(true)),
        options(&|options| options.max_frames_per_episode = Some(7)),
    ];
    for options in accepted {
        assert!(agrees(WALLOP, &options, "wallop"));
    }
    let refused = [
        options(&|options| options.mode = Some(77)),
        options(&|options| options.difficulty = Some(9)),
        options(&|options| options.preset = Some("none".into())),
        options(&|options| options.seed = Some(u64::MAX)),
        options(&|options| {
            options.observation = Some(Observation::Labels);
            options.game = Some(RawDefinition {
                rom: "mine".into(),
                ..RawDefinition::default()
            });
        }),
    ];
    for options in refused {
        assert!(!agrees(WALLOP, &options, "wallop"));
    }
    assert!(!agrees(&WALLOP[1..], &GameOptions::default(), "a part of wallop"));
    assert!(!agrees(&[0; 4096], &GameOptions::default(), "zeros"));
}
