//! The crate as a program of a user sees it: errors, clones, threads, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::error::Error;
use std::thread;

use gym2600_arcade::WALLOP;
use gym2600_gym::{Game, GameOptions, GymError, Info, StepRecord, VectorEnv, VectorOptions};

fn options(num_envs: usize) -> VectorOptions {
    VectorOptions {
        game: GameOptions::default(),
        num_envs,
        seeds: None,
    }
}

#[test]
fn errors_pass_through_a_question_mark_and_say_what_is_wrong() {
    fn play(rom: &[u8], preset: &str, action: u32, state: &[u8]) -> Result<Game, Box<dyn Error>> {
        let options = GameOptions {
            preset: Some(preset.into()),
            ..GameOptions::default()
        };
        let mut game = Game::new(rom, &options)?;
        game.restart(None)?;
        game.advance(action)?;
        game.restore(state)?;
        Ok(game)
    }
    let refusal = |rom, preset, action, state: &[u8]| play(rom, preset, action, state).unwrap_err().to_string();
    assert!(refusal(&[0; 3], "labml", 0, &[]).contains("3 bytes"));
    assert!(refusal(WALLOP, "lamb", 0, &[]).contains("lamb"));
    assert!(refusal(WALLOP, "labml", 9, &[]).contains("action 9"));
    assert!(refusal(WALLOP, "labml", 1, &[1, 2]).contains("no saved state"));
    let error: Box<dyn Error + Send + Sync> = VectorEnv::new(WALLOP, &options(0)).unwrap_err().into();
    assert!(matches!(
        error.downcast_ref(),
        Some(GymError::Option { option: "numEnvs", .. })
    ));
}

#[test]
fn a_clone_in_another_thread_plays_as_its_original() {
    let mut game = Game::new(WALLOP, &GameOptions::default()).unwrap();
    game.restart(Some(3)).unwrap();
    let mut clone = game.clone();
    let play = |game: &mut Game| -> Vec<StepRecord> { (0..50).map(|_| game.advance(1).unwrap()).collect() };
    let theirs = thread::spawn(move || play(&mut clone));
    assert_eq!(play(&mut game), theirs.join().unwrap());
}

#[test]
fn games_and_batches_are_shown_without_their_memory() {
    let game = Game::new(WALLOP, &GameOptions::default()).unwrap();
    let shown = format!("{game:?}");
    assert!(shown.contains("wallop") && shown.len() < 500, "{shown}");
    let shown = format!("{:?}", VectorEnv::new(WALLOP, &options(3)).unwrap());
    assert!(shown.contains("num_envs: 3") && shown.len() < 600, "{shown}");
}

#[test]
fn a_batch_moves_to_another_thread() {
    let mut envs = VectorEnv::new(WALLOP, &options(2)).unwrap();
    let played = thread::spawn(move || -> Result<u32, GymError> {
        let mut observations = vec![0; envs.observations_len()];
        envs.reset(None, None, &mut observations, &mut [Info::default(); 2])?;
        let mut records = [StepRecord::default(); 2];
        envs.step(&[1, 1], &mut observations, &mut records)?;
        Ok(records[1].info.frame_number)
    });
    assert!(played.join().unwrap().unwrap() > 0);
}
