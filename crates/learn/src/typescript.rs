//! The TypeScript types of runs and their reports, generated from the Rust types.

#[path = "../../arcade/tests/support/typescript.rs"]
mod support;

use crate::train::{CHECKPOINT_STEPS, EVALUATION_EPISODES, TRAINING_STEPS};
use crate::{Algorithm, Config, GameTraits, HyperParameters, Net, Optimizer, Origin, SHARDS, TrainingOptions, Update};
use support::{assert_committed, exported};

const HEADER: &str = "\
/** Runs of the learner, generated from the types of crates/learn by `UPDATE_TYPES=1 cargo test -p gym2600-learn typescript`. */

import type { ActionName } from \"../actions.js\";
import type { EnvironmentOptions, Seeding, SpaceDescription, WrapperOptions } from \"./gym.js\";
";

fn types() -> String {
    let types = [
        exported::<TrainingOptions>(),
        exported::<Algorithm>(),
        exported::<Net>(),
        exported::<HyperParameters>(),
        exported::<Optimizer>(),
        exported::<Config>(),
        exported::<Update>(),
        exported::<Origin>(),
        exported::<GameTraits>(),
    ];
    let constants = [
        (
            "Parts of a run's games. Their number does not depend on that of workers.",
            "SHARDS",
            SHARDS as u64,
        ),
        (
            "Steps of all games after which `gym2600 train` ends by default.",
            "TRAINING_STEPS",
            TRAINING_STEPS,
        ),
        (
            "Steps between two checkpoints of `gym2600 train`.",
            "CHECKPOINT_STEPS",
            CHECKPOINT_STEPS,
        ),
        (
            "Games of `gym2600 evaluate` by default.",
            "EVALUATION_EPISODES",
            EVALUATION_EPISODES,
        ),
    ];
    let constants = constants.map(|(docs, name, value)| format!("\n/** {docs} */\nexport const {name} = {value};\n"));
    [HEADER, &types.concat(), &constants.concat()].concat()
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    assert_committed("learn.ts", &types());
}
