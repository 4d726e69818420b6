//! A build without the feature `gpu`: no card can be opened.

use crate::device::Device;
use crate::error::LearnError;
use crate::net::Plan;
use crate::train::{Learner, LossSums, MinibatchAt, Shard};

fn refusal() -> LearnError {
    LearnError::Gpu {
        reason: "this build computes on the CPU alone: it lacks the feature gpu".to_owned(),
    }
}

/// There is none.
pub(crate) enum PolicyCard {}

impl PolicyCard {
    pub(crate) fn open(_: Device, _: &Plan, _: &[f32]) -> Result<(Self, String), LearnError> {
        Err(refusal())
    }

    pub(crate) fn share(&self, _: &Plan, _: &[f32]) -> Result<Self, LearnError> {
        match *self {}
    }

    pub(crate) fn outputs(&mut self, _: &[&[u8]]) -> Result<Vec<f32>, LearnError> {
        match *self {}
    }
}

/// There are none.
pub(crate) enum Outputs {}

impl Outputs {
    pub(crate) fn wait(self) -> Result<Vec<f32>, LearnError> {
        match self {}
    }
}

/// There is none.
pub(crate) enum TrainingCard {}

impl TrainingCard {
    pub(crate) fn open(_: Device, _: &Learner) -> Result<(Self, String), LearnError> {
        Err(refusal())
    }

    pub(crate) fn begin(&mut self, _: &Learner) -> Result<(), LearnError> {
        match *self {}
    }

    pub(crate) fn begin_outputs<G>(&mut self, _: &mut [Shard<G>], _: usize) -> Result<Outputs, LearnError> {
        match *self {}
    }

    pub(crate) fn step<G>(&mut self, _: &mut Learner, _: &[Shard<G>], _: MinibatchAt) -> Result<(), LearnError> {
        match *self {}
    }

    pub(crate) fn gradient<G>(
        &mut self,
        _: &Learner,
        _: &[Shard<G>],
        _: MinibatchAt,
    ) -> Result<(Vec<f32>, LossSums), LearnError> {
        match *self {}
    }
}
