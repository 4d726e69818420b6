//! Games that take turns with the graphics card: what they do is what they would do without turns, also where the card is lost between them.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::sync::{Arc, OnceLock};

use gym2600_arcade::WALLOP;
use gym2600_gym::{Game, GameOptions};
use gym2600_learn_gpu::{Card, Shown};
use pollster::block_on;

use super::card_tests::{ALGORITHMS, error, is_lost, on, small, trainer};
use super::{Execution, Learner, Minibatch, Shard, Trainer};
use crate::card::TrainingCard;
use crate::config::{Algorithm, Config, SHARDS};
use crate::device::Device;
use crate::error::LearnError;
use crate::game::{GameTraits, Outcome, Play, Rom};
use crate::kernel::Arithmetic;
use crate::net::Net;

/// A first update without turns: each step of all games waits for one answer of the card, and observations are numbered step after step and game
/// after game. Gives its minibatches and the weights.
fn without_turns(config: &Config) -> (Vec<Minibatch>, Vec<f32>) {
    let mut learner = Learner::new(WALLOP, config).unwrap();
    let shards = (0..SHARDS).map(|number| Shard::new(WALLOP, config, number, Arithmetic::Exact).unwrap());
    let mut shards: Vec<Shard<Game>> = shards.collect();
    let (mut card, _) = TrainingCard::open(Device::Gpu, &learner).unwrap();
    card.begin(&learner).unwrap();
    for shard in &mut shards {
        shard.begin(1);
    }
    let (rollout, envs, halves) = (config.hyper_parameters.rollout, config.envs, config.halves());
    for step in 0..=rollout {
        let mut shown = Shown::default();
        for shard in &mut shards {
            for half in 0..halves.len() {
                shown.extend(&shard.show(half));
            }
        }
        let outputs = block_on(card.training.outputs(&shown)).unwrap();
        let parts = outputs.chunks_exact(outputs.len() / SHARDS);
        for (shard, outputs) in shards.iter_mut().zip(parts) {
            let games: Vec<&[f32]> = outputs.chunks_exact(card.training.net.outputs()).collect();
            for (half, places) in halves.iter().enumerate() {
                shard.advance(half, step, &games[places.clone()].concat()).unwrap();
            }
        }
    }
    let collected: Vec<_> = shards.iter_mut().map(|shard| shard.end().unwrap().clone()).collect();
    learner.begin(collected.try_into().unwrap()).unwrap();
    let steps: Vec<Vec<u32>> = shards.iter().map(Shard::card_steps).collect();
    let step = |step| {
        steps
            .iter()
            .flat_map(move |steps| steps.chunks_exact(steps.len() / rollout).nth(step).unwrap())
    };
    let steps: Vec<u32> = (0..rollout).flat_map(step).copied().collect();
    card.training.set_steps(&steps).unwrap();
    let minibatches = learner.minibatches().into_iter().map(|at| {
        let mut batch = Minibatch::default();
        let mut samples = Vec::new();
        for shard in &mut shards {
            shard.add_to(at, &mut batch).unwrap();
            let first = shard.number * envs / SHARDS;
            let chosen = shard
                .chosen("a test", at)
                .unwrap()
                .into_iter()
                .map(|step| step as usize);
            samples.extend(chosen.map(|step| (step % rollout * envs + first + step / rollout) as u32));
        }
        card.training
            .step(&samples, learner.card_settings(at).unwrap())
            .unwrap();
        batch
    });
    let minibatches = minibatches.collect();
    learner.take(block_on(card.training.finish()).unwrap()).unwrap();
    learner.finish().unwrap();
    (minibatches, learner.parameters().to_vec())
}

/// The minibatches of a rollout that a trainer has played.
fn minibatches<G: Play<Error: Send> + Send>(trainer: &mut Trainer<G>) -> Vec<Minibatch>
where
    G::Error: std::fmt::Debug,
{
    let all = trainer.learner().minibatches().into_iter();
    all.map(|at| trainer.minibatch(at).unwrap()).collect()
}

#[test]
fn games_that_take_turns_choose_the_same_actions_and_learn_the_same_weights() {
    // With twelve games the halves are of four and eight.
    for (algorithm, envs) in ALGORITHMS.into_iter().zip([8, 12]) {
        let config = Config {
            envs,
            ..small(Net::Tiny, algorithm)
        };
        let (expected, weights) = without_turns(&config);
        for threads in [1, 8] {
            let execution = Execution {
                threads,
                ..on(Device::Gpu)
            };
            let mut run = Trainer::new(WALLOP, &config, execution).unwrap();
            run.play().unwrap();
            assert!(minibatches(&mut run) == expected, "{algorithm}, {threads} threads");
            run.learn().unwrap();
            assert!(run.learner().parameters() == weights, "{algorithm}, {threads} threads");
        }
    }
}

/// WALLOP, one game of which closes the card at a step.
struct Closing {
    card: Arc<OnceLock<Card>>,
    seed: u64,
    step: usize,
}

struct ClosingGame {
    game: Game,
    card: Arc<OnceLock<Card>>,
    /// Steps until it closes the card.
    left: Option<usize>,
}

impl Rom for Closing {
    type Game = ClosingGame;
    type Error = LearnError;

    fn traits(&self, options: &GameOptions) -> Result<GameTraits, LearnError> {
        WALLOP.traits(options)
    }

    fn open(&self, options: &GameOptions) -> Result<ClosingGame, LearnError> {
        Ok(ClosingGame {
            game: WALLOP.open(options)?,
            card: Arc::clone(&self.card),
            left: (options.seed == Some(self.seed)).then_some(self.step),
        })
    }
}

impl Play for ClosingGame {
    type Error = LearnError;

    fn traits(&self) -> GameTraits {
        Play::traits(&self.game)
    }

    fn reset(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Play::reset(&mut self.game, observation)
    }

    fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<Outcome, LearnError> {
        if self.left == Some(0) {
            self.card.get().unwrap().destroy();
        }
        self.left = self.left.and_then(|left| left.checked_sub(1));
        Play::step(&mut self.game, action, observation)
    }

    fn observe(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Play::observe(&mut self.game, observation)
    }

    fn save(&mut self) -> Result<Vec<u8>, LearnError> {
        Play::save(&mut self.game)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), LearnError> {
        Play::restore(&mut self.game, state)
    }
}

#[test]
fn a_card_that_is_lost_between_two_turns_leaves_the_rest_of_the_rollout_to_the_cpu() {
    let config = small(Net::Tiny, Algorithm::Ppo);
    let last = config.hyper_parameters.rollout - 1;
    let mut whole = trainer(&config, Device::Cpu);
    whole.play().unwrap();
    let expected = minibatches(&mut whole);
    whole.learn().unwrap();
    // Even games are the first half: it is a step ahead where one of its games closes the card, and level where one of the second half does.
    for (game, step) in [(0, 0), (4, 4), (3, 4), (7, last)] {
        let rom = Closing {
            card: Arc::default(),
            seed: config.seed + game,
            step,
        };
        let mut run = Trainer::new(&rom, &config, on(Device::Gpu)).unwrap();
        run.opened.device = Device::Auto;
        let card = run.opened.card.as_ref().unwrap().training.net.card().clone();
        rom.card.set(card).unwrap();
        run.play().unwrap();
        assert!(
            is_lost(run.processor()),
            "game {game}, step {step}: {}",
            run.processor()
        );
        for (found, expected) in minibatches(&mut run).iter().zip(&expected) {
            assert!(found.actions == expected.actions && found.observations == expected.observations);
            assert!(error(&found.values, &expected.values) < 1e-4);
            assert!(error(&found.log_probabilities, &expected.log_probabilities) < 1e-4);
        }
        run.learn().unwrap();
        assert!(error(run.learner().parameters(), whole.learner().parameters()) < 1e-3);
    }
}
