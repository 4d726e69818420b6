//! Checkpoints: a file of weights with everything else that a run needs to go on as if it had never stopped. Random numbers
//! need no state, and a game's state shows its observation itself.

use gym2600_gym::EpisodeSummary;
use safetensors::tensor::Dtype;
use serde::{Deserialize, Serialize};

use super::tensors::named;
use super::weights::{Entry, File, bytes_of, floats_of, parameters, write};
use crate::config::Config;
use crate::error::LearnError;
use crate::game::Rom;
use crate::origin::Origin;
use crate::train::{Learner, Moments};

/// What the metadata of a checkpoint has beside the fields of [`Origin`].
#[derive(Deserialize)]
struct Metadata {
    run: Option<Run>,
}

/// The metadata of a checkpoint.
#[derive(Serialize)]
struct Written {
    #[serde(flatten)]
    origin: Origin,
    run: Run,
}

/// What a run knows beside [`Origin`], which has its settings.
#[derive(Serialize, Deserialize)]
struct Run {
    envs: usize,
    updates: u64,
    episodes: u64,
    recent: Vec<EpisodeSummary>,
    optimizer_steps: u64,
}

const FIRST: &str = "optimizer.first";
const SECOND: &str = "optimizer.second";

/// The largest count that a checkpoint may have: half of what JavaScript can count, so that a resumed run stays below that.
const MOST_COUNTED: u64 = 1 << 52;

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
        let run = Run {
            envs: self.config.envs,
            updates: self.updates,
            episodes: self.episodes,
            recent: self.recent.iter().copied().collect(),
            optimizer_steps: self.moments.steps,
        };
        for (number, bytes) in games.into_iter().enumerate() {
            entries.push(Entry {
                name: game_name(number),
                dtype: Dtype::U8,
                shape: vec![bytes.len()],
                bytes,
            });
        }
        let origin = self.origin();
        write(&entries, &Written { origin, run })
    }

    /// Goes on from a checkpoint of the same ROM; also gives the states of its games.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`], and those of [`Learner::new`].
    pub fn resume<R: Rom + ?Sized>(rom: &R, bytes: &[u8]) -> Result<(Self, Vec<Vec<u8>>), R::Error> {
        let file = File::read(bytes)?;
        let (theirs, run) = metadata(&file)?;
        let mut learner = Self::new(rom, &config(&theirs, &run))?;
        learner.origin().check(&theirs)?;
        let tensors = &file.tensors;
        let tensor = |name: &str| tensors.tensor(name).map_err(|_| damaged(format!("it has no {name}")));
        learner.parameters = parameters(&learner.plan, tensors)?;
        learner.weights.copy_from_slice(&learner.parameters);
        let Moments { first, second, .. } = &mut learner.moments;
        for (name, values) in [(FIRST, first), (SECOND, second)] {
            let saved = floats_of(tensor(name)?.data());
            if saved.len() != values.len() {
                let reason = format!("{name} has {} values, not {}", saved.len(), values.len());
                return Err(damaged(reason).into());
            }
            *values = saved;
        }
        learner.moments.steps = run.optimizer_steps;
        learner.updates = run.updates;
        learner.episodes = run.episodes;
        learner.recent = run.recent.into();
        let games = (0..run.envs).map(|game| Ok(tensor(&game_name(game))?.data().to_vec()));
        let games = games.collect::<Result<_, LearnError>>()?;
        Ok((learner, games))
    }
}

/// The number of games of a checkpoint's run. `None` for any other file.
pub(crate) fn envs_of(bytes: &[u8]) -> Option<usize> {
    let file = File::read(bytes).ok()?;
    let metadata: Option<Metadata> = file.metadata().ok()?;
    Some(metadata?.run?.envs)
}

fn damaged(reason: String) -> LearnError {
    LearnError::File {
        what: "a checkpoint",
        reason,
    }
}

/// What the weights are for, and the run's own metadata.
fn metadata(file: &File) -> Result<(Origin, Run), LearnError> {
    let absent = || damaged("it has no metadata of a run of gym2600".to_owned());
    let origin = file.origin()?.ok_or_else(absent)?;
    let Metadata { run } = file.metadata()?.ok_or_else(absent)?;
    let weights =
        "it has weights alone, which play by `gym2600 evaluate --weights` or `Policy.load`, and no run to go on with";
    let run = run.ok_or_else(|| damaged(weights.to_owned()))?;
    if !file.is_sealed {
        return Err(damaged("it has no checksum".to_owned()));
    }
    let steps = (origin.hyper_parameters.rollout as u64)
        .saturating_mul(run.envs as u64)
        .saturating_mul(run.updates);
    for (name, count) in [
        ("updates", run.updates),
        ("updates x envs x rollout", steps),
        ("episodes", run.episodes),
        ("optimizer_steps", run.optimizer_steps),
    ] {
        if count > MOST_COUNTED {
            return Err(damaged(format!("its {name} are {count}, above {MOST_COUNTED}")));
        }
    }
    Ok((origin, run))
}

/// The settings of the run.
fn config(origin: &Origin, run: &Run) -> Config {
    Config {
        algorithm: origin.algorithm,
        net: origin.net,
        seed: origin.seed,
        envs: run.envs,
        options: origin.options.clone(),
        hyper_parameters: origin.hyper_parameters.clone(),
    }
}
