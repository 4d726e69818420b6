//! The weights and how they change.

use std::collections::VecDeque;
use std::fmt;

use gym2600_gym::{EpisodeSummary, GameOptions};

use super::advantage::normalisation;
use super::loss::LossSums;
use super::optimizer::{Moments, clip_norm, norm};
use super::shard::{Collected, order};
use super::{MinibatchAt, Update};
use crate::config::{Config, SHARDS};
use crate::environment::training_options;
use crate::error::LearnError;
use crate::game::Rom;
use crate::net::{Plan, initial_parameters};
use crate::origin::Origin;

/// Games over which scores are averaged.
const WINDOW: usize = 100;

/// The weights of a run, its optimizer and its statistics.
///
/// An update is [`Learner::begin`] with what the shards collected, then for each [`Learner::minibatches`] the shards'
/// gradients to [`Learner::apply_sum`], then [`Learner::finish`]. Until then files, their checksum and the numbers of updates and steps are
/// those of the update before. A call out of this order is [`LearnError::Order`].
#[derive(Clone)]
pub struct Learner {
    pub(crate) config: Config,
    origin: Origin,
    environment: GameOptions,
    pub(crate) plan: Plan,
    /// The weights after the last whole update.
    pub(crate) weights: Vec<f32>,
    /// The weights after the last gradient step.
    pub(crate) parameters: Vec<f32>,
    pub(crate) moments: Moments,
    pub(crate) updates: u64,
    pub(crate) episodes: u64,
    pub(crate) recent: VecDeque<EpisodeSummary>,
    finished: Vec<EpisodeSummary>,
    advantages: [Vec<f32>; SHARDS],
    explained_variance: f64,
    sums: LossSums,
    norms: f64,
    /// Gradient steps since [`Learner::begin`].
    made: usize,
}

impl fmt::Debug for Learner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Learner")
            .field("config", &self.config)
            .field("game", &self.origin.game)
            .field("updates", &self.updates)
            .finish_non_exhaustive()
    }
}

impl Learner {
    /// The first weights of a run.
    ///
    /// # Errors
    /// [`LearnError`] for a ROM or options that there is nothing to learn from.
    pub fn new<R: Rom + ?Sized>(rom: &R, config: &Config) -> Result<Self, R::Error> {
        config.check()?;
        let environment = training_options(rom, &config.options)?;
        let origin = Origin::of(rom.traits(&environment)?, config)?;
        let plan = origin.plan()?;
        let parameters = initial_parameters(&plan, config.seed);
        Ok(Self {
            moments: Moments::new(config.hyper_parameters.optimizer, parameters.len()),
            config: config.clone(),
            origin,
            environment,
            plan,
            weights: parameters.clone(),
            parameters,
            updates: 0,
            episodes: 0,
            recent: VecDeque::new(),
            finished: Vec::new(),
            advantages: Default::default(),
            explained_variance: 0.0,
            sums: LossSums::default(),
            norms: 0.0,
            made: 0,
        })
    }

    /// The weights after the last gradient step, in the order of [`Shard::set_parameters`](super::Shard::set_parameters).
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Updates finished.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Steps played, of all games.
    pub fn steps(&self) -> u64 {
        self.updates * self.config.hyper_parameters.batch(self.config.envs) as u64
    }

    /// What the weights are made for.
    pub fn origin(&self) -> Origin {
        Origin {
            steps: self.steps(),
            ..self.origin.clone()
        }
    }

    /// The options of the run's games, defaults resolved.
    pub fn environment(&self) -> &GameOptions {
        &self.environment
    }

    /// The games that ended in the last update, with their raw scores.
    pub fn finished(&self) -> &[EpisodeSummary] {
        &self.finished
    }

    /// The run's settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Takes what every shard played with the weights.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] for another number of steps than an update has.
    pub fn begin(&mut self, collected: [Collected; SHARDS]) -> Result<(), LearnError> {
        let steps = self.config.hyper_parameters.batch(self.config.envs) / SHARDS;
        for Collected { advantages, values, .. } in &collected {
            for values in [advantages, values] {
                LearnError::misfit("number of steps", values.len().to_string(), steps.to_string())?;
            }
        }
        self.sums = LossSums::default();
        self.norms = 0.0;
        self.made = 0;
        let values = collected.iter().flat_map(|shard| &shard.values);
        let advantages = collected.iter().flat_map(|shard| &shard.advantages);
        let errors = variance(advantages.clone().map(|advantage| f64::from(*advantage)));
        let returns = variance(advantages.zip(values).map(|(a, v)| f64::from(*a) + f64::from(*v)));
        self.explained_variance = if returns > 0.0 { 1.0 - errors / returns } else { 0.0 };
        self.finished.clear();
        for (number, shard) in collected.into_iter().enumerate() {
            self.episodes += shard.episodes.len() as u64;
            self.recent.extend(shard.episodes.iter().copied());
            self.finished.extend(shard.episodes);
            self.advantages[number] = shard.advantages;
        }
        while self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        Ok(())
    }

    /// Refuses a call before a rollout, or for a minibatch that an update does not have.
    pub(crate) fn check_minibatch(&self, call: &'static str, at: MinibatchAt) -> Result<(), LearnError> {
        at.check(&self.config.hyper_parameters)?;
        self.check_begun(call)
    }

    /// Refuses a call before a rollout.
    pub(crate) fn check_begun(&self, call: &'static str) -> Result<(), LearnError> {
        if self.advantages[0].is_empty() {
            let after = "a rollout";
            return Err(LearnError::Order { call, after });
        }
        Ok(())
    }

    /// The gradient steps of an update, in order.
    pub fn minibatches(&self) -> Vec<MinibatchAt> {
        let hyper = &self.config.hyper_parameters;
        let epoch = |epoch| (0..hyper.minibatches).map(move |minibatch| MinibatchAt { epoch, minibatch });
        (0..hyper.epochs).flat_map(epoch).collect()
    }

    /// Mean and scale by which the advantages of a minibatch are normalised.
    ///
    /// # Errors
    /// [`LearnError::Order`] before [`Learner::begin`], [`LearnError::Option`] for a minibatch that the run does not have.
    pub fn normalisation(&self, at: MinibatchAt) -> Result<(f64, f64), LearnError> {
        let hyper = &self.config.hyper_parameters;
        self.check_minibatch("Learner::normalisation", at)?;
        if !hyper.normalize {
            return Ok((0.0, 1.0));
        }
        let steps = self.advantages[0].len();
        let count = steps / hyper.minibatches;
        let orders: Vec<Vec<u32>> = (0..SHARDS)
            .map(|shard| order(self.config.seed, self.updates + 1, at.epoch, shard, steps))
            .collect();
        let advantages = orders.iter().zip(&self.advantages).flat_map(|(order, advantages)| {
            let chosen = &order[at.minibatch * count..][..count];
            chosen.iter().map(|step| &advantages[*step as usize])
        });
        Ok(normalisation(advantages))
    }

    /// The sum of the shards' gradients, in pairs: (0 + 1) + (2 + 3).
    pub fn sum([a, b, c, d]: [&[f32]; SHARDS]) -> Vec<f32> {
        let pairs = a.iter().zip(b).zip(c.iter().zip(d));
        pairs.map(|((a, b), (c, d))| (a + b) + (c + d)).collect()
    }

    /// Takes the sum of the shards' gradients for a minibatch, and their losses.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`]; a run can go on only from a checkpoint then. [`LearnError::Order`] before [`Learner::begin`],
    /// [`LearnError::Misfit`] for a gradient of another length.
    pub fn apply_sum(&mut self, mut gradient: Vec<f32>, sums: &[LossSums]) -> Result<(), LearnError> {
        self.check_begun("Learner::apply_sum")?;
        let [theirs, ours] = [&gradient, &self.parameters].map(|values| values.len().to_string());
        LearnError::misfit("number of weights", theirs, ours)?;
        let hyper = &self.config.hyper_parameters;
        let update = self.updates + 1;
        let mut losses = LossSums::default();
        for sums in sums {
            losses.add(*sums);
        }
        if !losses.to_array().iter().all(|sum| sum.is_finite()) {
            return Err(LearnError::NotFinite {
                what: "the loss",
                update,
            });
        }
        let norm = norm(&gradient);
        if !norm.is_finite() {
            let what = "the gradient";
            return Err(LearnError::NotFinite { what, update });
        }
        clip_norm(&mut gradient, norm, hyper.gradient_norm);
        let rate = self.learning_rate();
        self.moments
            .step(&self.config.hyper_parameters, rate, &gradient, &mut self.parameters);
        if !all_finite(&self.parameters) {
            let what = "a weight";
            return Err(LearnError::NotFinite { what, update });
        }
        self.sums.add(losses);
        self.norms += norm;
        self.made += 1;
        Ok(())
    }

    /// Takes the gradient steps of an update that were made elsewhere: what became of the weights and of the optimizer, and the losses and the
    /// gradient's norm of each step.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`]; a run can go on only from a checkpoint then.
    pub(crate) fn take_steps(
        &mut self,
        parameters: Vec<f32>,
        [first, second]: [Vec<f32>; 2],
        steps: &[(LossSums, f64)],
    ) -> Result<(), LearnError> {
        let update = self.updates + 1;
        for (losses, norm) in steps {
            let is_finite = losses.to_array().iter().all(|sum| sum.is_finite());
            for (what, is_finite) in [("the loss", is_finite), ("the gradient", norm.is_finite())] {
                if !is_finite {
                    return Err(LearnError::NotFinite { what, update });
                }
            }
            self.sums.add(*losses);
            self.norms += norm;
        }
        if !all_finite(&parameters) {
            let what = "a weight";
            return Err(LearnError::NotFinite { what, update });
        }
        self.parameters = parameters;
        (self.moments.first, self.moments.second) = (first, second);
        self.moments.steps += steps.len() as u64;
        self.made += steps.len();
        Ok(())
    }

    pub(crate) fn learning_rate(&self) -> f64 {
        let Config {
            hyper_parameters, envs, ..
        } = &self.config;
        hyper_parameters.learning_rate_after(self.steps(), *envs)
    }

    /// Ends the update.
    ///
    /// # Errors
    /// [`LearnError::Order`] before [`Learner::begin`] and all gradient steps.
    pub fn finish(&mut self) -> Result<Update, LearnError> {
        let call = "Learner::finish";
        self.check_begun(call)?;
        if self.made < self.minibatches().len() {
            let after = "all gradient steps";
            return Err(LearnError::Order { call, after });
        }
        self.advantages.iter_mut().for_each(Vec::clear);
        let learning_rate = self.learning_rate();
        self.updates += 1;
        self.weights.copy_from_slice(&self.parameters);
        let hyper = &self.config.hyper_parameters;
        let steps = (hyper.batch(self.config.envs) * hyper.epochs) as f64;
        let games = self.recent.len() as f64;
        let mean = |value: fn(&EpisodeSummary) -> f64| {
            (!self.recent.is_empty()).then(|| self.recent.iter().map(value).sum::<f64>() / games)
        };
        Ok(Update {
            update: self.updates,
            steps: self.steps(),
            episodes: self.episodes,
            reward: mean(|episode| episode.reward),
            length: mean(|episode| f64::from(episode.length)),
            entropy: self.sums.entropy / steps,
            kl: self.sums.kl / steps,
            clip_fraction: self.sums.clipped / steps,
            explained_variance: self.explained_variance,
            policy_loss: self.sums.policy / steps,
            value_loss: self.sums.value / steps,
            gradient_norm: self.norms / (hyper.epochs * hyper.minibatches) as f64,
            learning_rate,
        })
    }
}

/// Whether all values are finite. Whole chunks are looked at, because a loop that may end at each value is not vectorised.
fn all_finite(values: &[f32]) -> bool {
    let finite = |chunk: &[f32]| chunk.iter().fold(true, |all, value| all & value.is_finite());
    values.chunks(1024).all(finite)
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let (count, sum) = values
        .clone()
        .fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    let mean = sum / f64::from(count);
    values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / f64::from(count)
}
