//! A step allocates nothing, and a reset only where it is recorded, to be remembered.

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
            let remembered = game.arcade().remembered_resets();
            let counted = measure(|| game.reset(None, &mut observation).map(drop).unwrap());
            if time == 2 {
                assert!(game.arcade().remembered_resets() > remembered, "{}", preset.name);
                assert_eq!(counted.count_total, 0, "{}: {counted:?}", preset.name);
            }
        }
        // WALLOP begins otherwise every time, so its resets are recorded until that is seen to be in vain.
        (0..100).for_each(|_| game.arcade_mut().reset_game());
        game.reset(None, &mut observation).unwrap();
        let actions = game.action_count() as u32;
        let mut played = 0;
        for number in 0..3000 {
            let recorded = game.arcade().recorded_resets();
            let frame = game.arcade().episode_frame_number();
            let counted = measure(|| {
                let action = (number * 7 + number / 11) % actions;
                let step = game.step(action, &mut observation).unwrap();
                if (step.terminated || step.truncated) && !game.resets_itself() {
                    game.reset(None, &mut observation).unwrap();
                }
            });
            // Buffers may be made when they are first needed.
            if number >= 1500 && game.arcade().recorded_resets() == recorded {
                assert_eq!(counted.count_total, 0, "{}, step {number}: {counted:?}", preset.name);
                played += u32::from(game.arcade().episode_frame_number() < frame);
            }
        }
        assert!(played > 0, "{}: no reset was seen that was not recorded", preset.name);
    }
}
