//! The random generators of the Python stacks, draw for draw.
//!
//! A seed of a preset has the same meaning as in Python. [`SeedSequence`] turns a seed into generator states as
//! NumPy does, [`Pcg64`] is NumPy's default generator with the bounded draws of `Generator.integers`, and [`Mt19937`] is
//! both NumPy's legacy generator and C++'s `std::mt19937`. The two have the same seeding and bound a draw differently: [`randint`]
//! and [`uniform`].
//!
//! References: the NumPy documentation on random bit generators; M. E. O'Neill, "PCG: A Family of Simple Fast
//! Space-Efficient Statistically Good Algorithms for Random Number Generation"; D. Lemire, "Fast Random Integer
//! Generation in an Interval".

mod pcg64;
mod seed_sequence;

pub use gym2600_arcade::Mt19937;
pub use pcg64::Pcg64;
pub use seed_sequence::SeedSequence;

/// `numpy.random.randint(high)`: 0 to `high - 1`, by masking and redrawing. NumPy refuses a `high` of 0, which counts as 1 here.
pub fn randint(generator: &mut Mt19937, high: u32) -> u32 {
    let max = high.saturating_sub(1);
    if max == 0 {
        return 0;
    }
    let mask = u32::MAX >> max.leading_zeros();
    loop {
        let value = generator.next_u32() & mask;
        if value <= max {
            return value;
        }
    }
}

/// `std::uniform_int_distribution(0, max)` of GNU's C++ library.
pub fn uniform(generator: &mut Mt19937, max: u32) -> u32 {
    lemire(max, || generator.next_u32())
}

/// Bounds a 32-bit generator to `0..=max` by Lemire's multiplication, redrawing the few values that would be biased.
fn lemire(max: u32, mut next: impl FnMut() -> u32) -> u32 {
    let Some(count) = max.checked_add(1) else {
        return next();
    };
    let mut product = u64::from(next()) * u64::from(count);
    if (product as u32) < count {
        let threshold = (u32::MAX - max) % count;
        while (product as u32) < threshold {
            product = u64::from(next()) * u64::from(count);
        }
    }
    (product >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::lemire;

    #[test]
    fn a_draw_is_repeated_below_the_threshold_only() {
        // Three times this is 2^33 + 1, which is at the threshold of 1. Three times 0 is below it.
        let at = 0xAAAA_AAAB;
        let draw = |numbers: [u32; 2]| {
            let mut numbers = numbers.into_iter();
            lemire(2, || numbers.next().unwrap_or(1 << 30))
        };
        assert_eq!(draw([at, 0]), 2);
        assert_eq!(draw([0, at]), 2);
    }
}
