//! Probabilities of actions.

/// Logarithms of the probabilities that logits stand for.
pub(crate) fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let most = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|logit| libm::exp(f64::from(*logit) - most)).sum();
    let shift = most + libm::log(sum);
    logits.iter().map(|logit| f64::from(*logit) - shift).collect()
}

/// The action that a number from 0 to 1 falls on.
pub(crate) fn choose(logs: &[f64], uniform: f64) -> u32 {
    let mut sum = 0.0;
    for (action, log) in logs.iter().enumerate() {
        sum += libm::exp(*log);
        if uniform < sum {
            return action as u32;
        }
    }
    logs.len() as u32 - 1
}
