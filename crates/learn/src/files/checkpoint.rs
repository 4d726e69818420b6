//! Checkpoints: a file of weights with everything else that a run needs to go on as if it had never stopped. Random numbers
//! need no state, and a game's state shows its observation itself.

use gym2600_gym::EpisodeSummary;
use safetensors::tensor::Dtype;
use serde::{Deserialize, Serialize};

use super::tensors::named;
use super::weights::{Entry, bytes_of, floats_of, parameters, read, write};
use crate::config::Config;
use crate::error::LearnError;
use crate::origin::Origin;
use crate::train::{Learner, Moments};

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
    recent: Vec<EpisodeSummary>,
    optimizer_steps: u64,
}

const FIRST: &str = "optimizer.first";
const SECOND: &str = "optimizer.second";

fn game_name(number: usize) -> String {
    format!("game.{number:05}")
}

impl Learner {
    /// The run as bytes, between two updates, with the states of its games, shard after shard.
    ///
    /// # Errors
    /// [`LearnError::File`], which does not happen.
    pub fn checkpoint(&self, games: Vec<Vec<u8>>) -> Result<Vec<u8>, LearnError> {
        let tensors = named(&self.plan, &self.parameters);
        let mut entries: Vec<Entry> = tensors.into_iter().map(Entry::from).collect();
        for (name, values) in [(FIRST, &self.moments.first), (SECOND, &self.moments.second)] {
            entries.push(Entry {
                name: name.to_owned(),
                dtype: Dtype::F32,
                shape: vec![values.len()],
                bytes: bytes_of(values),
            });
        }
        let metadata = Metadata {
            origin: self.origin(),
            run: Run {
                config: self.config.clone(),
                updates: self.updates,
                episodes: self.episodes,
                recent: self.recent.iter().copied().collect(),
                optimizer_steps: self.moments.steps,
            },
        };
        for (number, bytes) in games.into_iter().enumerate() {
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

    /// Goes on from a checkpoint of the same ROM; also gives the states of its games.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`], and those of [`Learner::new`].
    pub fn resume(rom: &[u8], bytes: &[u8]) -> Result<(Self, Vec<Vec<u8>>), LearnError> {
        let (file, metadata) = read(bytes)?;
        let run = run(metadata.as_deref())?;
        let theirs: Origin = parse(metadata.as_deref())?;
        let mut learner = Self::new(rom, &run.config)?;
        learner.origin().check(&theirs)?;
        let tensor = |name: &str| file.tensor(name).map_err(|_| damaged(format!("it has no {name}")));
        learner.parameters = parameters(&learner.plan, &file)?;
        let Moments { first, second, .. } = &mut learner.moments;
        for (name, values) in [(FIRST, first), (SECOND, second)] {
            let saved = floats_of(tensor(name)?.data());
            if saved.len() != values.len() {
                let reason = format!("{name} has {} values, not {}", saved.len(), values.len());
                return Err(damaged(reason));
            }
            *values = saved;
        }
        learner.moments.steps = run.optimizer_steps;
        learner.updates = run.updates;
        learner.episodes = run.episodes;
        learner.recent = run.recent.into();
        let games = (0..run.config.envs).map(|game| Ok(tensor(&game_name(game))?.data().to_vec()));
        let games = games.collect::<Result<_, LearnError>>()?;
        Ok((learner, games))
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
