//! Generalised advantage estimation: J. Schulman et al., <https://arxiv.org/abs/1506.02438>.

/// The steps of one game in a rollout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps<'a> {
    pub(crate) rewards: &'a [f32],
    /// Whether the step ended an episode. Later rewards do not count for it.
    pub(crate) ended: &'a [bool],
    /// What the critic said before each step, and before the one after the last.
    pub(crate) values: &'a [f32],
}

/// The advantage of each step.
pub(crate) fn advantages(steps: Steps<'_>, gamma: f64, lambda: f64, out: &mut [f32]) {
    let mut advantage = 0.0;
    for step in (0..steps.rewards.len()).rev() {
        let goes_on = f64::from(u8::from(!steps.ended[step]));
        let [value, next] = [steps.values[step], steps.values[step + 1]].map(f64::from);
        let surprise = f64::from(steps.rewards[step]) + gamma * next * goes_on - value;
        advantage = surprise + gamma * lambda * goes_on * advantage;
        out[step] = advantage as f32;
    }
}

/// Mean and reciprocal deviation by which advantages are normalised.
pub(crate) fn normalisation<'a>(values: impl Iterator<Item = &'a f32> + Clone) -> (f64, f64) {
    let (count, sum) = values
        .clone()
        .fold((0, 0.0), |(count, sum), value| (count + 1, sum + f64::from(*value)));
    let mean = sum / f64::from(count);
    let squares: f64 = values
        .map(|value| (f64::from(*value) - mean) * (f64::from(*value) - mean))
        .sum();
    // PyTorch's deviation, which divides by one less than the count.
    let deviation = (squares / f64::from((count - 1).max(1))).sqrt();
    (mean, 1.0 / (deviation + 1e-8))
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn with_lambda_1_the_advantage_is_the_discounted_return_minus_the_value() {
        let steps = Steps {
            rewards: &[1.0, 0.0, 2.0],
            ended: &[false, false, false],
            values: &[0.5, 0.25, 1.0, 4.0],
        };
        let mut out = [0.0; 3];
        advantages(steps, 0.5, 1.0, &mut out);
        assert_eq!(
            out,
            [
                1.0 + 0.5 * (0.5 * (2.0 + 0.5 * 4.0)) - 0.5,
                0.5 * 4.0 - 0.25,
                2.0 + 2.0 - 1.0
            ]
        );
    }

    #[test]
    fn nothing_passes_an_episodes_end() {
        let steps = Steps {
            rewards: &[1.0, 0.0],
            ended: &[true, false],
            values: &[0.5, 9.0, 9.0],
        };
        let mut out = [0.0; 2];
        advantages(steps, 0.9, 0.9, &mut out);
        assert_eq!(out[0], 0.5);
    }

    #[test]
    fn normalisation_is_that_of_pytorch() {
        let (mean, scale) = normalisation([1.0, 2.0, 3.0].iter());
        assert_eq!((mean, scale), (2.0, 1.0 / (1.0 + 1e-8)));
    }
}
