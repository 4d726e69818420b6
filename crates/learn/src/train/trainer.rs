//! A run in one process.

use std::thread;

use super::learner::Learner;
use super::shard::{Collected, Shard};
use super::{LossSums, Minibatch, MinibatchAt, Update};
use crate::config::{Config, SHARDS};
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
    learner: Learner,
    shards: Vec<Shard>,
    execution: Execution,
}

impl Trainer {
    /// Makes the games and the first weights.
    ///
    /// # Errors
    /// [`LearnError`] for a ROM or options that there is nothing to learn from.
    pub fn new(rom: &[u8], config: &Config, execution: Execution) -> Result<Self, LearnError> {
        let learner = Learner::new(rom, config)?;
        let shards = (0..SHARDS).map(|number| Shard::new(rom, config, number, execution.arithmetic));
        Ok(Self {
            learner,
            shards: shards.collect::<Result<_, _>>()?,
            execution,
        })
    }

    /// Goes on from a checkpoint of the same ROM.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`], and those of [`Trainer::new`].
    pub fn resume(rom: &[u8], bytes: &[u8], execution: Execution) -> Result<Self, LearnError> {
        let (learner, games) = Learner::resume(rom, bytes)?;
        let mut trainer = Self::new(rom, learner.config(), execution)?;
        let lanes = games.len() / SHARDS;
        for (shard, games) in trainer.shards.iter_mut().zip(games.chunks_exact(lanes)) {
            shard.restore(games)?;
        }
        trainer.learner = learner;
        Ok(trainer)
    }

    /// The run as bytes, between two updates.
    ///
    /// # Errors
    /// [`LearnError::File`], which does not happen.
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, LearnError> {
        let mut games = Vec::new();
        for shard in &mut self.shards {
            games.extend(shard.save()?);
        }
        self.learner.checkpoint(games)
    }

    /// The weights and the run's statistics.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Plays a rollout and learns from it.
    ///
    /// # Errors
    /// Those of [`Trainer::play`] and [`Trainer::learn`].
    pub fn update(&mut self) -> Result<Update, LearnError> {
        self.play()?;
        self.learn()
    }

    /// Plays a rollout: the first half of an update.
    ///
    /// # Errors
    /// [`LearnError::Environment`]
    pub fn play(&mut self) -> Result<(), LearnError> {
        let update = self.learner.updates() + 1;
        let parameters = self.learner.parameters();
        let threads = self.execution.threads;
        let collected = in_parallel(threads, &mut self.shards, |shard| {
            shard.set_parameters(parameters);
            shard.collect(update).cloned()
        });
        let collected: Vec<Collected> = collected.into_iter().collect::<Result<_, _>>()?;
        self.learner.begin(four(collected));
        Ok(())
    }

    /// Learns from the rollout: the second half of an update.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], after which a run can go on only from a checkpoint.
    pub fn learn(&mut self) -> Result<Update, LearnError> {
        for at in self.learner.minibatches() {
            self.step(at)?;
        }
        Ok(self.finish())
    }

    /// Ends an update whose gradient steps were made by [`Trainer::step`].
    pub fn finish(&mut self) -> Update {
        self.learner.finish()
    }

    /// Makes one gradient step.
    ///
    /// # Errors
    /// Those of [`Trainer::learn`].
    pub fn step(&mut self, at: MinibatchAt) -> Result<(), LearnError> {
        let sums = self.differentiate(at);
        let gradients = self.gradients();
        let sum = Learner::sum(gradients);
        self.learner.apply_sum(sum, &sums)
    }

    /// The gradient of a minibatch's loss with respect to the weights, as a file of the weights' names, and the sums of losses;
    /// changes nothing. For comparison with another implementation.
    ///
    /// # Errors
    /// [`LearnError::File`], which does not happen.
    pub fn gradient(&mut self, at: MinibatchAt) -> Result<(Vec<u8>, LossSums), LearnError> {
        let mut losses = LossSums::default();
        for sums in self.differentiate(at) {
            losses.add(sums);
        }
        Ok((self.learner.tensors(&Learner::sum(self.gradients()))?, losses))
    }

    /// The steps of a minibatch, shard after shard. For comparison with another implementation.
    pub fn minibatch(&mut self, at: MinibatchAt) -> Minibatch {
        let mut batch = Minibatch::default();
        for shard in &mut self.shards {
            shard.add_to(at, &mut batch);
        }
        batch
    }

    fn differentiate(&mut self, at: MinibatchAt) -> [LossSums; SHARDS] {
        let (mean, scale) = self.learner.normalisation(at);
        let parameters = self.learner.parameters();
        four(in_parallel(self.execution.threads, &mut self.shards, |shard| {
            shard.set_parameters(parameters);
            shard.gradient(at, mean, scale).1
        }))
    }

    fn gradients(&self) -> [&[f32]; SHARDS] {
        std::array::from_fn(|shard| self.shards[shard].last_gradient())
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

fn four<T>(values: Vec<T>) -> [T; SHARDS] {
    let mut values = values.into_iter();
    std::array::from_fn(|_| values.next().expect("every shard gives a value"))
}
