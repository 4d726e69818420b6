//! Nets on a graphics card: a run in terms of what crates/learn-gpu computes, as plain data.
//!
//! Actions are chosen, advantages estimated and steps ordered by the code that the CPU has; the card computes outputs, losses, gradients and
//! the optimizer's steps. A [`Learner`] holds the weights between updates, so files and a lost card need nothing else.

#[cfg(feature = "gpu")]
mod native;
#[cfg(feature = "gpu")]
pub(crate) use native::{Outputs, PolicyCard, TrainingCard};

#[cfg(not(feature = "gpu"))]
mod none;
#[cfg(not(feature = "gpu"))]
pub(crate) use none::{Outputs, PolicyCard, TrainingCard};

use gym2600_learn_gpu::{
    Loss, Objective, Optimizer as CardOptimizer, Room, Settings, SettingsBits, Shape, Shown, State, Step, Sums, Work,
};

use crate::config::{Algorithm, HyperParameters, Optimizer, SHARDS};
use crate::error::LearnError;
use crate::net::{Layer, LayerKind, Plan};
use crate::train::{Learner, LossSums, MinibatchAt, Shard, corrected, order};

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

/// For a card that computes the gradient steps: an update is [`Learner::begin`], a step on the card for each of [`Learner::minibatches`], and
/// then [`Learner::take`] and [`Learner::finish`].
impl Learner {
    /// What a card has to know of the run.
    pub fn card_work(&self) -> Work {
        let (config, hyper) = (&self.config, &self.config.hyper_parameters);
        Work {
            shape: shape(&self.plan),
            room: Room {
                batch: config.envs.max(hyper.batch(config.envs) / hyper.minibatches),
                observations: config.envs * (hyper.rollout + 1),
            },
            objective: objective(config.algorithm, hyper),
        }
    }

    /// The optimizer's moments: Adam's means of gradients, empty with RMSprop, and the means of their squares.
    pub fn moments(&self) -> [&[f32]; 2] {
        [&self.moments.first, &self.moments.second]
    }

    /// The settings of a gradient step.
    ///
    /// # Errors
    /// Those of [`Learner::normalisation`].
    pub fn card_settings(&self, at: MinibatchAt) -> Result<SettingsBits, LearnError> {
        let hyper = &self.config.hyper_parameters;
        let slot = at.epoch * hyper.minibatches + at.minibatch;
        let (mean, scale) = self.normalisation(at)?;
        let rate = self.learning_rate();
        let (rate, correction) = match hyper.optimizer {
            Optimizer::Adam => corrected(self.moments.steps + slot as u64 + 1, rate),
            Optimizer::Rmsprop => (rate as f32, 1.0),
        };
        let settings = Settings {
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
        };
        Ok(settings.bits(hyper.batch(self.config.envs) / hyper.minibatches))
    }

    /// The steps of a gradient step by the numbers of their observations: step after step, of each the [halves](crate::Config::halves) one after the
    /// other, and of a half shard after shard.
    ///
    /// # Errors
    /// Those of [`Learner::normalisation`].
    pub fn card_samples(&self, at: MinibatchAt) -> Result<Vec<u32>, LearnError> {
        self.check_minibatch("Learner::card_samples", at)?;
        let (config, hyper) = (&self.config, &self.config.hyper_parameters);
        let steps = hyper.batch(config.envs) / SHARDS;
        let count = steps / hyper.minibatches;
        let (envs, rollout, halves) = (config.envs as u32, hyper.rollout as u32, config.halves());
        let mut samples = Vec::with_capacity(count * SHARDS);
        for shard in 0..SHARDS {
            let order = order(config.seed, self.updates + 1, at.epoch, shard, steps);
            let numbers = halves.iter().flat_map(|half| {
                let first = SHARDS * half.start + shard * half.len();
                first..first + half.len()
            });
            let numbers: Vec<u32> = numbers.map(|number| number as u32).collect();
            let chosen = order[at.minibatch * count..][..count].iter();
            samples.extend(chosen.map(|step| step % rollout * envs + numbers[(step / rollout) as usize]));
        }
        Ok(samples)
    }

    /// The steps of the run in the order of the card's observations, from the [`Shard::card_steps`] of all shards, one after the other.
    pub fn card_steps(&self, steps: &[u32]) -> Vec<u32> {
        let rollout = self.config.hyper_parameters.rollout;
        let halves = self.config.halves();
        let numbers = steps.len() / (self.config.envs * rollout);
        let shards: Vec<&[u32]> = steps.chunks_exact(steps.len() / SHARDS).collect();
        let mut ordered = Vec::with_capacity(steps.len());
        for step in 0..rollout {
            for half in &halves {
                for shard in &shards {
                    let games = &shard[shard.len() / rollout * step..];
                    ordered.extend_from_slice(&games[half.start * numbers..half.end * numbers]);
                }
            }
        }
        ordered
    }

    /// Takes what a card made in the gradient steps of an update.
    ///
    /// # Errors
    /// [`LearnError::NotFinite`]; a run can go on only from a checkpoint then. [`LearnError::Order`] before [`Learner::begin`],
    /// [`LearnError::Misfit`] for what another run has made.
    pub fn take(&mut self, state: State) -> Result<(), LearnError> {
        self.check_begun("Learner::take")?;
        let sums: Vec<Sums> = Sums::of(&state.totals);
        let sizes = |sizes: [usize; 4]| format!("{sizes:?}");
        let [first, second] = self.moments().map(<[f32]>::len);
        let ours = [self.parameters().len(), first, second, self.minibatches().len()];
        let theirs = [
            state.parameters.len(),
            state.first.len(),
            state.second.len(),
            sums.len(),
        ];
        LearnError::misfit("number of weights, moments and steps", sizes(theirs), sizes(ours))?;
        let steps: Vec<_> = sums.iter().map(|sums| (losses(*sums), f64::from(sums.norm))).collect();
        self.take_steps(state.parameters, [state.first, state.second], &steps)
    }
}

impl<G> Shard<G> {
    /// What one of [`Config::halves`](crate::Config::halves) shows now. In a rollout each picture is given once.
    pub fn show(&mut self, half: usize) -> Shown {
        let mut shown = Shown::default();
        let half = self.half(half);
        for (lane, sent) in self.lanes[half.clone()].iter().zip(&mut self.sent[half]) {
            let store = &lane.pictures;
            for place in *sent..store.pictures() {
                shown.pictures.extend_from_slice(store.picture(place as u32));
            }
            shown.counts.push((store.pictures() - *sent) as u32);
            *sent = store.pictures();
            shown.stacks.extend_from_slice(store.stack(store.len() - 1));
        }
        shown
    }

    /// The steps of the rollout for a card: all games of the shard, step after step, each as [`Step::bits`].
    pub fn card_steps(&self) -> Vec<u32> {
        let lanes = self.lanes.len();
        let rollout = self.collected.values.len() / lanes;
        let mut steps = Vec::with_capacity(self.played.len());
        for step in 0..rollout {
            for lane in 0..lanes {
                let at = lane * rollout + step;
                let (value, advantage) = (self.collected.values[at], self.collected.advantages[at]);
                let step = Step {
                    action: self.played[at].action,
                    log_probability: self.played[at].log_probability,
                    value,
                    advantage,
                    target: advantage + value,
                };
                steps.extend(step.bits());
            }
        }
        steps
    }
}
