//! Adam, RMSprop, and the bound on the gradient's norm.

use crate::config::{HyperParameters, Optimizer};

/// An optimizer's running means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moments {
    /// Adam's mean of gradients; empty with RMSprop.
    pub(crate) first: Vec<f32>,
    /// The mean of their squares.
    pub(crate) second: Vec<f32>,
    /// Steps made.
    pub(crate) steps: u64,
}

impl Moments {
    pub(crate) fn new(optimizer: Optimizer, parameters: usize) -> Self {
        Self {
            first: match optimizer {
                Optimizer::Adam => vec![0.0; parameters],
                Optimizer::Rmsprop => Vec::new(),
            },
            second: vec![0.0; parameters],
            steps: 0,
        }
    }

    /// Moves the parameters against the gradient.
    pub(crate) fn step(&mut self, hyper: &HyperParameters, rate: f64, gradient: &[f32], parameters: &mut [f32]) {
        self.steps += 1;
        match hyper.optimizer {
            Optimizer::Adam => self.adam(hyper.epsilon, rate, gradient, parameters),
            Optimizer::Rmsprop => self.rmsprop(hyper.epsilon as f32, rate as f32, gradient, parameters),
        }
    }

    fn adam(&mut self, epsilon: f64, rate: f64, gradient: &[f32], parameters: &mut [f32]) {
        let [keep_first, keep_second] = BETAS.map(|beta| beta as f32);
        let [take_first, take_second] = BETAS.map(|beta| (1.0 - beta) as f32);
        let (step, scale) = corrected(self.steps, rate);
        let epsilon = epsilon as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, gradient), (first, second)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *first = keep_first * *first + take_first * gradient;
            *second = keep_second * *second + take_second * (gradient * gradient);
            *parameter -= step * *first / (second.sqrt() * scale + epsilon);
        }
    }

    fn rmsprop(&mut self, epsilon: f32, rate: f32, gradient: &[f32], parameters: &mut [f32]) {
        const DECAY: f32 = 0.99;
        for ((parameter, gradient), square) in parameters.iter_mut().zip(gradient).zip(&mut self.second) {
            *square = DECAY * *square + (1.0 - DECAY) * (gradient * gradient);
            *parameter -= rate * gradient / (square.sqrt() + epsilon);
        }
    }
}

/// The rates at which Adam's means follow the gradients.
const BETAS: [f64; 2] = [0.9, 0.999];

/// Adam's learning rate and the factor of its second moment's root for a step, counted from 1, which make up for moments that begin with 0.
pub(crate) fn corrected(step: u64, rate: f64) -> (f32, f32) {
    let [first, second] = BETAS.map(|beta| 1.0 - libm::pow(beta, step as f64));
    ((rate / first) as f32, (1.0 / second.sqrt()) as f32)
}

/// The Euclidean norm of a gradient.
pub(crate) fn norm(gradient: &[f32]) -> f64 {
    let mut sums = [0.0_f64; 8];
    for values in gradient.chunks(8) {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += f64::from(*value) * f64::from(*value);
        }
    }
    sums.iter().sum::<f64>().sqrt()
}

/// Scales a gradient of that norm down to a bound, as PyTorch's `clip_grad_norm_` does.
pub(crate) fn clip_norm(gradient: &mut [f32], norm: f64, bound: f64) {
    let scale = (bound / (norm + 1e-6)).min(1.0) as f32;
    if scale < 1.0 {
        for value in gradient {
            *value *= scale;
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the numbers are exact")]
mod tests {
    use super::*;
    use crate::config::Algorithm;

    #[test]
    fn the_first_step_of_adam_has_the_size_of_the_learning_rate() {
        let hyper = HyperParameters {
            epsilon: 1e-12,
            ..HyperParameters::of(Algorithm::Ppo)
        };
        let mut parameters = [1.0, 1.0];
        Moments::new(Optimizer::Adam, 2).step(&hyper, 0.1, &[3.0, -0.01], &mut parameters);
        assert!(
            (parameters[0] - 0.9).abs() < 1e-6 && (parameters[1] - 1.1).abs() < 1e-6,
            "{parameters:?}"
        );
    }

    #[test]
    fn a_long_gradient_is_shortened_and_a_short_one_is_not() {
        let mut gradient = [3.0, 4.0];
        let length = norm(&gradient);
        clip_norm(&mut gradient, length, 0.5);
        assert!((norm(&gradient) - 0.5).abs() < 1e-6);
        let before = gradient;
        clip_norm(&mut gradient, 0.5, 1.0);
        assert_eq!(gradient, before);
    }
}
