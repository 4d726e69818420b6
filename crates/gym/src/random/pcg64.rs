//! PCG-64 (XSL-RR), the generator behind NumPy's `default_rng`.

use super::{SeedSequence, lemire};
use gym2600_arcade::fields;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// `numpy.random.Generator(PCG64(seed))`, with the draws that environments use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of a 64-bit draw whose lower half has been returned.
    half: Option<u32>,
}

impl Pcg64 {
    /// The generator of NumPy's `default_rng(seed)` and Gymnasium's `np_random(seed)`.
    pub fn new(seed: u64) -> Self {
        let [state_high, state_low, stream_high, stream_low] = SeedSequence::new(seed).four_u64();
        let join = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let increment = join(stream_high, stream_low) << 1 | 1;
        let mut generator = Self {
            state: 0,
            increment,
            half: None,
        };
        generator.step();
        generator.state = generator.state.wrapping_add(join(state_high, state_low));
        generator.step();
        generator
    }

    /// Whether the generator runs through all states. An even increment may repeat one number, and a bounded draw may never end then.
    fn is_valid(&self) -> bool {
        self.increment & 1 == 1
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// The next 32 bits: the lower, then the upper half of a 64-bit draw.
    pub fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let word = self.next_u64();
        self.half = Some((word >> 32) as u32);
        word as u32
    }

    /// `Generator.integers(low, high)`. `high` is exclusive. NumPy refuses one that is not above `low`, which gives `low` here.
    pub fn integers(&mut self, low: u32, high: u32) -> u32 {
        let range = high.saturating_sub(low).saturating_sub(1);
        if range == 0 {
            return low;
        }
        low + lemire(range, || self.next_u32())
    }
}

fields!(Pcg64 { state, increment, half } where is_valid);
