//! The TypeScript types of runs and their reports, generated from the Rust types and committed in the npm package.

use std::path::Path;

use ts_rs::{Config as TypeScript, TS};

use crate::train::{CHECKPOINT_STEPS, EVALUATION_EPISODES, TRAINING_STEPS};
use crate::{Algorithm, Config, HyperParameters, Net, Optimizer, Origin, SHARDS, TrainingOptions, Update};

/// The generated file.
const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../packages/gym2600/src/schema/learn.ts"
);

const HEADER: &str = "\
/** Runs of the learner, generated from the types of crates/learn by `UPDATE_TYPES=1 cargo test -p gym2600-learn typescript`. */

import type { ActionName } from \"../actions.js\";
import type { EnvironmentOptions } from \"./gym.js\";
";

/// A type's documentation and declaration.
fn exported<T: TS>(config: &TypeScript) -> String {
    let docs = T::docs().unwrap_or_default();
    let declaration = T::decl(config).replace("{ \n", "{\n").replace(", };", ",\n};");
    format!("\n{docs}export {declaration}\n")
}

fn types() -> String {
    // Seeds and steps stay below 2^53.
    let config = TypeScript::default().with_large_int("number");
    let types = [
        exported::<TrainingOptions>(&config),
        exported::<Algorithm>(&config),
        exported::<Net>(&config),
        exported::<HyperParameters>(&config),
        exported::<Optimizer>(&config),
        exported::<Config>(&config),
        exported::<Update>(&config),
        exported::<Origin>(&config),
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
    let types = types();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(Path::new(FILE), &types).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        committed == types,
        "{FILE} is stale: run UPDATE_TYPES=1 cargo test -p gym2600-learn typescript"
    );
}
