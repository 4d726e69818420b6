//! A small training of WALLOP.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use gym2600_gym::GameOptions;
use gym2600_learn::{Algorithm, Config, Execution, Trainer, Update};

pub const WALLOP: &[u8] = include_bytes!("../../../arcade/games/wallop.bin");

pub fn threads(threads: usize) -> Execution {
    Execution {
        threads,
        ..Execution::default()
    }
}

/// Small pictures and short episodes, so that a test takes a second.
pub fn small_options() -> GameOptions {
    serde_json::from_str(
        r#"{"wrappers": [
            {"type": "SkipFrames", "n": 4},
            "EpisodicLife",
            {"type": "ImagePreprocessing", "width": 28, "height": 28},
            {"type": "QueueFrames", "n": 4}
        ]}"#,
    )
    .unwrap()
}

pub fn small(algorithm: Algorithm, seed: u64) -> Config {
    let mut config = Config {
        seed,
        envs: 8,
        options: small_options(),
        ..Config::new(algorithm)
    };
    // A number whose shortest decimal has sixteen digits.
    config.hyper_parameters.gamma = 1.0 - 1.0 / 11.0;
    if algorithm == Algorithm::Ppo {
        config.hyper_parameters.rollout = 16;
        config.hyper_parameters.minibatches = 4;
    }
    config
}

pub fn run(trainer: &mut Trainer, updates: usize) -> Vec<Update> {
    (0..updates).map(|_| trainer.update().unwrap()).collect()
}
