//! Any texts as the rules of WALLOP are refused or followed. They are separated by `---`: select, start, frame, load, reward, terminal, lives.

#![no_main]

use gym2600_arcade::WALLOP;
use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Game, GameOptions};
use libfuzzer_sys::fuzz_target;

const DEFINITION: &str = include_str!("../../crates/arcade/games/wallop.toml");

fuzz_target!(|text: &str| {
    let mut definition = RawDefinition::from_toml(DEFINITION, "wallop.toml").expect("the committed definition");
    let mut modes = definition.modes.take().unwrap_or_default();
    let mut rules = definition.rules.take().unwrap_or_default();
    let places = [
        &mut modes.select,
        &mut rules.start,
        &mut rules.frame,
        &mut rules.load,
        &mut rules.reward,
        &mut rules.terminal,
        &mut rules.lives,
    ];
    for (place, text) in places.into_iter().zip(text.split("---")) {
        *place = Some(text.to_owned());
    }
    definition.modes = Some(modes);
    definition.rules = Some(rules);
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
