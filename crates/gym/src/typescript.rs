//! The TypeScript types of options, specs and descriptions, generated from the Rust types.
//!
//! ts-rs derives them in tests only, so that no crate that is shipped depends on it. The result is committed in the npm package, because
//! building that package does not need Cargo.

use std::path::Path;

use ts_rs::{Config, TS};

use crate::image::{Grey, Interpolation};
use crate::spec::*;
use crate::{
    ArcadeOptions, Autoreset, ConsoleDescription, Dtype, Episode, GameDescription, GameOptions, Observation, PRESETS,
    ScreenSize, Space, StepRecord, Television,
};

/// The generated file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packages/gym2600/src/schema/gym.ts");

const HEADER: &str = "\
/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { ActionName } from \"../actions.js\";
import type { GameDefinition } from \"../definition.js\";
";

/// A type's documentation and declaration.
fn exported<T: TS>(config: &Config) -> String {
    let docs = T::docs().unwrap_or_default();
    let declaration = T::decl(config).replace("{ \n", "{\n").replace(", };", ",\n};");
    format!("\n{docs}export {declaration}\n")
}

macro_rules! exported {
    ($($type:ty),* $(,)?) => {{
        // Numbers of 64 bits are JavaScript's numbers: seeds and frames stay below 2^53.
        let config = Config::default().with_large_int("number");
        [$(exported::<$type>(&config)),*].concat()
    }};
}

fn types() -> String {
    let presets = PRESETS.map(|preset| format!("{:?}", preset.name)).join(" | ");
    let aliases = format!(
        "\n/** The names of presets. */\nexport type PresetName = {presets};\n\
         \n/** One wrapper of a list: an object, or a name where every option keeps its default. */\n\
         export type Wrapper = WrapperOptions | WrapperOptions[\"type\"];\n"
    );
    let types = exported![
        GameOptions,
        ArcadeOptions,
        Wrapper,
        StickyActions,
        EpisodicLife,
        LivesBaseline,
        EndingLoss,
        Restart,
        FireReset,
        FirePlays,
        WithoutFire,
        NoopReset,
        NoopDraw,
        StartWithRandomActions,
        SkipFrames,
        Shows,
        StopsAt,
        ImagePreprocessing,
        Grey,
        Interpolation,
        QueueFrames,
        Axis,
        Padding,
        ClipReward,
        Clip,
        TimeLimit,
        AtLimit,
        AutoReset,
        AutoResetMode,
        Autoreset,
        Observation,
        Seeding,
        Spec,
        Space,
        Dtype,
        Television,
        ScreenSize,
        ConsoleDescription,
        GameDescription,
        Episode,
    ];
    let fields: Vec<_> = StepRecord::FIELDS
        .iter()
        .enumerate()
        .map(|(place, name)| format!("  {name}: {place},\n"))
        .collect();
    let flags: Vec<_> = StepRecord::FLAGS
        .iter()
        .enumerate()
        .map(|(bit, name)| format!("  {name}: {},\n", 1 << bit))
        .collect();
    let record = format!(
        "\n/** The places of a step record's numbers in its row of a `Float64Array`. */\nexport const RECORD = {{\n{}}} as const;\n\
         \n/** How many numbers a step record has. */\nexport const RECORD_LENGTH = {};\n\
         \n/** The bits of `RECORD.flags`. */\nexport const RECORD_FLAGS = {{\n{}}} as const;\n",
        fields.concat(),
        fields.len(),
        flags.concat(),
    );
    [HEADER, &aliases, &types, &record].concat()
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    let types = types();
    let file = Path::new(FILE);
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::create_dir_all(file.parent().expect("the file is in a folder")).expect("the folder can be made");
        std::fs::write(file, &types).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        committed == types,
        "{FILE} is stale: run UPDATE_TYPES=1 cargo test -p gym2600-gym typescript"
    );
}
