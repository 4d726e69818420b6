//! The losses of PPO and A2C for one step, with their gradients with respect to the net's outputs.
//!
//! PPO's are CleanRL's: policy loss + `value` / 2 * squared error - `entropy` * entropy. A2C's value loss is the whole squared
//! error, as in OpenAI baselines and Stable-Baselines3.

use crate::config::{Algorithm, HyperParameters};
use crate::distribution::log_softmax;

/// A step of the rollout, as the loss needs it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sample {
    pub(crate) action: u32,
    /// Logarithm of the action's probability.
    pub(crate) log_probability: f32,
    pub(crate) value: f32,
    /// As the loss takes it: normalised, if that is asked for.
    pub(crate) advantage: f64,
    /// The return that the value is to predict.
    pub(crate) target: f64,
}

/// Sums over steps; divided by their number, means.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LossSums {
    /// The policy's loss.
    pub policy: f64,
    /// The value's loss, without its weight.
    pub value: f64,
    /// Entropy of the policy.
    pub entropy: f64,
    /// An estimate of the divergence from the policy that played.
    pub kl: f64,
    /// Steps whose ratio was beyond PPO's bound.
    pub clipped: f64,
}

impl LossSums {
    /// The sums in an order for transfer.
    pub fn to_array(self) -> [f64; 5] {
        [self.policy, self.value, self.entropy, self.kl, self.clipped]
    }

    /// The inverse of [`LossSums::to_array`].
    pub fn from_array([policy, value, entropy, kl, clipped]: [f64; 5]) -> Self {
        Self {
            policy,
            value,
            entropy,
            kl,
            clipped,
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        let (ours, theirs) = (self.to_array(), other.to_array());
        *self = Self::from_array(std::array::from_fn(|sum| ours[sum] + theirs[sum]));
    }
}

/// What a run minimises.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Objective<'a> {
    pub(crate) algorithm: Algorithm,
    pub(crate) hyper: &'a HyperParameters,
    pub(crate) actions: usize,
    /// Steps over which losses are averaged.
    pub(crate) count: usize,
}

impl Objective<'_> {
    /// Adds a step to the sums and writes the gradient of the mean with respect to logits and value.
    pub(crate) fn sample(self, sample: &Sample, outputs: &[f32], sums: &mut LossSums, gradient: &mut [f32]) {
        let Self {
            algorithm,
            hyper,
            actions,
            count,
        } = self;
        let logs = log_softmax(&outputs[..actions]);
        let value = f64::from(outputs[actions]);
        let action = sample.action as usize;
        let entropy: f64 = -logs.iter().map(|log| libm::exp(*log) * log).sum::<f64>();
        let log_ratio = logs[action] - f64::from(sample.log_probability);
        let ratio = libm::exp(log_ratio);
        sums.entropy += entropy;
        sums.kl += (ratio - 1.0) - log_ratio;

        // With respect to the logarithm of the action's probability.
        let (policy_slope, value_slope) = match algorithm {
            Algorithm::Ppo => {
                sums.clipped += f64::from(u8::from((ratio - 1.0).abs() > hyper.clip));
                let free = -sample.advantage * ratio;
                let bound = -sample.advantage * ratio.clamp(1.0 - hyper.clip, 1.0 + hyper.clip);
                sums.policy += free.max(bound);
                let (loss, slope) = ppo_value_loss(hyper, sample, value);
                sums.value += loss;
                (if free >= bound { free } else { 0.0 }, slope)
            }
            Algorithm::A2c => {
                sums.policy -= sample.advantage * logs[action];
                let error = value - sample.target;
                sums.value += error * error;
                (-sample.advantage, 2.0 * error)
            }
        };
        let scale = 1.0 / count as f64;
        for (place, log) in logs.iter().enumerate() {
            let probability = libm::exp(*log);
            let chosen = f64::from(u8::from(place == action));
            let slope = policy_slope * (chosen - probability) + hyper.entropy * probability * (log + entropy);
            gradient[place] = (scale * slope) as f32;
        }
        gradient[actions] = (scale * hyper.value * value_slope) as f32;
    }
}

/// The loss of a value and its slope.
fn ppo_value_loss(hyper: &HyperParameters, sample: &Sample, value: f64) -> (f64, f64) {
    let error = value - sample.target;
    let free = error * error;
    if hyper.clip_value {
        let old = f64::from(sample.value);
        let bound = old + (value - old).clamp(-hyper.clip, hyper.clip) - sample.target;
        if bound * bound > free {
            let moves = (value - old).abs() <= hyper.clip;
            return (0.5 * bound * bound, if moves { bound } else { 0.0 });
        }
    }
    (0.5 * free, error)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the number is exact")]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn total(algorithm: Algorithm, hyper: &HyperParameters, sample: &Sample, outputs: &[f32]) -> (f64, Vec<f32>) {
        let mut sums = LossSums::default();
        let mut gradient = vec![0.0; outputs.len()];
        let objective = Objective {
            algorithm,
            hyper,
            actions: 4,
            count: 1,
        };
        objective.sample(sample, outputs, &mut sums, &mut gradient);
        let loss = sums.policy + hyper.value * sums.value - hyper.entropy * sums.entropy;
        (loss, gradient)
    }

    #[test]
    fn the_gradients_of_both_losses_are_those_of_finite_differences() {
        let mut stream = Stream::new(&[8]);
        for (algorithm, clip_value) in [(Algorithm::Ppo, false), (Algorithm::Ppo, true), (Algorithm::A2c, false)] {
            let hyper = HyperParameters {
                clip_value,
                entropy: 0.3,
                ..HyperParameters::of(algorithm)
            };
            for _ in 0..100 {
                let outputs: Vec<f32> = (0..5).map(|_| stream.normal() as f32).collect();
                let sample = Sample {
                    action: stream.below(4) as u32,
                    log_probability: (-1.4 + 0.3 * stream.normal()) as f32,
                    value: outputs[4] + 0.3 * stream.normal() as f32,
                    advantage: stream.normal(),
                    target: stream.normal(),
                };
                let (_, gradient) = total(algorithm, &hyper, &sample, &outputs);
                for place in 0..5 {
                    let loss_at = |by: f32| {
                        let mut moved = outputs.clone();
                        moved[place] += by;
                        (total(algorithm, &hyper, &sample, &moved).0, f64::from(moved[place]))
                    };
                    let ((above, high), (below, low)) = (loss_at(1e-3), loss_at(-1e-3));
                    let difference = (above - below) / (high - low);
                    let error = (difference - f64::from(gradient[place])).abs();
                    assert!(error < 2e-3 || near_corner(&hyper, &sample, &outputs), "{error}");
                }
            }
        }
    }

    /// Whether ratio or value are within a step of their bounds.
    fn near_corner(hyper: &HyperParameters, sample: &Sample, outputs: &[f32]) -> bool {
        let logs = log_softmax(&outputs[..4]);
        let ratio = (logs[sample.action as usize] - f64::from(sample.log_probability)).exp();
        let change = f64::from(outputs[4] - sample.value);
        let distance = ((ratio - 1.0).abs() - hyper.clip)
            .abs()
            .min((change.abs() - hyper.clip).abs());
        let errors = (f64::from(outputs[4]) - sample.target).abs()
            - (f64::from(sample.value) + change.clamp(-hyper.clip, hyper.clip) - sample.target).abs();
        distance < 5e-3 || errors.abs() < 5e-3
    }

    #[test]
    fn probabilities_of_huge_logits_are_numbers() {
        let logs = log_softmax(&[1e30, -1e30, 0.0]);
        assert_eq!(logs[0], 0.0);
        assert!(logs.iter().all(|log| log.is_finite()));
    }
}
