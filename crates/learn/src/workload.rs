//! Work of known size for `scripts/bench`, which takes the time.

use serde::Deserialize;

use crate::error::LearnError;
use crate::kernel::{Arithmetic, multiply_and_add};
use crate::net::{Input, Net, Pass, Plan, initial_parameters};

/// Samples of a pass: a shard's part of a minibatch of PPO's defaults.
const BATCH: usize = 32;
/// Rounds of [`Work::Peak`] in a run.
const ROUNDS: usize = 100_000;
/// Actions of the nets.
const ACTIONS: usize = 6;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Multiplications and additions in registers: the speed that no product exceeds.
    Peak,
    /// A forward pass over 32 samples: products, biases and ReLUs.
    Forward,
    /// A forward and a backward pass over 32 samples.
    Pass,
}

/// Work that can be repeated.
pub struct Workload {
    work: Work,
    pass: Pass,
    gradient: Vec<f32>,
}

impl Workload {
    /// Work on a net for pictures of 84 x 84.
    ///
    /// # Errors
    /// [`LearnError::Observation`], which does not happen.
    pub fn new(work: Work, net: Net) -> Result<Self, LearnError> {
        let input = Input {
            height: 84,
            width: 84,
            frames: 4,
        };
        let plan = Plan::of(net, input, ACTIONS)?;
        let parameters = initial_parameters(&plan, 0);
        let mut pass = Pass::new(plan, Arithmetic::Exact);
        pass.set_parameters(&parameters);
        for (at, value) in pass.input(BATCH).iter_mut().enumerate() {
            *value = (at % 256) as f32 * (1.0 / 255.0);
        }
        Ok(Self {
            work,
            pass,
            gradient: vec![0.0; parameters.len()],
        })
    }

    /// Does the work once and gives its number of multiplications and additions of floats.
    pub fn run(&mut self) -> u64 {
        if self.work == Work::Peak {
            return multiply_and_add(ROUNDS);
        }
        self.pass.forward();
        let layers = &self.pass.plan().layers;
        let products = |layer: &crate::net::Layer| layer.places * layer.terms * layer.outputs;
        let mut count: usize = layers.iter().map(products).sum();
        if self.work == Work::Pass {
            // The gradient of the input is not computed.
            count += 2 * count - products(&layers[0]);
            self.pass.output_gradient().fill(1e-3);
            self.gradient.fill(0.0);
            self.pass.backward(&mut self.gradient);
        }
        (2 * BATCH * count) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_tiny_is_the_number_of_its_products() {
        let forward: u64 = 400 * 256 * 8 + 81 * 128 * 16 + 1296 * 128 + 128 * 8;
        let backward = 2 * forward - 400 * 256 * 8;
        let count = |work| Workload::new(work, Net::Tiny).unwrap().run();
        assert_eq!(count(Work::Forward), 64 * forward);
        assert_eq!(count(Work::Pass), 64 * (forward + backward));
        assert!(count(Work::Peak) > 1_000_000);
    }
}
