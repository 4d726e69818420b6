//! Checkpoints: a file of weights with everything else that a run needs to go on as if it had never stopped. Random numbers
//! need no state, and a game's state shows its observation itself.

use gym2600_gym::Episode;
use safetensors::tensor::Dtype;
use serde::{Deserialize, Serialize};

use super::Origin;
use super::tensors::named;
use super::weights::{Entry, bytes_of, floats_of, parameters, read, write};
use crate::error::LearnError;
use crate::train::{Config, Execution, Shard, Trainer};

/// The metadata of a checkpoint: that of its weights, and the run's own.
#[derive(Serialize, Deserialize)]
struct Metadata {
    #[serde(flatten)]
    origin: Origin,
    run: Run,
}

#[derive(Serialize, Deserialize)]
struct Run {
    config: Config,
    updates: u64,
    episodes: u64,
    recent: Vec<Episode>,
    optimizer_steps: u64,
}

const FIRST: &str = "optimizer.first";
const SECOND: &str = "optimizer.second";

fn game_name(number: usize) -> String {
    format!("game.{number:05}")
}

impl Trainer {
    /// The run as bytes, between two updates.
    ///
    /// # Errors
    /// [`LearnError::File`], which does not happen.
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, LearnError> {
        let learner = &self.learner;
        let mut entries: Vec<Entry> = named(&learner.plan, &learner.parameters)
            .into_iter()
            .map(Entry::from)
            .collect();
        for (name, values) in [(FIRST, &learner.moments.first), (SECOND, &learner.moments.second)] {
            entries.push(Entry {
                name: name.to_owned(),
                dtype: Dtype::F32,
                shape: vec![values.len()],
                bytes: bytes_of(values),
            });
        }
        let metadata = Metadata {
            origin: learner.origin(),
            run: Run {
                config: learner.config.clone(),
                updates: learner.updates,
                episodes: learner.episodes,
                recent: learner.recent.iter().copied().collect(),
                optimizer_steps: learner.moments.steps,
            },
        };
        for (number, bytes) in self.shards.iter_mut().flat_map(Shard::save).enumerate() {
            entries.push(Entry {
                name: game_name(number),
                dtype: Dtype::U8,
                shape: vec![bytes.len()],
                bytes,
            });
        }
        write(&entries, &metadata)
    }

    /// The settings of the run that a checkpoint is of.
    ///
    /// # Errors
    /// [`LearnError::File`] where it is none.
    pub fn checkpoint_config(bytes: &[u8]) -> Result<Config, LearnError> {
        let (_, metadata) = read(bytes)?;
        Ok(run(metadata.as_deref())?.config)
    }

    /// Goes on from a checkpoint of the same ROM.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`], and those of [`Trainer::new`].
    pub fn resume(rom: &[u8], bytes: &[u8], execution: Execution) -> Result<Self, LearnError> {
        let (file, metadata) = read(bytes)?;
        let run = run(metadata.as_deref())?;
        let theirs: Origin = parse(metadata.as_deref())?;
        let mut trainer = Self::new(rom, &run.config, execution)?;
        trainer.learner.origin().check(&theirs)?;
        let tensor = |name: &str| file.tensor(name).map_err(|_| damaged(format!("it has no {name}")));
        let learner = &mut trainer.learner;
        learner.parameters = parameters(&learner.plan, &file)?;
        for (name, values) in [
            (FIRST, &mut learner.moments.first),
            (SECOND, &mut learner.moments.second),
        ] {
            let saved = floats_of(tensor(name)?.data());
            if saved.len() != values.len() {
                return Err(damaged(format!(
                    "{name} has {} values, not {}",
                    saved.len(),
                    values.len()
                )));
            }
            *values = saved;
        }
        learner.moments.steps = run.optimizer_steps;
        learner.updates = run.updates;
        learner.episodes = run.episodes;
        learner.recent = run.recent.into();
        let lanes = run.config.envs / trainer.shards.len();
        for (number, shard) in trainer.shards.iter_mut().enumerate() {
            let games = (number * lanes..(number + 1) * lanes).map(|game| Ok(tensor(&game_name(game))?.data()));
            shard.restore(&games.collect::<Result<Vec<_>, LearnError>>()?)?;
        }
        Ok(trainer)
    }
}

fn damaged(reason: String) -> LearnError {
    LearnError::File {
        what: "a checkpoint",
        reason,
    }
}

fn run(metadata: Option<&str>) -> Result<Run, LearnError> {
    Ok(parse::<Metadata>(metadata)?.run)
}

fn parse<T: for<'a> Deserialize<'a>>(metadata: Option<&str>) -> Result<T, LearnError> {
    let metadata = metadata.ok_or_else(|| damaged("it has no metadata of gym2600".to_owned()))?;
    serde_json::from_str(metadata).map_err(|error| damaged(error.to_string()))
}
