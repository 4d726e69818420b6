//! How many resets of real games the cache answers, for `docs/decisions/0005-reset-cache.md`.

mod support;

use gym2600_arcade::{Action, Arcade, Drawing, Mt19937, Settings};
use support::all_roms;

/// Resets of each ROM, the one of the load among them.
const RESETS: u64 = 81;
/// Frames between two resets: fewer than this, drawn at random.
const FRAMES: u32 = 300;

#[test]
#[ignore = "it prints figures; run it with --ignored --nocapture"]
fn count_cached_resets() {
    let (mut cached, mut played) = (0, 0);
    let mut rarely = Vec::new();
    for (name, rom) in all_roms() {
        let mut arcade = Arcade::load(&rom, &Settings::default()).expect("a game of the catalogue");
        let mut random = Mt19937::new(0);
        for _ in 1..RESETS {
            for _ in 0..random.next_u32() % FRAMES {
                let action = random.next_u32() as usize % Action::ALL.len();
                arcade.act(Action::ALL[action], Drawing::OnDemand);
            }
            arcade.reset_game();
        }
        let counts = arcade.reset_counts();
        assert_eq!(counts.cached + counts.played, RESETS, "{name}");
        cached += counts.cached;
        played += counts.played;
        if counts.cached < RESETS / 2 {
            rarely.push(format!("{name} {}", counts.cached));
        }
    }
    println!("{cached} of {} resets were cached", cached + played);
    println!("fewer than half of {RESETS}: {}", rarely.join(", "));
}
