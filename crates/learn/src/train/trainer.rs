//! A run in one process.

use std::collections::VecDeque;
use std::fmt;
#[cfg(not(target_family = "wasm"))]
use std::num::NonZero;

use gym2600_gym::{Game, LaneThreads};

use super::lane::{Lane, play};
use super::learner::Learner;
use super::shard::Shard;
use super::{LossSums, Minibatch, MinibatchAt, Update};
use crate::card::{Outputs, TrainingCard};
use crate::config::{Config, SHARDS};
use crate::device::{Device, Opened, Processor};
use crate::error::LearnError;
use crate::game::{Play, Rom};
use crate::kernel::Arithmetic;
use crate::net::Pass;

/// How a [`Trainer`] computes; [`Arithmetic::Fused`] and a graphics card change results, and the number of threads does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// Threads that play, at most one for each game; gradients are computed in at most [`SHARDS`] of them. WebAssembly has one.
    pub threads: usize,
    /// The arithmetic of the nets on the CPU.
    pub arithmetic: Arithmetic,
    /// Where the nets are computed.
    pub device: Device,
}

impl Default for Execution {
    fn default() -> Self {
        Self {
            threads: 1,
            arithmetic: Arithmetic::Exact,
            device: Device::Cpu,
        }
    }
}

/// Plays and learns, update by update.
///
/// [`Trainer::update`] is [`Trainer::play`] and then [`Trainer::learn`]. The latter is [`Trainer::step`] for each of
/// [`Learner::minibatches`] and then [`Trainer::finish`]. A call out of this order is [`LearnError::Order`].
///
/// # Examples
/// A run that goes on later, with the same bits as one that was never stopped:
/// ```
/// use gym2600_learn::{Algorithm, Config, Execution, Trainer};
///
/// # let rom = gym2600_arcade::WALLOP; // std::fs::read("breakout.bin")?
/// let mut config = Config { envs: 4, ..Config::new(Algorithm::Ppo) };
/// config.hyper_parameters.rollout = 8; // a run of a second
/// config.hyper_parameters.minibatches = 2;
///
/// let execution = Execution { threads: 4, ..Execution::default() };
/// let mut trainer = Trainer::new(rom, &config, execution)?;
/// trainer.update()?;
/// let checkpoint = trainer.checkpoint()?; // the bytes of a file
///
/// let mut later = Trainer::resume(rom, &checkpoint, execution)?;
/// let update = later.update()?;
/// assert_eq!((update.update, update.steps), (2, 64));
/// # Ok::<(), gym2600_learn::LearnError>(())
/// ```
pub struct Trainer<G = Game> {
    learner: Learner,
    shards: Vec<Shard<G>>,
    execution: Execution,
    threads: LaneThreads,
    /// The net on the CPU for each thread that plays.
    passes: Vec<Pass>,
    pub(super) opened: Opened<TrainingCard>,
}

impl<G> fmt::Debug for Trainer<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Trainer")
            .field("learner", &self.learner)
            .field("execution", &self.execution)
            .finish_non_exhaustive()
    }
}

impl<G: Play<Error: Send> + Send> Trainer<G> {
    /// Makes the games and the first weights. `rom` is the bytes of a ROM, or a [`Rom`] of one's own.
    ///
    /// # Errors
    /// [`LearnError`] for a ROM or options that there is nothing to learn from, and those of [`Rom::open`]; [`LearnError::Gpu`].
    pub fn new<R>(rom: &R, config: &Config, execution: Execution) -> Result<Self, G::Error>
    where
        R: Rom<Game = G, Error = G::Error> + ?Sized,
    {
        let learner = Learner::new(rom, config)?;
        let opened = Opened::new(execution.device, |device| TrainingCard::open(device, &learner))?;
        let shards = (0..SHARDS).map(|number| Shard::new(rom, config, number, execution.arithmetic));
        let execution = Execution {
            threads: execution.threads.clamp(1, config.envs),
            ..execution
        };
        Ok(Self {
            learner,
            shards: shards.collect::<Result<_, _>>()?,
            execution,
            threads: start(execution.threads)?,
            passes: Vec::new(),
            opened,
        })
    }

    /// Goes on from a checkpoint of the same ROM, whatever computed it.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`], and those of [`Trainer::new`].
    pub fn resume<R>(rom: &R, bytes: &[u8], execution: Execution) -> Result<Self, G::Error>
    where
        R: Rom<Game = G, Error = G::Error> + ?Sized,
    {
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
    /// Those of [`Play::save`].
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, G::Error> {
        let mut games = Vec::new();
        for shard in &mut self.shards {
            games.extend(shard.save()?);
        }
        Ok(self.learner.checkpoint(games)?)
    }

    /// The weights and the run's statistics.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// What computes the nets. With [`Device::Auto`] it changes when a card is lost.
    pub fn processor(&self) -> &Processor {
        self.opened.processor()
    }

    /// Plays a rollout and learns from it.
    ///
    /// # Errors
    /// Those of [`Trainer::play`] and [`Trainer::learn`].
    pub fn update(&mut self) -> Result<Update, G::Error> {
        self.play()?;
        Ok(self.learn()?)
    }

    /// Plays a rollout: the first half of an update.
    ///
    /// # Errors
    /// Those of [`Play::step`], and [`LearnError::Gpu`].
    pub fn play(&mut self) -> Result<(), G::Error> {
        let update = self.learner.updates() + 1;
        self.shards.iter_mut().for_each(|shard| shard.begin(update));
        self.play_on_card()?;
        if !self.shards.iter().all(Shard::is_played) {
            self.play_on_cpu()?;
        }
        let collected = self.shards.iter_mut().map(|shard| shard.end().cloned());
        Ok(self.learner.begin(four(collected.collect::<Result<_, _>>()?))?)
    }

    /// Plays a rollout with a net on the card, as far as there is one. Two halves of the games take turns: while one plays, the card computes
    /// for the other.
    fn play_on_card(&mut self) -> Result<(), G::Error> {
        let Some(card) = &mut self.opened.card else {
            return Ok(());
        };
        card.begin(&self.learner)?;
        let (actions, width) = (self.learner.plan.actions, self.learner.plan.outputs());
        let rollout = self.learner.config().hyper_parameters.rollout;
        let halves = 0..self.learner.config().halves().len();
        let begun = halves.map(|half| (half, 0, card.begin_outputs(&mut self.shards, half)));
        let mut turns: VecDeque<_> = begun.collect();
        while let Some((half, step, outputs)) = turns.pop_front() {
            let outputs = match outputs.and_then(Outputs::wait) {
                Ok(outputs) => outputs,
                Err(error) => return Ok(self.opened.lose(error)?),
            };
            let games = outputs.len() / width;
            let lanes = self.shards.iter_mut().flat_map(|shard| {
                let half = shard.half(half);
                &mut shard.lanes[half]
            });
            let lanes = lanes.zip(outputs.chunks_exact(width));
            let played = self.threads.run(lanes, games, |(lane, outputs)| {
                lane.advance(&outputs[..actions], outputs[actions])
            });
            played.map_err(LearnError::from)??;
            if step < rollout {
                turns.push_back((half, step + 1, card.begin_outputs(&mut self.shards, half)));
            }
        }
        Ok(())
    }

    /// Plays the rest of a rollout on the CPU. Each thread has its share of the games.
    fn play_on_cpu(&mut self) -> Result<(), G::Error> {
        let (plan, parameters) = (&self.learner.plan, self.learner.parameters());
        let lanes = self.shards.iter_mut().flat_map(|shard| &mut shard.lanes);
        let mut lanes: Vec<&mut Lane<G>> = lanes.collect();
        let share = lanes.len().div_ceil(self.execution.threads);
        let shares = lanes.chunks_mut(share);
        let count = shares.len();
        self.passes
            .resize_with(count, || Pass::new(plan.clone(), self.execution.arithmetic));
        let played = self.threads.run(shares.zip(&mut self.passes), count, |(lanes, pass)| {
            pass.set_parameters(parameters);
            play(pass, lanes)
        });
        played.map_err(LearnError::from)?
    }

    /// Learns from the rollout: the second half of an update.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`], after which a run can go on only from a checkpoint; [`LearnError::Order`] before [`Trainer::play`];
    /// [`LearnError::Gpu`].
    pub fn learn(&mut self) -> Result<Update, LearnError> {
        self.learner.check_begun("Trainer::learn")?;
        for at in self.learner.minibatches() {
            self.step(at)?;
        }
        self.finish()
    }

    /// Ends an update whose gradient steps were made by [`Trainer::step`].
    ///
    /// # Errors
    /// [`LearnError::Order`] before [`Trainer::play`] and all gradient steps.
    pub fn finish(&mut self) -> Result<Update, LearnError> {
        self.learner.finish()
    }

    /// Makes one gradient step.
    ///
    /// # Errors
    /// Those of [`Trainer::learn`], and [`LearnError::Option`] for a minibatch that the run does not have.
    pub fn step(&mut self, at: MinibatchAt) -> Result<(), LearnError> {
        self.learner.check_minibatch("Trainer::step", at)?;
        if let Some(card) = &mut self.opened.card {
            match card.step(&mut self.learner, &self.shards, at) {
                Ok(()) => return Ok(()),
                Err(error) => self.opened.lose(error)?,
            }
            // The steps of this update went with the card: it hands them over after the last one.
            let steps = self.learner.minibatches().into_iter();
            for before in steps.take_while(|step| *step != at) {
                self.step_on_cpu(before)?;
            }
        }
        self.step_on_cpu(at)
    }

    fn step_on_cpu(&mut self, at: MinibatchAt) -> Result<(), LearnError> {
        let sums = self.differentiate(at)?;
        let gradients = self.gradients();
        let sum = Learner::sum(gradients);
        self.learner.apply_sum(sum, &sums)
    }

    /// The gradient of a minibatch's loss with respect to the weights, as a file of the weights' names, and the sums of losses;
    /// changes nothing. For comparison with another implementation.
    ///
    /// # Errors
    /// Those of [`Trainer::step`].
    pub fn gradient(&mut self, at: MinibatchAt) -> Result<(Vec<u8>, LossSums), LearnError> {
        self.learner.check_minibatch("Trainer::gradient", at)?;
        if let Some(card) = &mut self.opened.card {
            let (gradient, losses) = card.gradient(&self.learner, &self.shards, at)?;
            return Ok((self.learner.tensors(&gradient)?, losses));
        }
        let mut losses = LossSums::default();
        for sums in self.differentiate(at)? {
            losses.add(sums);
        }
        Ok((self.learner.tensors(&Learner::sum(self.gradients()))?, losses))
    }

    /// The steps of a minibatch, shard after shard. For comparison with another implementation.
    ///
    /// # Errors
    /// Those of [`Trainer::step`].
    pub fn minibatch(&mut self, at: MinibatchAt) -> Result<Minibatch, LearnError> {
        let mut batch = Minibatch::default();
        for shard in &mut self.shards {
            shard.add_to(at, &mut batch)?;
        }
        Ok(batch)
    }

    fn differentiate(&mut self, at: MinibatchAt) -> Result<[LossSums; SHARDS], LearnError> {
        let (mean, scale) = self.learner.normalisation(at)?;
        let parameters = self.learner.parameters();
        let mut sums = [LossSums::default(); SHARDS];
        let shards = self.shards.iter_mut().zip(&mut sums);
        self.threads.run(shards, SHARDS, |(shard, sums)| {
            shard.set_parameters(parameters)?;
            *sums = shard.gradient(at, mean, scale)?.1;
            Ok::<(), LearnError>(())
        })??;
        Ok(sums)
    }

    fn gradients(&self) -> [&[f32]; SHARDS] {
        std::array::from_fn(|shard| self.shards[shard].last_gradient())
    }
}

/// Starts threads.
#[cfg(not(target_family = "wasm"))]
fn start(threads: usize) -> Result<LaneThreads, LearnError> {
    let mut started = LaneThreads::default();
    started.set_threads(NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN))?;
    Ok(started)
}

/// The caller's thread: there are no others.
#[cfg(target_family = "wasm")]
fn start(_: usize) -> Result<LaneThreads, LearnError> {
    Ok(LaneThreads::default())
}

fn four<T>(values: Vec<T>) -> [T; SHARDS] {
    let mut values = values.into_iter();
    std::array::from_fn(|_| values.next().expect("every shard gives a value"))
}
