//! Any text as a definition is refused or read, and one that is read gives a game or an error.

#![no_main]

use gym2600_arcade::WALLOP;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(definition) = RawDefinition::from_toml(text, "fuzz.toml") {
        let options = GameOptions {
            game: Some(definition),
            ..GameOptions::default()
        };
        let _ = Game::new(WALLOP, &options);
    }
});
