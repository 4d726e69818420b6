//! Scores of several games.

use serde::Serialize;

/// What the scores of an evaluation say of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// Number of games.
    pub episodes: usize,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of these games.
    pub deviation: f64,
    /// The standard error of the mean; none of a single game.
    pub standard_error: Option<f64>,
    /// The interval that has the true mean with a confidence of 95 %, by Student's t; none of a single game.
    pub interval: Option<[f64; 2]>,
    /// The lowest score.
    pub min: f64,
    /// The highest score.
    pub max: f64,
}

impl Scores {
    /// Those of some games; none without games.
    pub fn of(scores: &[f64]) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        let standard_error = (scores.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        Some(Self {
            episodes: scores.len(),
            mean,
            deviation: (squares / count).sqrt(),
            standard_error,
            interval: standard_error.map(|error| {
                let reach = students_t(scores.len() - 1) * error;
                [mean - reach, mean + reach]
            }),
            min: scores.iter().copied().fold(f64::INFINITY, f64::min),
            max: scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

/// The 97.5 % quantile of Student's t for 1 to 30 degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The 97.5 % quantile of Student's t: above 30 degrees of freedom by its expansion around the normal distribution's, which is exact to
/// a thousandth there.
fn students_t(freedom: usize) -> f64 {
    // The normal distribution's quantile z, and the numerators (z^3 + z) / 4 and (5 z^5 + 16 z^3 + 3 z) / 96.
    let (normal, first, second) = (1.959_964, 2.372_271, 2.822_450);
    let degrees = freedom as f64;
    QUANTILES
        .get(freedom - 1)
        .copied()
        .unwrap_or(normal + (first + second / degrees) / degrees)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

    use super::*;

    #[test]
    fn scores_have_the_error_and_the_interval_of_students_t() {
        let scores = Scores::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((scores.mean, scores.min, scores.max), (2.5, 1.0, 4.0));
        // The sample's variance is 5 / 3.
        let error = (5.0_f64 / 12.0).sqrt();
        assert!((scores.standard_error.unwrap() - error).abs() < 1e-12);
        assert!((scores.interval.unwrap()[1] - 2.5 - 3.182 * error).abs() < 1e-9);
        assert!(Scores::of(&[]).is_none());
        assert_eq!(Scores::of(&[7.0]).unwrap().interval, None);
    }

    #[test]
    fn the_quantiles_go_on_without_a_jump() {
        let around: Vec<f64> = (29..=33).map(students_t).collect();
        assert!(
            around
                .windows(2)
                .all(|pair| pair[0] > pair[1] && pair[0] - pair[1] < 0.004),
            "{around:?}"
        );
        assert!((students_t(100) - 1.984).abs() < 1e-3);
    }
}
