//! MT19937, the Mersenne twister of NumPy's legacy functions and of C++'s `std::mt19937`.

use gym2600_arcade::fields;
use std::fmt;

use super::lemire;

const WORDS: usize = 624;
const OFFSET: usize = 397;

/// A Mersenne twister.
#[derive(Clone, PartialEq, Eq)]
pub struct Mt19937 {
    state: [u32; WORDS],
    next: usize,
}

impl fmt::Debug for Mt19937 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Mt19937")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl Mt19937 {
    /// The generator of `numpy.random.seed(seed)` and of `std::mt19937(seed)`.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for index in 1..WORDS {
            let previous = state[index - 1];
            state[index] = (previous ^ (previous >> 30))
                .wrapping_mul(1_812_433_253)
                .wrapping_add(index as u32);
        }
        Self { state, next: WORDS }
    }

    fn refill(&mut self) {
        for index in 0..WORDS {
            let following = self.state[(index + 1) % WORDS];
            let joined = self.state[index] & 0x8000_0000 | following & 0x7fff_ffff;
            let twisted = (joined >> 1) ^ if following & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + OFFSET) % WORDS] ^ twisted;
        }
        self.next = 0;
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// `numpy.random.randint(high)`: 0 up to and not including `high`, by masking and redrawing.
    pub fn randint(&mut self, high: u32) -> u32 {
        let max = high - 1;
        if max == 0 {
            return 0;
        }
        let mask = u32::MAX >> max.leading_zeros();
        loop {
            let value = self.next_u32() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// `std::uniform_int_distribution(0, max)` of GNU's C++ library.
    pub fn uniform(&mut self, max: u32) -> u32 {
        lemire(max, || self.next_u32())
    }
}

fields!(Mt19937 { state, next });
