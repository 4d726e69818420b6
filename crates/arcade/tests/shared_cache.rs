//! The caches of the games that were loaded last outlast them. No other test is in this process, which would load more games.

mod support;

use gym2600_arcade::{Arcade, Settings};
use support::rom;

/// Loads a game, resets it and drops it: how many resets were played, and how many were cached.
fn play(name: &str) -> (u64, u64) {
    let mut arcade = Arcade::load(&rom(name), &Settings::default()).expect("a game of the catalogue");
    arcade.reset_game();
    (arcade.reset_counts().played, arcade.reset_counts().cached)
}

#[test]
fn a_game_that_is_loaded_again_uses_the_cache_until_four_others_were_loaded() {
    assert_eq!(play("pong"), (1, 1));
    assert_eq!(play("pong"), (0, 2));
    for other in ["amidar", "air_raid", "freeway"] {
        play(other);
    }
    assert_eq!(play("pong"), (0, 2));
    for other in ["amidar", "air_raid", "freeway", "gopher"] {
        play(other);
    }
    assert_eq!(play("pong"), (1, 1));
}
