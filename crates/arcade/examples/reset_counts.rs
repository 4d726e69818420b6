//! Counts the resets of real games that the reset cache answers, for `docs/decisions/0005-reset-cache.md`:
//!
//!     cargo run --release --package gym2600-arcade --example reset_counts -- ROM...

use std::error::Error;
use std::{env, fs};

use gym2600_arcade::{Action, Arcade, Drawing, Mt19937, Settings};

/// Resets of each ROM, the one of the load among them.
const RESETS: u64 = 81;
/// Frames between two resets: fewer than this, drawn at random.
const FRAMES: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut cached, mut played) = (0, 0);
    for path in env::args().skip(1) {
        let mut arcade = Arcade::load(&fs::read(&path)?, &Settings::default())?;
        let mut random = Mt19937::new(0);
        for _ in 1..RESETS {
            for _ in 0..random.next_u32() % FRAMES {
                let action = random.next_u32() as usize % Action::ALL.len();
                arcade.act(Action::ALL[action], Drawing::OnDemand);
            }
            arcade.reset_game();
        }
        let counts = arcade.reset_counts();
        if counts.cached < RESETS / 2 {
            println!("{path}: {}", counts.cached);
        }
        cached += counts.cached;
        played += counts.played;
    }
    println!("{cached} of {} resets were cached", cached + played);
    Ok(())
}
