//! The TypeScript types of runs and their reports, generated from the Rust types.

#[path = "../../arcade/tests/support/typescript.rs"]
mod support;

use std::fmt::Write;

use gym2600_gym::Wrapper;
use serde::Serialize;
use serde_json::Value;

use crate::config::{MOST_STEPS_OF_MINIBATCH, Range};
use crate::environment::default_wrappers;
use crate::train::{CHECKPOINT_STEPS, EVALUATION_EPISODES, TRAINING_STEPS};
use crate::{
    Algorithm, CLEANRL, Config, GameTraits, HyperParameters, Net, Optimizer, Origin, SHARDS, TrainingOptions, Update,
};
use support::{assert_committed, exported};

const HEADER: &str = "\
/** Runs of the learner, generated from the types of crates/learn by `UPDATE_TYPES=1 cargo test -p gym2600-learn typescript`. */

import type { ActionName } from \"../actions.js\";
import type { EnvironmentOptions, Seeding, SpaceDescription, WrapperOptions } from \"./gym.js\";
";

/// The type of CleanRL's names.
fn names_of_cleanrl() -> String {
    let mut text = "\n/**\n * CleanRL's names of hyper-parameters, which are understood beside ours.\n */\nexport type CleanRLHyperParameters = {"
        .to_owned();
    for (theirs, ours) in CLEANRL {
        write!(
            text,
            "\n/**\n * Ours: `{ours}`.\n */\n{theirs}: HyperParameters[\"{ours}\"],"
        )
        .expect("a text takes all");
    }
    text + "\n};\n"
}

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
        exported::<Range>(),
        names_of_cleanrl(),
    ];
    let constants = [
        (
            "Parts of a run's games. Their number does not depend on that of workers.",
            "SHARDS",
            SHARDS as u64,
        ),
        (
            "Steps of a minibatch at most.",
            "MOST_STEPS_OF_MINIBATCH",
            MOST_STEPS_OF_MINIBATCH as u64,
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
    [HEADER, &types.concat(), &constants.concat(), &settings()].concat()
}

/// The settings of a run that names none, and their ranges.
fn settings() -> String {
    let wrappers: String = default_wrappers().iter().map(differing).collect();
    let defaults: String = [Algorithm::Ppo, Algorithm::A2c]
        .map(|algorithm| format!("  {algorithm}: {},\n", json(&HyperParameters::of(algorithm))))
        .concat();
    let numbers = HyperParameters::of(Algorithm::Ppo).numbers(SHARDS);
    let names = numbers.map(|(name, ..)| format!("{name:?}")).join(" | ");
    let ranges: String = numbers
        .map(|(name, _, range)| format!("  {name}: {},\n", json(&range)))
        .concat();
    format!(
        "\n/** The wrappers of a run whose options name neither a preset nor a list: those of OpenAI baselines with raw rewards. */\n\
         export const LEARNER_WRAPPERS: readonly WrapperOptions[] = [\n{wrappers}];\n\
         \n/** The hyper-parameters of each algorithm, where a run names no others. */\n\
         export const HYPER_PARAMETERS: Readonly<Record<Algorithm, Readonly<HyperParameters>>> = {{\n{defaults}}};\n\
         \n/** The hyper-parameters that are numbers. */\nexport type HyperParameterNumber = {names};\n\
         \n/** Their ranges. The greatest `rollout` is that of a run with four games. */\n\
         export const HYPER_PARAMETER_RANGES: Readonly<Record<HyperParameterNumber, Readonly<HyperParameterRange>>> = {{\n{ranges}}};\n"
    )
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("settings are plain data")
}

/// A wrapper's type, and those of its options that differ from their defaults.
fn differing(wrapper: &Wrapper) -> String {
    let table = |wrapper: &Wrapper| match serde_json::to_value(wrapper) {
        Ok(Value::Object(table)) => table,
        other => panic!("a wrapper is a table, not {other:?}"),
    };
    let options = table(wrapper);
    let default: Wrapper = serde_json::from_value(options["type"].clone()).expect("no option is needed");
    let default = table(&default);
    let mut text = format!("  {{ type: {}", options["type"]);
    for (name, value) in &options {
        if default.get(name) != Some(value) {
            write!(text, ", {name}: {value}").expect("a String takes all");
        }
    }
    text + " },\n"
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    assert_committed("learn.ts", &types());
}
