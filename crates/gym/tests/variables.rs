//! The variables of a game's rules, which label observations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use gym2600_gym::{AutoresetMode, Game, GameOptions};

fn values<'a>(variables: impl Iterator<Item = (&'a str, i64)>) -> BTreeMap<&'a str, i64> {
    variables.collect()
}

#[test]
fn an_end_that_starts_the_next_episode_keeps_the_variables_of_the_end() {
    let options = GameOptions {
        autoreset: Some(AutoresetMode::SameStep),
        ..GameOptions::default()
    };
    let mut game = Game::new(gym2600_arcade::WALLOP, &options).unwrap();
    game.restart(Some(1)).unwrap();
    for _ in 0..20_000 {
        let record = game.advance(1).unwrap();
        let Some(info) = record.final_info else {
            assert!(game.final_variables().is_none());
            continue;
        };
        let score = record.episode.unwrap().reward as i64;
        let last = values(game.final_variables().unwrap());
        assert_eq!((last["lives"], last["score"]), (i64::from(info.lives), score));
        let now = values(game.variables());
        assert_eq!((now["lives"], now["score"]), (5, 0));
        game.advance(1).unwrap();
        assert!(game.final_variables().is_none());
        return;
    }
    panic!("no game has ended");
}
