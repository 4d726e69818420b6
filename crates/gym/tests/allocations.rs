//! A step allocates nothing. A reset allocates only if it is played and kept in the cache.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use allocation_counter::measure;
use gym2600_gym::{Game, GameOptions, PRESETS};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

#[test]
fn steps_and_resets_of_every_preset_allocate_nothing() {
    for preset in PRESETS {
        let options = GameOptions {
            preset: Some(preset.name.into()),
            ..GameOptions::default()
        };
        let mut game = Game::new(WALLOP, &options).unwrap();
        let mut observation = vec![0; game.observation_len()];
        let start = game.save();
        for time in 0..3 {
            game.restore(&start).unwrap();
            let cached = game.arcade().reset_counts().cached;
            let counted = measure(|| game.reset(None, &mut observation).map(drop).unwrap());
            if time == 2 {
                assert!(game.arcade().reset_counts().cached > cached, "{}", preset.name);
                assert_eq!(counted.count_total, 0, "{}: {counted:?}", preset.name);
            }
        }
        game.reset(None, &mut observation).unwrap();
        let actions = game.action_count() as u32;
        let mut checked = 0;
        for number in 0..3000 {
            let played = game.arcade().reset_counts().played;
            let counted = measure(|| {
                let action = (number * 7 + number / 11) % actions;
                let step = game.step(action, &mut observation).unwrap();
                if (step.terminated || step.truncated) && !game.resets_itself() {
                    game.reset(None, &mut observation).unwrap();
                }
            });
            // Buffers may be allocated at their first use.
            if number >= 1500 && game.arcade().reset_counts().played == played {
                assert_eq!(counted.count_total, 0, "{}, step {number}: {counted:?}", preset.name);
                checked += 1;
            }
        }
        assert!(
            checked > 1000,
            "{}: {checked} steps without a played reset",
            preset.name
        );
    }
}
