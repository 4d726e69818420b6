//! A quarter of a run's games: plays them with the weights of the moment, and gives gradients of its steps.

use std::fmt;
use std::ops::Range;

use gym2600_gym::{EpisodeSummary, Game, GameOptions};

use super::advantage::advantages;
use super::lane::{Draws, Lane, Played, play};
use super::loss::{LossSums, Objective, Sample};
use super::{Minibatch, MinibatchAt, STREAM_ORDER};
use crate::config::{Config, SHARDS};
use crate::environment::{Layout, training_options};
use crate::error::LearnError;
use crate::game::{Play, Rom};
use crate::kernel::Arithmetic;
use crate::net::{Pass, Plan};
use crate::random::Stream;

/// What a shard's games brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collected {
    /// The advantage of each step, game after game.
    pub advantages: Vec<f32>,
    /// What the critic said before each step.
    pub values: Vec<f32>,
    /// The games that ended, in the order of steps, with their raw scores.
    pub episodes: Vec<EpisodeSummary>,
}

/// A quarter of the games.
///
/// It takes the weights with [`Shard::set_parameters`], plays a rollout with [`Shard::collect`], and then gives the gradient of each of its
/// minibatches with [`Shard::gradient`]. A call out of this order is [`LearnError::Order`].
///
/// Where a graphics card has the net, a rollout is [`Shard::begin`], then [`Shard::show`] and [`Shard::advance`] for each half of the games and
/// each step, and once more for the last values, and [`Shard::end`]. [`Shard::play_rest`] plays the rest of it on the CPU.
pub struct Shard<G = Game> {
    config: Config,
    pub(crate) number: usize,
    pub(crate) lanes: Vec<Lane<G>>,
    /// The pictures of each game that a card has got.
    pub(crate) sent: Vec<usize>,
    layout: Layout,
    pass: Pass,
    /// The steps of the rollout, game after game.
    pub(crate) played: Vec<Played>,
    pub(crate) collected: Collected,
    update: u64,
    has_parameters: bool,
    /// The order of steps and the epoch it is of.
    order: (usize, Vec<u32>),
    gradient: Vec<f32>,
}

impl<G> fmt::Debug for Shard<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Shard")
            .field("number", &self.number)
            .field("games", &self.lanes.len())
            .field("update", &self.update)
            .finish_non_exhaustive()
    }
}

impl<G> Shard<G> {
    /// The places of a half of the games, as [`Config::halves`] has it. One that it does not have has no games.
    pub(crate) fn half(&self, half: usize) -> Range<usize> {
        self.config.halves().into_iter().nth(half).unwrap_or_default()
    }
}

impl<G: Play> Shard<G> {
    /// Makes the games of shard `number`.
    ///
    /// # Errors
    /// For options that the game does not have, or that no net can look at, and for a number that is not below [`SHARDS`].
    pub fn new<R>(rom: &R, config: &Config, number: usize, arithmetic: Arithmetic) -> Result<Self, G::Error>
    where
        R: Rom<Game = G, Error = G::Error> + ?Sized,
    {
        config.check()?;
        if number >= SHARDS {
            return Err(LearnError::option("shard", format!("{number} is not below {SHARDS}")).into());
        }
        let options = training_options(rom, &config.options)?;
        let count = config.envs / SHARDS;
        let games = (0..count).map(|lane| {
            rom.open(&GameOptions {
                seed: Some(config.seed + (number * count + lane) as u64),
                ..options.clone()
            })
        });
        let games = games.collect::<Result<Vec<G>, _>>()?;
        let traits = games[0].traits();
        let layout = Layout::of(&traits)?;
        let plan = Plan::of(config.net, layout.input, traits.actions.len())?;
        let lanes = games
            .into_iter()
            .map(|game| Lane::start(game, layout, traits.observation.len()));
        let lanes = lanes.collect::<Result<_, _>>()?;
        Ok(Self {
            config: config.clone(),
            number,
            sent: vec![0; count],
            lanes,
            layout,
            gradient: vec![0.0; plan.parameters()],
            pass: Pass::new(plan, arithmetic),
            played: Vec::new(),
            collected: Collected::default(),
            update: 0,
            has_parameters: false,
            order: (usize::MAX, Vec::new()),
        })
    }

    /// Takes the weights for what follows.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] for another number of weights than the net has.
    pub fn set_parameters(&mut self, parameters: &[f32]) -> Result<(), LearnError> {
        let [theirs, ours] = [parameters.len(), self.gradient.len()].map(|count| count.to_string());
        LearnError::misfit("number of weights", theirs, ours)?;
        self.pass.set_parameters(parameters);
        self.has_parameters = true;
        Ok(())
    }

    /// Plays a rollout; `update` counts from 1.
    ///
    /// # Errors
    /// Those of [`Play::step`]; [`LearnError::Order`] before [`Shard::set_parameters`].
    pub fn collect(&mut self, update: u64) -> Result<&Collected, G::Error> {
        in_order(self.has_parameters, "Shard::collect", "Shard::set_parameters")?;
        self.begin(update);
        self.play_rest()?;
        Ok(self.end()?)
    }

    /// Begins a rollout; `update` counts from 1.
    pub fn begin(&mut self, update: u64) {
        let first = self.number * self.lanes.len();
        for (lane, game) in self.lanes.iter_mut().zip(first..) {
            let draws = Draws {
                seed: self.config.seed,
                update,
                game,
            };
            lane.begin(draws, self.config.hyper_parameters.rollout);
        }
        self.update = update;
        self.order.0 = usize::MAX;
        self.collected = Collected::default();
        self.played.clear();
        self.sent.fill(0);
    }

    /// Plays the rest of a rollout with the weights, each game from its next step on.
    ///
    /// # Errors
    /// Those of [`Play::step`]; [`LearnError::Order`] before [`Shard::set_parameters`] and before [`Shard::begin`].
    pub fn play_rest(&mut self) -> Result<(), G::Error> {
        in_order(self.has_parameters, "Shard::play_rest", "Shard::set_parameters")?;
        let has_begun = self.lanes.iter().all(|lane| lane.next().is_some());
        in_order(has_begun, "Shard::play_rest", "Shard::begin")?;
        let mut lanes: Vec<_> = self.lanes.iter_mut().collect();
        play(&mut self.pass, &mut lanes)
    }

    /// Plays a step of one of [`Config::halves`] with what a net gave for the observation of each game. That after the last one brings values
    /// alone.
    ///
    /// # Errors
    /// Those of [`Play::step`]; [`LearnError::Order`] for another step than the next one of a rollout, [`LearnError::Misfit`] for another number
    /// of outputs.
    pub fn advance(&mut self, half: usize, step: usize, outputs: &[f32]) -> Result<(), G::Error> {
        let actions = self.pass.plan().actions;
        let width = self.pass.plan().outputs();
        let half = self.half(half);
        let lanes = &mut self.lanes[half];
        let is_next = lanes
            .iter()
            .all(|lane| lane.next() == Some(step) && lane.played().is_none());
        in_order(is_next, "Shard::advance", "the step before it")?;
        LearnError::misfit(
            "number of outputs",
            outputs.len().to_string(),
            (lanes.len() * width).to_string(),
        )?;
        let mut lanes = lanes.iter_mut().zip(outputs.chunks_exact(width));
        lanes.try_for_each(|(lane, outputs)| lane.advance(&outputs[..actions], outputs[actions]))
    }

    /// Whether all games have played their rollout.
    pub(super) fn is_played(&self) -> bool {
        self.lanes.iter().all(|lane| lane.played().is_some())
    }

    /// Ends a rollout.
    ///
    /// # Errors
    /// [`LearnError::Order`] before its last step.
    pub fn end(&mut self) -> Result<&Collected, LearnError> {
        in_order(self.is_played(), "Shard::end", "the last step of a rollout")?;
        let hyper = &self.config.hyper_parameters;
        let length = hyper.rollout;
        let mut collected = Collected {
            advantages: vec![0.0; self.lanes.len() * length],
            ..Collected::default()
        };
        self.played.clear();
        let mut episodes = Vec::new();
        let rollouts = self.lanes.iter().filter_map(Lane::played);
        for (rollout, into) in rollouts.zip(collected.advantages.chunks_exact_mut(length)) {
            let steps = rollout.steps();
            advantages(steps, hyper.gamma, hyper.lambda, into);
            collected.values.extend_from_slice(&steps.values[..length]);
            self.played.extend_from_slice(&rollout.played);
            episodes.extend_from_slice(&rollout.episodes);
        }
        episodes.sort_by_key(|(step, _)| *step);
        collected.episodes = episodes.into_iter().map(|(_, episode)| episode).collect();
        self.collected = collected;
        Ok(&self.collected)
    }

    /// The gradient of a part of a minibatch that the shard has played, and its losses. `mean` and `scale` normalise the
    /// advantages.
    ///
    /// # Errors
    /// [`LearnError::Order`] before [`Shard::collect`], [`LearnError::Option`] for a minibatch that the run does not have.
    pub fn gradient(&mut self, at: MinibatchAt, mean: f64, scale: f64) -> Result<(&[f32], LossSums), LearnError> {
        let chosen = self.chosen("Shard::gradient", at)?;
        let count = chosen.len();
        let hyper = &self.config.hyper_parameters;
        let inputs = self.pass.input(count);
        let len = inputs.len() / count;
        for (step, input) in chosen.iter().zip(inputs.chunks_exact_mut(len)) {
            let (lane, step) = (*step as usize / hyper.rollout, *step as usize % hyper.rollout);
            self.lanes[lane].pictures.write(step, input);
        }
        let outputs = self.pass.forward().to_vec();
        let Plan { actions, .. } = *self.pass.plan();
        let width = self.pass.plan().outputs();
        let gradients = self.pass.output_gradient();
        let mut sums = LossSums::default();
        let objective = Objective {
            algorithm: self.config.algorithm,
            hyper,
            actions,
            count: count * SHARDS,
        };
        let rows = outputs.chunks_exact(width).zip(gradients.chunks_exact_mut(width));
        for (step, (outputs, gradient)) in chosen.iter().zip(rows) {
            let step = *step as usize;
            let advantage = f64::from(self.collected.advantages[step]);
            let value = self.collected.values[step];
            let sample = Sample {
                action: self.played[step].action,
                log_probability: self.played[step].log_probability,
                value,
                advantage: (advantage - mean) * scale,
                target: advantage + f64::from(value),
            };
            objective.sample(&sample, outputs, &mut sums, gradient);
        }
        self.gradient.fill(0.0);
        self.pass.backward(&mut self.gradient);
        Ok((&self.gradient, sums))
    }

    /// Adds the steps of a minibatch.
    pub(super) fn add_to(&mut self, at: MinibatchAt, batch: &mut Minibatch) -> Result<(), LearnError> {
        let rollout = self.config.hyper_parameters.rollout;
        for step in self.chosen("Trainer::minibatch", at)? {
            let step = step as usize;
            self.lanes[step / rollout]
                .pictures
                .append(step % rollout, &mut batch.observations);
            batch.actions.push(self.played[step].action);
            batch.log_probabilities.push(self.played[step].log_probability);
            batch.values.push(self.collected.values[step]);
            batch.advantages.push(self.collected.advantages[step]);
        }
        Ok(())
    }

    /// The steps of a minibatch, for a call.
    pub(crate) fn chosen(&mut self, call: &'static str, at: MinibatchAt) -> Result<Vec<u32>, LearnError> {
        at.check(&self.config.hyper_parameters)?;
        let steps = self.collected.advantages.len();
        in_order(steps > 0, call, "a rollout")?;
        let count = steps / self.config.hyper_parameters.minibatches;
        if self.order.0 != at.epoch {
            self.order = (
                at.epoch,
                order(self.config.seed, self.update, at.epoch, self.number, steps),
            );
        }
        Ok(self.order.1[at.minibatch * count..][..count].to_vec())
    }

    /// What [`Shard::collect`] gave last.
    pub fn collected(&self) -> &Collected {
        &self.collected
    }

    /// What [`Shard::gradient`] gave last.
    pub fn last_gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// The state of each game.
    ///
    /// # Errors
    /// Those of [`Play::save`].
    pub fn save(&mut self) -> Result<Vec<Vec<u8>>, G::Error> {
        self.lanes.iter_mut().map(|lane| lane.game.save()).collect()
    }

    /// Restores the states that [`Shard::save`] gave.
    ///
    /// # Errors
    /// Those of [`Play::restore`]; [`LearnError::Misfit`] for another number of games.
    pub fn restore(&mut self, games: &[Vec<u8>]) -> Result<(), G::Error> {
        let [theirs, ours] = [games.len(), self.lanes.len()].map(|count| count.to_string());
        LearnError::misfit("number of games", theirs, ours)?;
        self.collected = Collected::default();
        for (lane, state) in self.lanes.iter_mut().zip(games) {
            lane.restore(state, self.layout)?;
        }
        Ok(())
    }
}

/// Refuses a call that comes too early.
fn in_order(is_in_order: bool, call: &'static str, after: &'static str) -> Result<(), LearnError> {
    if is_in_order {
        Ok(())
    } else {
        Err(LearnError::Order { call, after })
    }
}

/// The order in which an epoch takes the steps of a shard.
pub(crate) fn order(seed: u64, update: u64, epoch: usize, shard: usize, steps: usize) -> Vec<u32> {
    Stream::new(&[seed, STREAM_ORDER, update, epoch as u64, shard as u64]).permutation(steps)
}
