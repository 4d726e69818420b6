//! Nets on a graphics card: plans, learners and shards in terms of what crates/learn-gpu computes.
//!
//! Actions are chosen, advantages estimated and steps ordered by the code that the CPU has; the card computes outputs, losses, gradients and
//! the optimizer's steps. A [`Learner`] holds the weights between updates, so files and a lost card need nothing else.

use gym2600_learn_gpu::{
    Adapters, Card, GpuError, Loss, Net, Objective, Optimizer as CardOptimizer, Room, Settings, Shape, Step, Sums,
    Training,
};

use crate::config::{Algorithm, Config, HyperParameters, Optimizer};
use crate::device::Device;
use crate::error::LearnError;
use crate::game::Play;
use crate::net::{Layer, LayerKind, Plan};
use crate::train::{Learner, LossSums, MinibatchAt, Shard, corrected};

impl From<GpuError> for LearnError {
    fn from(error: GpuError) -> Self {
        Self::Gpu {
            reason: error.to_string(),
        }
    }
}

fn open(device: Device) -> Result<Card, LearnError> {
    let adapters = match device {
        Device::Gpu => Adapters::Any,
        // Software on the CPU would be slower than the CPU's own code.
        Device::Cpu | Device::Auto => Adapters::Hardware,
    };
    Ok(Card::open(adapters)?)
}

fn layer(layer: &Layer) -> gym2600_learn_gpu::Layer {
    match &layer.kind {
        LayerKind::Convolution {
            windows,
            size,
            stride,
            channels,
        } => gym2600_learn_gpu::Layer {
            rows: layer.inputs / windows.stride,
            columns: windows.stride / channels,
            channels: *channels,
            size: *size,
            stride: *stride,
            outputs: layer.outputs,
            relu: layer.relu,
        },
        LayerKind::Linear => gym2600_learn_gpu::Layer::dense(layer.inputs, layer.outputs, layer.relu),
    }
}

pub(crate) fn shape(plan: &Plan) -> Shape {
    Shape {
        pixels: plan.input.pixels(),
        frames: plan.input.frames,
        layers: plan.layers.iter().map(layer).collect(),
        actions: plan.actions,
    }
}

/// A policy's net on a card.
pub(crate) struct PolicyCard {
    net: Net,
}

impl PolicyCard {
    /// Opens a card, and gives its name too.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn open(device: Device, plan: &Plan, parameters: &[f32]) -> Result<(Self, String), LearnError> {
        let card = open(device)?;
        let room = Room {
            batch: 1,
            observations: 1,
        };
        let mut net = Net::new(&card, &shape(plan), room)?;
        net.set_parameters(parameters);
        Ok((Self { net }, card.name().to_owned()))
    }

    /// The outputs for an observation.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn outputs(&mut self, pictures: &[&[u8]]) -> Result<Vec<f32>, LearnError> {
        self.net.clear();
        let places: Vec<u32> = pictures.iter().map(|picture| self.net.add_picture(picture)).collect();
        let number = self.net.add_observation(&places);
        Ok(self.net.forward(&[number])?)
    }
}

/// A run's net on a card.
pub(crate) struct TrainingCard {
    pub(crate) training: Training,
    /// For each game the card's places of its pictures.
    places: Vec<Vec<u32>>,
}

impl TrainingCard {
    /// Opens a card, and gives its name too.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn open(device: Device, plan: &Plan, config: &Config) -> Result<(Self, String), LearnError> {
        let card = open(device)?;
        let hyper = &config.hyper_parameters;
        let room = Room {
            batch: config.envs.max(hyper.batch(config.envs) / hyper.minibatches),
            observations: config.envs * (hyper.rollout + 1),
        };
        let objective = objective(config.algorithm, hyper);
        let opened = Self {
            training: Training::new(&card, &shape(plan), room, objective)?,
            places: vec![Vec::new(); config.envs],
        };
        Ok((opened, card.name().to_owned()))
    }

    /// Begins an update with a learner's weights.
    pub(crate) fn begin(&mut self, learner: &Learner) {
        let moments = &learner.moments;
        self.training.net.clear();
        self.training
            .set_state(learner.parameters(), &moments.first, &moments.second);
        self.places.iter_mut().for_each(Vec::clear);
    }

    /// The outputs for what all games show before a step, game after game. Steps follow each other.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn outputs<G>(&mut self, shards: &[Shard<G>], step: usize) -> Result<Vec<f32>, LearnError> {
        let net = &mut self.training.net;
        let mut samples = Vec::with_capacity(self.places.len());
        let lanes = shards.iter().flat_map(|shard| &shard.lanes);
        for (lane, places) in lanes.zip(&mut self.places) {
            let store = &lane.pictures;
            for place in places.len()..store.pictures() {
                places.push(net.add_picture(store.picture(place as u32)));
            }
            let stack = store.stack(step).iter().map(|place| places[*place as usize]);
            samples.push(net.add_observation(&stack.collect::<Vec<_>>()));
        }
        Ok(net.forward(&samples)?)
    }

    /// Makes a gradient step. After the last one of the update the learner takes what all of them made.
    ///
    /// # Errors
    /// [`LearnError::Gpu`] and [`LearnError::NotFinite`]
    pub(crate) fn step<G: Play>(
        &mut self,
        learner: &mut Learner,
        shards: &mut [Shard<G>],
        at: MinibatchAt,
    ) -> Result<(), LearnError> {
        let settings = settings(learner, at)?;
        if settings.slot == 0 {
            self.training.set_steps(&steps(learner, shards));
        }
        self.training.step(&samples(learner, shards, at)?, settings)?;
        if settings.slot + 1 < learner.minibatches().len() {
            return Ok(());
        }
        let (state, sums) = self.training.finish()?;
        let sums: Vec<_> = sums.iter().map(|sums| (losses(*sums), f64::from(sums.norm))).collect();
        learner.take(state.parameters, [state.first, state.second], &sums)
    }

    /// The gradient of a minibatch and its losses. It changes nothing.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn gradient<G: Play>(
        &mut self,
        learner: &Learner,
        shards: &mut [Shard<G>],
        at: MinibatchAt,
    ) -> Result<(Vec<f32>, LossSums), LearnError> {
        self.training.set_steps(&steps(learner, shards));
        let samples = samples(learner, shards, at)?;
        let (gradient, sums) = self.training.gradient(&samples, settings(learner, at)?)?;
        Ok((gradient, losses(sums)))
    }
}

pub(crate) fn objective(algorithm: Algorithm, hyper: &HyperParameters) -> Objective {
    Objective {
        loss: match algorithm {
            Algorithm::Ppo => Loss::Ppo {
                clip_value: hyper.clip_value,
            },
            Algorithm::A2c => Loss::A2c,
        },
        optimizer: match hyper.optimizer {
            Optimizer::Adam => CardOptimizer::Adam,
            Optimizer::Rmsprop => CardOptimizer::Rmsprop,
        },
        minibatches: hyper.epochs * hyper.minibatches,
    }
}

fn losses(sums: Sums) -> LossSums {
    LossSums::from_array(sums.losses.map(f64::from))
}

fn settings(learner: &Learner, at: MinibatchAt) -> Result<Settings, LearnError> {
    let hyper = &learner.config.hyper_parameters;
    let slot = at.epoch * hyper.minibatches + at.minibatch;
    let (mean, scale) = learner.normalisation(at)?;
    let rate = learner.learning_rate();
    let (rate, correction) = match hyper.optimizer {
        Optimizer::Adam => corrected(learner.moments.steps + slot as u64 + 1, rate),
        Optimizer::Rmsprop => (rate as f32, 1.0),
    };
    Ok(Settings {
        slot,
        mean: mean as f32,
        scale: scale as f32,
        clip: hyper.clip as f32,
        entropy: hyper.entropy as f32,
        value: hyper.value as f32,
        bound: hyper.gradient_norm as f32,
        rate,
        correction,
        epsilon: hyper.epsilon as f32,
    })
}

/// The steps of a rollout in the order of the card's observations: all games, step after step.
fn steps<G>(learner: &Learner, shards: &[Shard<G>]) -> Vec<Step> {
    let hyper = &learner.config.hyper_parameters;
    let mut steps = Vec::with_capacity(hyper.batch(learner.config.envs));
    for step in 0..hyper.rollout {
        for shard in shards {
            for lane in 0..shard.lanes.len() {
                let at = lane * hyper.rollout + step;
                let (value, advantage) = (shard.collected.values[at], shard.collected.advantages[at]);
                steps.push(Step {
                    action: shard.played[at].action,
                    log_probability: shard.played[at].log_probability,
                    value,
                    advantage,
                    target: advantage + value,
                });
            }
        }
    }
    steps
}

/// The observations of a minibatch.
fn samples<G: Play>(learner: &Learner, shards: &mut [Shard<G>], at: MinibatchAt) -> Result<Vec<u32>, LearnError> {
    let Config {
        envs, hyper_parameters, ..
    } = &learner.config;
    let (envs, rollout) = (*envs as u32, hyper_parameters.rollout as u32);
    let mut samples = Vec::new();
    for shard in shards {
        let first = (shard.number * shard.lanes.len()) as u32;
        let chosen = shard.chosen("Trainer::step", at)?.into_iter();
        samples.extend(chosen.map(|step| step % rollout * envs + first + step / rollout));
    }
    Ok(samples)
}
