//! MT19937, the Mersenne twister: ALE's generator, that of `numpy.random.seed`, and `std::mt19937` of C++.
//!
//! Reference: M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-dimensionally equidistributed uniform pseudorandom number generator".

use std::fmt;

use gym2600_vcs::{InvalidState, State};

/// Words of the state.
const WORDS: usize = 624;
/// Distance between the words that are mixed.
const MIDDLE: usize = 397;

/// A Mersenne twister of 32-bit words, seeded by one word as `std::mt19937(seed)` and `numpy.random.seed(seed)` are.
#[derive(Clone, PartialEq, Eq)]
pub struct Mt19937 {
    state: Box<[u32; WORDS]>,
    /// The next word to return; at [`WORDS`] the state is renewed first.
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

impl State for Mt19937 {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.state.save(bytes);
        self.next.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.state.load(bytes)?;
        self.next.load(bytes)?;
        if self.next <= WORDS && self.is_seeded() {
            Ok(())
        } else {
            Err(InvalidState)
        }
    }
}

impl Mt19937 {
    /// Whether the generator works: a state of zeros gives nothing but zeros, and no seed leads to it. The lower 31 bits of the first
    /// word are not part of the state.
    fn is_seeded(&self) -> bool {
        let [first, rest @ ..] = self.state.as_ref();
        first & 0x8000_0000 != 0 || rest.iter().any(|&word| word != 0)
    }

    /// The generator of `std::mt19937(seed)`.
    pub fn new(seed: u32) -> Self {
        let mut state = Box::new([0; WORDS]);
        state[0] = seed;
        for index in 1..WORDS {
            let previous = state[index - 1];
            state[index] = 1_812_433_253_u32
                .wrapping_mul(previous ^ previous >> 30)
                .wrapping_add(index as u32);
        }
        Self { state, next: WORDS }
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }

    /// A number in [0, 1) from one word.
    pub fn next_f64(&mut self) -> f64 {
        f64::from(self.next_u32()) / 4_294_967_296.0
    }

    fn twist(&mut self) {
        for index in 0..WORDS {
            let word = self.state[index] & 0x8000_0000 | self.state[(index + 1) % WORDS] & 0x7FFF_FFFF;
            let mixed = self.state[(index + MIDDLE) % WORDS] ^ word >> 1;
            self.state[index] = if word & 1 == 0 { mixed } else { mixed ^ 0x9908_B0DF };
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_thousandth_word_is_the_standards() {
        let mut generator = Mt19937::new(5489);
        let last = (0..10_000).map(|_| generator.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
