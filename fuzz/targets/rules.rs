//! Any text as the rules of WALLOP is refused or followed. The sections select, start and frame are separated by `---`.

#![no_main]

use gym2600_arcade::WALLOP;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameOptions};
use libfuzzer_sys::fuzz_target;

const DEFINITION: &str = include_str!("../../crates/arcade/games/wallop.toml");
/// Where the definition has its three rules.
const RULES: [&str; 3] = ["\nselect = \"\"\"", "\nstart = \"\"\"", "\nframe = \"\"\""];

fuzz_target!(|text: &str| {
    if text.contains("\"\"\"") || text.contains('\\') {
        return;
    }
    let mut definition = DEFINITION.to_owned();
    for (rule, text) in RULES.iter().zip(text.split("---")) {
        let Some(start) = definition.find(rule).map(|at| at + rule.len()) else {
            return;
        };
        let Some(end) = definition[start..].find("\"\"\"").map(|length| start + length) else {
            return;
        };
        definition.replace_range(start..end, text);
    }
    let Ok(definition) = RawDefinition::from_toml(&definition, "fuzz.toml") else {
        return;
    };
    let options = GameOptions {
        game: Some(definition),
        ..GameOptions::default()
    };
    let Ok(mut game) = Game::new(WALLOP, &options) else {
        return;
    };
    let mut observation = vec![0; game.observation_len()];
    if game.reset(None, &mut observation).is_ok() {
        let count = game.action_count() as u32;
        for step in 0..4 {
            if game.step(step % count, &mut observation).is_err() {
                break;
            }
        }
    }
});
