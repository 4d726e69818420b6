//! Random play before a run, which finds games that there is nothing to learn from.

use std::fmt;

use gym2600_gym::GameOptions;
use serde::Serialize;

use crate::config::Config;
use crate::environment::training_options;
use crate::game::{Play, Rom};
use crate::random::Stream;

/// Names the stream of random actions.
const STREAM: u64 = 5;
/// Steps of random play.
const STEPS: u64 = 1000;
/// So many episodes of one step each are no accident.
const EPISODES: u64 = 20;

/// A sign that a game's definition is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Every step ends an episode.
    OverAtReset,
    /// A thousand steps of random play brought no reward. A game that rewards rarely does this too.
    NoReward,
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OverAtReset => {
                "the game is over at its reset, so every step is an episode and there is nothing to learn: see \
                 rules.terminal and rules.lives"
            }
            Self::NoReward => {
                "1000 steps of random play brought no reward, so there may be nothing to learn from: see rules.reward"
            }
        })
    }
}

/// Plays a thousand random steps in a game of a run.
///
/// # Errors
/// Those of the game.
pub fn doubts<R: Rom + ?Sized>(rom: &R, config: &Config) -> Result<Option<Doubt>, R::Error> {
    let options = GameOptions {
        seed: Some(config.seed),
        ..training_options(rom, &config.options)?
    };
    let mut game = rom.open(&options)?;
    let traits = game.traits();
    let actions = traits.actions.len() as u64;
    let mut observation = vec![0; traits.observation.len()];
    game.reset(&mut observation)?;
    let (mut episodes, mut rewarded) = (0, false);
    for step in 0..STEPS {
        let random = Stream::new(&[config.seed, STREAM, step]).uniform();
        let action = ((random * actions as f64) as u64).min(actions - 1);
        let outcome = game.step(action as u32, &mut observation)?;
        rewarded |= outcome.reward != 0.0;
        episodes += u64::from(outcome.ended);
        if episodes == EPISODES && step + 1 == EPISODES {
            return Ok(Some(Doubt::OverAtReset));
        }
    }
    Ok((!rewarded).then_some(Doubt::NoReward))
}
