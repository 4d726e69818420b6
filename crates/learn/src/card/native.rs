//! Cards of this machine. Their answers are there when the device has been waited for, so futures never wait.

use gym2600_learn_gpu::{Adapters, Card, GpuError, Net, Reading, Room, Shown, Sums, Training};
use pollster::block_on;

use super::{losses, shape};
use crate::device::Device;
use crate::error::LearnError;
use crate::game::Play;
use crate::net::Plan;
use crate::train::{Learner, LossSums, MinibatchAt, Shard};

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
    Ok(block_on(Card::open(adapters))?)
}

/// A policy's net on a card.
pub(crate) struct PolicyCard {
    pub(crate) net: Net,
}

impl PolicyCard {
    /// Opens a card, and gives its name too.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn open(device: Device, plan: &Plan, parameters: &[f32]) -> Result<(Self, String), LearnError> {
        let card = open(device)?;
        let name = card.name().to_owned();
        Ok((Self::on(&card, plan, parameters)?, name))
    }

    /// Another net on the same card.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn share(&self, plan: &Plan, parameters: &[f32]) -> Result<Self, LearnError> {
        Self::on(self.net.card(), plan, parameters)
    }

    fn on(card: &Card, plan: &Plan, parameters: &[f32]) -> Result<Self, LearnError> {
        let room = Room {
            batch: 1,
            observations: 1,
        };
        let mut net = Net::new(card, &shape(plan), room)?;
        net.set_parameters(parameters)?;
        Ok(Self { net })
    }

    /// The outputs for an observation.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn outputs(&mut self, pictures: &[&[u8]]) -> Result<Vec<f32>, LearnError> {
        self.net.clear();
        let places = pictures.iter().map(|picture| self.net.add_picture(picture));
        let places = places.collect::<Result<Vec<u32>, _>>()?;
        let number = self.net.add_observation(&places)?;
        Ok(block_on(self.net.forward(&[number]))?)
    }
}

/// Outputs that a card will have computed.
pub(crate) struct Outputs(Reading);

impl Outputs {
    /// Waits for them.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn wait(self) -> Result<Vec<f32>, LearnError> {
        Ok(block_on(self.0.numbers())?)
    }
}

/// A run's net on a card.
pub(crate) struct TrainingCard {
    pub(crate) training: Training,
}

impl TrainingCard {
    /// Opens a card, and gives its name too.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn open(device: Device, learner: &Learner) -> Result<(Self, String), LearnError> {
        let card = open(device)?;
        let training = Training::new(&card, &learner.card_work())?;
        Ok((Self { training }, card.name().to_owned()))
    }

    /// Begins an update with a learner's weights.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn begin(&mut self, learner: &Learner) -> Result<(), LearnError> {
        let [first, second] = learner.moments();
        Ok(self.training.begin(learner.parameters(), first, second)?)
    }

    /// Has the outputs computed for what half of the games of all shards show now, shard after shard. Each step is asked for all halves in
    /// their order before the next one of any.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn begin_outputs<G>(&mut self, shards: &mut [Shard<G>], half: usize) -> Result<Outputs, LearnError> {
        let mut shown = Shown::default();
        let first = shards.len() * shards[0].half(half).start;
        for shard in shards {
            shown.extend(&shard.show(half));
        }
        Ok(Outputs(self.training.begin_outputs(first, &shown)?))
    }

    fn set_steps<G>(&mut self, learner: &Learner, shards: &[Shard<G>]) -> Result<(), LearnError> {
        let steps: Vec<u32> = shards.iter().flat_map(Shard::card_steps).collect();
        Ok(self.training.set_steps(&learner.card_steps(&steps))?)
    }

    /// Makes a gradient step. After the last one of the update the learner takes what all of them made.
    ///
    /// # Errors
    /// [`LearnError::Gpu`] and [`LearnError::NotFinite`]
    pub(crate) fn step<G: Play>(
        &mut self,
        learner: &mut Learner,
        shards: &[Shard<G>],
        at: MinibatchAt,
    ) -> Result<(), LearnError> {
        let all = learner.minibatches();
        if all.first() == Some(&at) {
            self.set_steps(learner, shards)?;
        }
        let settings = learner.card_settings(at)?;
        self.training.step(&learner.card_samples(at)?, settings)?;
        if all.last() != Some(&at) {
            return Ok(());
        }
        learner.take(block_on(self.training.finish())?)
    }

    /// The gradient of a minibatch and its losses. It changes nothing.
    ///
    /// # Errors
    /// [`LearnError::Gpu`]
    pub(crate) fn gradient<G: Play>(
        &mut self,
        learner: &Learner,
        shards: &[Shard<G>],
        at: MinibatchAt,
    ) -> Result<(Vec<f32>, LossSums), LearnError> {
        self.set_steps(learner, shards)?;
        let samples = learner.card_samples(at)?;
        let (gradient, totals) = block_on(self.training.gradient(&samples, learner.card_settings(at)?))?;
        let mut sums = LossSums::default();
        for totals in Sums::of(&totals) {
            sums.add(losses(totals));
        }
        Ok((gradient, sums))
    }
}
