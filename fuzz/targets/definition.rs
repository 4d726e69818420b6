//! Any text as a definition is refused or read. One that is read gives an error, or a game that is reset and played with a preset's wrappers.

#![no_main]

use gym2600_arcade::WALLOP;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameOptions, GymError, PRESETS};
use libfuzzer_sys::fuzz_target;

/// Two resets with some steps after each.
fn play(game: &mut Game) -> Result<(), GymError> {
    let mut observation = vec![0; game.observation_len()];
    let count = game.action_count() as u32;
    for seed in 0..2 {
        game.reset(Some(seed), &mut observation)?;
        for step in 0..8 {
            game.step(step % count, &mut observation)?;
        }
    }
    Ok(())
}

fuzz_target!(|text: &str| {
    if let Ok(definition) = RawDefinition::from_toml(text, "fuzz.toml") {
        // A changed byte chooses another list of wrappers.
        let sum: usize = text.bytes().map(usize::from).sum();
        let options = GameOptions {
            game: Some(definition),
            preset: Some(PRESETS[sum % PRESETS.len()].name.to_owned()),
            ..GameOptions::default()
        };
        if let Ok(mut game) = Game::new(WALLOP, &options) {
            // A step is refused after the end of an episode.
            let _ = play(&mut game);
        }
    }
});
