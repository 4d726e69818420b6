//! What is asked of a card and what it gives, as plain data.
//!
//! In a page the learner and the card are WebAssembly modules of their own, and JavaScript passes these from one to the other as numbers.

use crate::layer::{Layer, Shape};

/// Sums that a minibatch leaves: five of losses and the norm.
pub(crate) const TOTALS: usize = 6;

/// The place of a step's slot in [`SettingsBits`].
pub(crate) const SLOT: usize = 1;

/// Numbers of a [`Step`].
pub(crate) const STEP_NUMBERS: usize = 5;

/// Numbers of a batch's settings.
pub const SETTINGS_NUMBERS: usize = 12;

/// What changes from batch to batch, as bits; shaders/settings.wgsl names them.
pub type SettingsBits = [u32; SETTINGS_NUMBERS];

/// Which losses a net minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Those of PPO.
    Ppo {
        /// Whether the change of values is bounded too.
        clip_value: bool,
    },
    /// Those of A2C.
    A2c,
}

/// How parameters follow gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimizer {
    /// Adam, with betas 0.9 and 0.999.
    Adam,
    /// RMSprop, with a decay of 0.99.
    Rmsprop,
}

/// How a net learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objective {
    /// The losses.
    pub loss: Loss,
    /// The optimizer.
    pub optimizer: Optimizer,
    /// Gradient steps of an update.
    pub minibatches: usize,
}

/// Room of a net on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Samples of a batch at most.
    pub batch: usize,
    /// Observations that are kept at most.
    pub observations: usize,
}

/// All that a card has to know of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The net.
    pub shape: Shape,
    /// Its room.
    pub room: Room,
    /// How it learns.
    pub objective: Objective,
}

impl Work {
    /// It as numbers, for [`Work::from_numbers`].
    pub fn to_numbers(&self) -> Vec<u32> {
        let Self { shape, room, objective } = self;
        let loss = match objective.loss {
            Loss::Ppo { clip_value } => usize::from(clip_value),
            Loss::A2c => 2,
        };
        let optimizer = usize::from(objective.optimizer == Optimizer::Rmsprop);
        let mut numbers = vec![room.batch, room.observations, loss, optimizer, objective.minibatches];
        numbers.extend([shape.pixels, shape.frames, shape.actions]);
        for layer in &shape.layers {
            numbers.extend([layer.rows, layer.columns, layer.channels, layer.size, layer.stride]);
            numbers.extend([layer.outputs, usize::from(layer.relu)]);
        }
        numbers.iter().map(|number| *number as u32).collect()
    }

    /// The work of [`Work::to_numbers`]; none for other numbers.
    pub fn from_numbers(numbers: &[u32]) -> Option<Self> {
        let (head, layers) = numbers.split_first_chunk::<8>()?;
        let [
            batch,
            observations,
            loss,
            optimizer,
            minibatches,
            pixels,
            frames,
            actions,
        ] = head.map(|number| number as usize);
        let (layers, []) = layers.as_chunks::<7>() else {
            return None;
        };
        let layers = layers.iter().map(|numbers| {
            let [rows, columns, channels, size, stride, outputs, relu] = numbers.map(|number| number as usize);
            Layer {
                rows,
                columns,
                channels,
                size,
                stride,
                outputs,
                relu: relu == 1,
            }
        });
        Some(Self {
            shape: Shape {
                pixels,
                frames,
                layers: layers.collect(),
                actions,
            },
            room: Room { batch, observations },
            objective: Objective {
                loss: match loss {
                    2 => Loss::A2c,
                    _ => Loss::Ppo { clip_value: loss == 1 },
                },
                optimizer: match optimizer {
                    1 => Optimizer::Rmsprop,
                    _ => Optimizer::Adam,
                },
                minibatches,
            },
        })
    }
}

/// What some games show before a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The pictures that were not shown before in this rollout, game after game.
    pub pictures: Vec<u8>,
    /// How many they are of each game.
    pub counts: Vec<u32>,
    /// The pictures of each game's stack, the oldest first, by their numbers among all that the game has shown.
    pub stacks: Vec<u32>,
}

impl Shown {
    /// Adds what more games show.
    pub fn extend(&mut self, more: &Self) {
        self.pictures.extend_from_slice(&more.pictures);
        self.counts.extend_from_slice(&more.counts);
        self.stacks.extend_from_slice(&more.stacks);
    }
}

/// A step of the rollout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The action taken.
    pub action: u32,
    /// Logarithm of its probability.
    pub log_probability: f32,
    /// What the critic said.
    pub value: f32,
    /// The advantage, before it is normalised.
    pub advantage: f32,
    /// The return that the value is to predict.
    pub target: f32,
}

impl Step {
    /// It as bits.
    pub fn bits(self) -> [u32; STEP_NUMBERS] {
        let floats = [self.log_probability, self.value, self.advantage, self.target];
        let [log, value, advantage, target] = floats.map(f32::to_bits);
        [self.action, log, value, advantage, target]
    }
}

/// Numbers of a gradient step. The losses are means over its samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The place of its sums among those of the update.
    pub slot: usize,
    /// What is taken from advantages.
    pub mean: f32,
    /// By what they are multiplied then.
    pub scale: f32,
    /// PPO's bound.
    pub clip: f32,
    /// Weight of the entropy.
    pub entropy: f32,
    /// Weight of the value's loss.
    pub value: f32,
    /// Bound on the gradient's norm.
    pub bound: f32,
    /// The learning rate; Adam's is divided by the first moment's correction.
    pub rate: f32,
    /// By what the root of Adam's second moment is multiplied.
    pub correction: f32,
    /// The optimizer's epsilon.
    pub epsilon: f32,
}

impl Settings {
    /// They as bits, for a batch of so many samples.
    pub fn bits(self, batch: usize) -> SettingsBits {
        let floats = [
            self.mean,
            self.scale,
            self.clip,
            self.entropy,
            self.value,
            self.bound,
            self.rate,
            self.correction,
            self.epsilon,
            0.0,
        ];
        let mut bits = [0; SETTINGS_NUMBERS];
        bits[0] = batch as u32;
        bits[SLOT] = self.slot as u32;
        for (bits, float) in bits[2..].iter_mut().zip(floats) {
            *bits = float.to_bits();
        }
        bits
    }
}

/// What a minibatch leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums {
    /// Sums over samples: the losses of policy and value, the entropy, the divergence from the policy that played, and the samples whose
    /// ratio was beyond the bound.
    pub losses: [f32; 5],
    /// The gradient's norm, before it was bounded.
    pub norm: f32,
}

impl Sums {
    /// The sums of minibatches that a card has written one after the other.
    pub fn of(totals: &[f32]) -> Vec<Self> {
        let (totals, _) = totals.as_chunks::<TOTALS>();
        let sums = totals.iter().map(|[losses @ .., norm]| Self {
            losses: *losses,
            norm: *norm,
        });
        sums.collect()
    }
}

/// A net's parameters and its optimizer's moments, after the gradient steps of an update.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The parameters.
    pub parameters: Vec<f32>,
    /// Adam's mean of gradients; empty with RMSprop.
    pub first: Vec<f32>,
    /// The mean of their squares.
    pub second: Vec<f32>,
    /// What each minibatch left, as [`Sums::of`] reads it.
    pub totals: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_is_its_numbers() {
        for (loss, optimizer) in [
            (Loss::Ppo { clip_value: true }, Optimizer::Adam),
            (Loss::Ppo { clip_value: false }, Optimizer::Adam),
            (Loss::A2c, Optimizer::Rmsprop),
        ] {
            let convolution = Layer {
                rows: 84,
                columns: 80,
                channels: 4,
                size: 8,
                stride: 4,
                outputs: 16,
                relu: true,
            };
            let work = Work {
                shape: Shape {
                    pixels: 6720,
                    frames: 4,
                    layers: vec![convolution, Layer::dense(6080, 8, false)],
                    actions: 6,
                },
                room: Room {
                    batch: 128,
                    observations: 2080,
                },
                objective: Objective {
                    loss,
                    optimizer,
                    minibatches: 48,
                },
            };
            let numbers = work.to_numbers();
            assert_eq!(Work::from_numbers(&numbers), Some(work));
            assert_eq!(Work::from_numbers(&numbers[..numbers.len() - 1]), None);
        }
    }
}
