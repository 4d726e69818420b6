//! A run in one process.

use std::thread;

use super::config::Config;
use super::learner::Learner;
use super::shard::{Collected, Shard};
use super::{LossSums, SHARDS, Update};
use crate::environment::training_options;
use crate::error::LearnError;
use crate::kernel::Arithmetic;

/// How a [`Trainer`] computes; nothing of it but [`Arithmetic::Fused`] changes a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// Threads, of which more than [`SHARDS`] are not used.
    pub threads: usize,
    /// The arithmetic of the nets.
    pub arithmetic: Arithmetic,
}

impl Default for Execution {
    fn default() -> Self {
        Self {
            threads: 1,
            arithmetic: Arithmetic::Exact,
        }
    }
}

/// Plays and learns, update by update.
pub struct Trainer {
    pub(crate) learner: Learner,
    pub(crate) shards: Vec<Shard>,
    execution: Execution,
}

impl Trainer {
    /// Makes the games and the first weights.
    ///
    /// # Errors
    /// [`LearnError`] for a ROM or options that there is nothing to learn from.
    pub fn new(rom: &[u8], config: &Config, execution: Execution) -> Result<Self, LearnError> {
        let learner = Learner::new(rom, config)?;
        let options = training_options(rom, &config.options)?;
        let shards = (0..SHARDS).map(|number| Shard::new(rom, config, &options, number, execution.arithmetic));
        Ok(Self {
            learner,
            shards: shards.collect::<Result<_, _>>()?,
            execution,
        })
    }

    /// The weights and the run's statistics.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Plays a rollout and learns from it.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], after which the run should go on from a checkpoint; [`LearnError::Environment`].
    pub fn update(&mut self) -> Result<Update, LearnError> {
        let update = self.learner.updates() + 1;
        let parameters = self.learner.parameters();
        let threads = self.execution.threads;
        let collected = in_parallel(threads, &mut self.shards, |shard| {
            shard.set_parameters(parameters);
            shard.collect(update).cloned()
        });
        let collected: Vec<Collected> = collected.into_iter().collect::<Result<_, _>>()?;
        self.learner.begin(four(collected));
        for at in self.learner.minibatches() {
            let (mean, scale) = self.learner.normalisation(at);
            let parameters = self.learner.parameters();
            let results = in_parallel(threads, &mut self.shards, |shard| {
                shard.set_parameters(parameters);
                shard.gradient(at, mean, scale).1
            });
            let sums: [LossSums; SHARDS] = four(results);
            let mut gradients = self.shards.iter().map(Shard::last_gradient);
            let gradients = std::array::from_fn(|_| gradients.next().unwrap_or_default());
            self.learner.apply(gradients, sums)?;
        }
        Ok(self.learner.finish())
    }
}

/// Runs work on all shards, on that many threads, and gives the results in the order of shards.
fn in_parallel<T: Send>(threads: usize, shards: &mut [Shard], work: impl Fn(&mut Shard) -> T + Sync) -> Vec<T> {
    let threads = threads.clamp(1, SHARDS);
    if threads == 1 {
        return shards.iter_mut().map(work).collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let groups = shards.chunks_mut(SHARDS.div_ceil(threads));
        let handles: Vec<_> = groups
            .map(|group| scope.spawn(move || group.iter_mut().map(work).collect::<Vec<T>>()))
            .collect();
        let joined = handles.into_iter().map(|handle| match handle.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    })
}

fn four<T: Default>(values: Vec<T>) -> [T; SHARDS] {
    let mut values = values.into_iter();
    std::array::from_fn(|_| values.next().unwrap_or_default())
}
