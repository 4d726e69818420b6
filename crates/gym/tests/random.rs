//! Compares the generators with numbers of NumPy. `tests/parity/goldens.py` writes the file.

#![allow(
    clippy::unwrap_used,
    clippy::doc_markdown,
    reason = "a test may panic; NumPy is a name"
)]

use gym2600_gym::random::{Mt19937, Pcg64, SeedSequence, randint};
use serde::Deserialize;

#[derive(Deserialize)]
struct Goldens {
    seeds: Vec<Draws>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Draws {
    seed: u64,
    pair: [u32; 2],
    u64: [u64; 4],
    integers30: Vec<u32>,
    integers_big: Vec<u32>,
    integers_one: Vec<u32>,
    randint31: Option<Vec<u32>>,
    randint1: Option<u32>,
    tail: Option<Vec<u32>>,
}

fn goldens() -> Vec<Draws> {
    let goldens: Goldens = serde_json::from_str(include_str!("numpy_random.json")).unwrap();
    goldens.seeds
}

#[test]
fn a_seed_sequence_generates_the_state_that_numpy_generates() {
    for draws in goldens() {
        let sequence = SeedSequence::new(draws.seed);
        assert_eq!(sequence.pair(), draws.pair, "seed {}", draws.seed);
        assert_eq!(sequence.four_u64(), draws.u64, "seed {}", draws.seed);
    }
}

#[test]
fn pcg64_draws_the_integers_that_numpy_draws() {
    for draws in goldens() {
        let mut generator = Pcg64::new(draws.seed);
        let integers: Vec<u32> = draws.integers30.iter().map(|_| generator.integers(1, 31)).collect();
        assert_eq!(integers, draws.integers30, "seed {}", draws.seed);
        let big: Vec<u32> = draws
            .integers_big
            .iter()
            .map(|_| generator.integers(0, 3_000_000_000))
            .collect();
        assert_eq!(big, draws.integers_big, "seed {}", draws.seed);
        let one = (0..3).map(|_| generator.integers(5, 6)).collect::<Vec<_>>().into_iter();
        let one: Vec<u32> = one.chain((0..20).map(|_| generator.integers(0, 18))).collect();
        assert_eq!(one, draws.integers_one, "seed {}", draws.seed);
    }
}

#[test]
fn the_legacy_generator_draws_what_numpy_random_draws() {
    for draws in goldens() {
        let Some(expected) = draws.randint31 else { continue };
        let mut generator = Mt19937::new(draws.seed as u32);
        let drawn: Vec<u32> = expected.iter().map(|_| randint(&mut generator, 31)).collect();
        assert_eq!(drawn, expected, "seed {}", draws.seed);
        assert_eq!(Some(randint(&mut generator, 1)), draws.randint1);
        let later: Vec<u32> = (0..700).map(|_| randint(&mut generator, 1000)).collect();
        assert_eq!(Some(later[695..].to_vec()), draws.tail, "seed {}", draws.seed);
    }
}

#[test]
fn bounds_that_numpy_refuses_give_the_lowest_value() {
    assert_eq!(randint(&mut Mt19937::new(1), 0), 0);
    let mut generator = Pcg64::new(1);
    assert_eq!([generator.integers(5, 5), generator.integers(7, 5)], [5, 7]);
}
