//! Random numbers that need no state to be saved: a stream is named by numbers, such as a seed, an update and a lane.
//!
//! A stream is SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators"), started at a hash
//! of its name.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    state: u64,
}

/// The increment of SplitMix64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

impl Stream {
    /// The stream of a name.
    pub(crate) fn new(name: &[u64]) -> Self {
        let state = name.iter().fold(0, |state: u64, part| {
            mix(state.wrapping_add(GOLDEN) ^ mix(part.wrapping_add(GOLDEN)))
        });
        Self { state }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number from 0 to 1, without 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// A number of the normal distribution.
    pub(crate) fn normal(&mut self) -> f64 {
        // Box and Muller's transform; 1 - uniform is never 0.
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }

    /// A random order of `0..count`.
    pub(crate) fn permutation(&mut self, count: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_names_differ() {
        let first = |name: &[u64]| Stream::new(name).next();
        assert_eq!(first(&[1, 2]), first(&[1, 2]));
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut stream = Stream::new(&[3]);
        let values: Vec<f64> = (0..20_000).map(|_| stream.normal()).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn a_permutation_has_every_number_once() {
        let mut order = Stream::new(&[4]).permutation(100);
        assert_ne!(order[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..100));
    }
}
