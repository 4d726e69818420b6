//! A quarter of a run's games: plays them with the weights of the moment, and gives gradients of its steps.

use std::fmt;

use gym2600_gym::{EpisodeSummary, Game, GameOptions};

use super::advantage::{Steps, advantages};
use super::loss::{LossSums, Objective, Sample};
use super::rollout::FrameStore;
use super::{Minibatch, MinibatchAt, STREAM_ACTIONS, STREAM_ORDER};
use crate::config::{Config, HyperParameters, SHARDS};
use crate::distribution::{choose, log_softmax};
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

/// One game with what it has shown.
pub(crate) struct Lane<G> {
    pub(super) game: G,
    pub(crate) pictures: FrameStore,
    pub(super) observation: Vec<u8>,
}

impl<G: Play> Lane<G> {
    /// Starts a game whose observations lie so.
    pub(super) fn start(mut game: G, layout: Layout, observation_len: usize) -> Result<Self, G::Error> {
        let mut observation = vec![0; observation_len];
        game.reset(&mut observation)?;
        let mut pictures = FrameStore::new(layout);
        pictures.push(&observation);
        Ok(Self {
            game,
            pictures,
            observation,
        })
    }
}

/// One step, without its observation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Played {
    pub(crate) action: u32,
    pub(crate) log_probability: f32,
}

/// What the steps of a rollout brought, game after game.
#[derive(Default)]
struct Rewarded {
    rewards: Vec<f32>,
    ended: Vec<bool>,
    /// What the critic said before each step and, of each game, after the last one.
    values: Vec<f32>,
    /// The games that ended, in the order of steps.
    episodes: Vec<EpisodeSummary>,
}

impl Rewarded {
    fn new(lanes: usize, rollout: usize) -> Self {
        Self {
            rewards: vec![0.0; lanes * rollout],
            ended: vec![false; lanes * rollout],
            values: vec![0.0; lanes * (rollout + 1)],
            episodes: Vec::new(),
        }
    }

    /// The steps with their advantages.
    fn collected(&self, hyper: &HyperParameters) -> Collected {
        let rollout = hyper.rollout;
        let mut collected = Collected {
            advantages: vec![0.0; self.rewards.len()],
            values: Vec::with_capacity(self.rewards.len()),
            episodes: self.episodes.clone(),
        };
        let rewards = self.rewards.chunks_exact(rollout).zip(self.ended.chunks_exact(rollout));
        let values = self.values.chunks_exact(rollout + 1);
        let into = collected.advantages.chunks_exact_mut(rollout);
        for (((rewards, ended), values), into) in rewards.zip(values).zip(into) {
            let steps = Steps { rewards, ended, values };
            advantages(steps, hyper.gamma, hyper.lambda, into);
            collected.values.extend_from_slice(&values[..rollout]);
        }
        collected
    }
}

/// A quarter of the games.
///
/// It takes the weights with [`Shard::set_parameters`], plays a rollout with [`Shard::collect`], and then gives the gradient of each of its
/// minibatches with [`Shard::gradient`]. A call out of this order is [`LearnError::Order`].
///
/// Where a graphics card has the net, a rollout is [`Shard::begin`], then [`Shard::show`] and [`Shard::advance`] for each step and once more for
/// the last values, and [`Shard::end`]. [`Shard::play_from`] plays the rest of it on the CPU.
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
    rewarded: Rewarded,
    pub(crate) collected: Collected,
    update: u64,
    /// The step of the rollout that comes next; none where no rollout has begun.
    next: Option<usize>,
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
            rewarded: Rewarded::default(),
            collected: Collected::default(),
            update: 0,
            next: None,
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
        self.play_from(0)?;
        Ok(self.end()?)
    }

    /// Begins a rollout; `update` counts from 1.
    pub fn begin(&mut self, update: u64) {
        let rollout = self.config.hyper_parameters.rollout;
        let lanes = self.lanes.len();
        self.update = update;
        self.next = Some(0);
        self.order.0 = usize::MAX;
        self.collected = Collected::default();
        self.played = vec![Played::default(); lanes * rollout];
        self.rewarded = Rewarded::new(lanes, rollout);
        self.lanes.iter_mut().for_each(|lane| lane.pictures.keep_last());
        self.sent.fill(0);
    }

    /// Plays a rollout from its next step on, with the weights.
    ///
    /// # Errors
    /// Those of [`Shard::advance`]; [`LearnError::Order`] before [`Shard::set_parameters`].
    pub fn play_from(&mut self, first: usize) -> Result<(), G::Error> {
        in_order(self.has_parameters, "Shard::play_from", "Shard::set_parameters")?;
        in_order(self.next == Some(first), "Shard::play_from", "the step before it")?;
        let lanes = self.lanes.len();
        for step in first..=self.config.hyper_parameters.rollout {
            let inputs = self.pass.input(lanes);
            let len = inputs.len() / lanes;
            for (lane, input) in self.lanes.iter().zip(inputs.chunks_exact_mut(len)) {
                lane.pictures.write(step, input);
            }
            let outputs = self.pass.forward().to_vec();
            self.advance(step, &outputs)?;
        }
        Ok(())
    }

    /// Plays a step with what a net gave for the observation of each game. That after the last one brings values alone.
    ///
    /// # Errors
    /// Those of [`Play::step`]; [`LearnError::Order`] for another step than the next one of a rollout, [`LearnError::Misfit`] for another number
    /// of outputs.
    pub fn advance(&mut self, step: usize, outputs: &[f32]) -> Result<(), G::Error> {
        let rollout = self.config.hyper_parameters.rollout;
        let lanes = self.lanes.len();
        let actions = self.pass.plan().actions;
        let width = self.pass.plan().outputs();
        let is_next = self.next == Some(step) && step <= rollout;
        in_order(is_next, "Shard::advance", "the step before it")?;
        LearnError::misfit(
            "number of outputs",
            outputs.len().to_string(),
            (lanes * width).to_string(),
        )?;
        // Where a game fails, the rollout cannot go on.
        self.next = None;
        for (number, (lane, outputs)) in self.lanes.iter_mut().zip(outputs.chunks_exact(width)).enumerate() {
            self.rewarded.values[number * (rollout + 1) + step] = outputs[actions];
            if step == rollout {
                continue;
            }
            let name = [
                self.config.seed,
                STREAM_ACTIONS,
                self.update,
                step as u64,
                (self.number * lanes + number) as u64,
            ];
            let logs = log_softmax(&outputs[..actions]);
            let action = choose(&logs, Stream::new(&name).uniform());
            let result = lane.game.step(action, &mut lane.observation)?;
            lane.pictures.push(&lane.observation);
            let at = number * rollout + step;
            self.played[at] = Played {
                action,
                log_probability: logs[action as usize] as f32,
            };
            self.rewarded.rewards[at] = sign(result.reward);
            self.rewarded.ended[at] = result.ended;
            self.rewarded.episodes.extend(result.episode);
        }
        self.next = Some(step + 1);
        Ok(())
    }

    /// Ends a rollout.
    ///
    /// # Errors
    /// [`LearnError::Order`] before its last step.
    pub fn end(&mut self) -> Result<&Collected, LearnError> {
        let is_played = self.next == Some(self.config.hyper_parameters.rollout + 1);
        in_order(is_played, "Shard::end", "the last step of a rollout")?;
        self.collected = self.rewarded.collected(&self.config.hyper_parameters);
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
        self.next = None;
        self.collected = Collected::default();
        for (lane, bytes) in self.lanes.iter_mut().zip(games) {
            lane.game.restore(bytes)?;
            lane.game.observe(&mut lane.observation)?;
            lane.pictures = FrameStore::new(self.layout);
            lane.pictures.push(&lane.observation);
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

/// A reward as the learner sees it.
fn sign(reward: f64) -> f32 {
    match reward {
        reward if reward > 0.0 => 1.0,
        reward if reward < 0.0 => -1.0,
        _ => 0.0,
    }
}
