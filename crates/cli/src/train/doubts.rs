//! Whether there is anything to learn from a game of a definition, said before a run, while it trains and after it.

use gym2600_gym::EpisodeSummary;
use gym2600_learn::{Doubt, Learner, doubts};

use super::arguments::TrainArguments;
use super::stop::tell;
use crate::error::CliError;

/// What random play found, until training finds otherwise.
pub(super) struct Doubts(Option<Doubt>);

impl Doubts {
    /// Plays at random, if the game is one of a definition, and says what it finds.
    pub(super) fn of(arguments: &TrainArguments, rom: &[u8], learner: &Learner) -> Result<Self, CliError> {
        let config = learner.config();
        if config.options.game.is_none() || learner.steps() >= arguments.steps {
            return Ok(Self(None));
        }
        let found = doubts(rom, config)?;
        if let Some(doubt) = found {
            let file = arguments.game.as_deref().unwrap_or("the game's definition");
            tell(&format!("{file}: {doubt}"));
        }
        Ok(Self(found))
    }

    /// What remains of it after an update in which these games ended, for the line of progress.
    pub(super) fn after(&mut self, finished: &[EpisodeSummary]) -> Option<&'static str> {
        let is_settled = match self.0? {
            Doubt::OverAtReset => finished.is_empty() || finished.iter().any(|game| game.length > 1),
            Doubt::NoReward => finished.iter().any(|game| game.reward != 0.0),
        };
        if is_settled {
            self.0 = None;
        }
        Some(match self.0? {
            Doubt::OverAtReset => "every step is an episode",
            Doubt::NoReward => "no game with a reward yet",
        })
    }

    /// Says what remains of it at the run's end.
    pub(super) fn finish(&self, steps: u64) {
        match self.0 {
            Some(Doubt::OverAtReset) => tell(&format!(
                "every one of {steps} steps was an episode: the run learned nothing"
            )),
            Some(Doubt::NoReward) => tell(&format!("no game with a reward has ended in {steps} steps")),
            None => {}
        }
    }
}
