//! What the game that was loaded last remembers outlasts it. No other test is in this process, which would load another one.

mod support;

use gym2600_arcade::{Arcade, Settings};
use support::rom;

/// Loads a game, resets it and drops it: how many resets were recorded, and how many remembered.
fn play(name: &str) -> (u64, u64) {
    let mut arcade = Arcade::load(&rom(name), &Settings::default()).expect("a game of the catalogue");
    arcade.reset_game();
    (arcade.recorded_resets(), arcade.remembered_resets())
}

#[test]
fn the_last_game_s_resets_are_remembered_when_it_is_gone() {
    assert_eq!(play("breakout"), (1, 1));
    assert_eq!(play("breakout"), (0, 2));
    assert_eq!(play("pong"), (1, 1));
    assert_eq!(play("breakout"), (1, 1), "another game has been loaded since");
}
