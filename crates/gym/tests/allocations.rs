//! A step allocates nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use allocation_counter::measure;
use gym2600_gym::{Game, GameOptions, PRESETS};

const WALLOP: &[u8] = include_bytes!("../../../roms/wallop/wallop.bin");

#[test]
fn steps_and_resets_of_every_preset_allocate_nothing() {
    for preset in PRESETS {
        let options = GameOptions {
            preset: Some(preset.name.into()),
            ..GameOptions::default()
        };
        let mut game = Game::new(WALLOP, &options).unwrap();
        let mut observation = vec![0; game.observation_len()];
        game.reset(None, &mut observation).unwrap();
        let actions = game.action_count() as u32;
        let mut ends = 0;
        let mut play = |steps: u32| {
            for number in 0..steps {
                let step = game
                    .step((number * 7 + number / 11) % actions, &mut observation)
                    .unwrap();
                if step.terminated || step.truncated {
                    ends += 1;
                    if !game.resets_itself() {
                        game.reset(None, &mut observation).unwrap();
                    }
                }
            }
        };
        // Buffers may be made when they are first needed.
        play(1500);
        let counted = measure(|| play(1500));
        assert_eq!(counted.count_total, 0, "{}: {counted:?}", preset.name);
        assert!(ends > 0, "{}: no episode ended, so no reset was seen", preset.name);
    }
}
