//! NumPy's `SeedSequence`: derives the states of generators from a number.

/// Words in the entropy pool.
const POOL: usize = 4;
/// Right shift of the xorshift that ends every mixing step.
const SHIFT: u32 = 16;

/// A hash whose multiplier changes with every use.
struct Hash {
    multiplier: u32,
    step: u32,
}

impl Hash {
    const fn absorbing() -> Self {
        Self {
            multiplier: 0x43b0_d7e5,
            step: 0x931e_8875,
        }
    }

    const fn producing() -> Self {
        Self {
            multiplier: 0x8b51_f9dd,
            step: 0x58f3_8ded,
        }
    }

    fn next(&mut self, value: u32) -> u32 {
        let mut value = value ^ self.multiplier;
        self.multiplier = self.multiplier.wrapping_mul(self.step);
        value = value.wrapping_mul(self.multiplier);
        value ^ (value >> SHIFT)
    }
}

/// Joins two pool words.
fn mix(x: u32, y: u32) -> u32 {
    let value = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    value ^ (value >> SHIFT)
}

/// The entropy pool of `numpy.random.SeedSequence(seed)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; POOL],
}

impl SeedSequence {
    /// Mixes a seed into a pool. Seeds above 32 bits count as two words, low word first, as in NumPy.
    pub fn new(seed: u64) -> Self {
        let low = seed as u32;
        let high = (seed >> 32) as u32;
        let entropy = [low, high, 0, 0];
        let mut hash = Hash::absorbing();
        let mut pool = entropy.map(|word| hash.next(word));
        for source in 0..POOL {
            for target in 0..POOL {
                if source != target {
                    let word = hash.next(pool[source]);
                    pool[target] = mix(pool[target], word);
                }
            }
        }
        Self { pool }
    }

    /// Fills `words` as `generate_state(len, dtype=uint32)` would.
    pub fn fill(&self, words: &mut [u32]) {
        let mut hash = Hash::producing();
        for (word, source) in words.iter_mut().zip(self.pool.iter().cycle()) {
            *word = hash.next(*source);
        }
    }

    /// `generate_state(2)`. ale-py takes the first word for its generator and the second for ALE.
    pub fn pair(&self) -> [u32; 2] {
        let mut words = [0; 2];
        self.fill(&mut words);
        words
    }

    /// `generate_state(4, dtype=uint64)`.
    pub fn four_u64(&self) -> [u64; 4] {
        let mut words = [0; 8];
        self.fill(&mut words);
        [0, 2, 4, 6].map(|at| u64::from(words[at]) | u64::from(words[at + 1]) << 32)
    }
}
