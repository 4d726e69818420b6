//! The random generators of the Python stacks, draw for draw.
//!
//! A preset promises that `seed: 0` means what it means in Python, so everything between that number and a drawn no-op
//! count is rebuilt here: [`SeedSequence`] turns a seed into generator states as NumPy does, [`Pcg64`] is NumPy's default
//! generator with the bounded draws of `Generator.integers`, and [`Mt19937`] is both NumPy's legacy generator and C++'s
//! `std::mt19937`, which seed alike and differ in how they bound a draw.
//!
//! References: the NumPy documentation on random bit generators; M. E. O'Neill, "PCG: A Family of Simple Fast
//! Space-Efficient Statistically Good Algorithms for Random Number Generation"; M. Matsumoto and T. Nishimura,
//! "Mersenne Twister"; D. Lemire, "Fast Random Integer Generation in an Interval".

mod mt19937;
mod pcg64;
mod seed_sequence;

pub use mt19937::Mt19937;
pub use pcg64::Pcg64;
pub use seed_sequence::SeedSequence;

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
