//! The TypeScript types of options, specs and descriptions, generated from the Rust types.

#[path = "../../arcade/tests/support/typescript.rs"]
mod support;

use crate::image::{Grey, Interpolation};
use crate::spec::*;
use crate::{
    ArcadeDescription, ArcadeOptions, Dtype, EpisodeSummary, GameDescription, GameOptions, Info, Observation, PRESETS,
    ScreenSize, Space, StepRecord,
};
use support::{assert_committed, exported};

const HEADER: &str = "\
/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { ActionName } from \"../actions.js\";
import type { RawDefinition, RawTv } from \"./definition.js\";
";

fn types() -> String {
    let presets = PRESETS.map(|preset| format!("{:?}", preset.name)).join(" | ");
    let aliases = format!(
        "\n/** The names of presets. */\nexport type PresetName = {presets};\n\
         \n/** One wrapper of a list: an object, or a name where every option keeps its default. */\n\
         export type Wrapper = WrapperOptions | WrapperOptions[\"type\"];\n"
    );
    let types = [
        exported::<GameOptions>(),
        exported::<ArcadeOptions>(),
        exported::<Wrapper>(),
        exported::<StickyActions>(),
        exported::<EpisodicLife>(),
        exported::<LivesBaseline>(),
        exported::<EndingLoss>(),
        exported::<Restart>(),
        exported::<FireReset>(),
        exported::<FirePlays>(),
        exported::<WithoutFire>(),
        exported::<NoopReset>(),
        exported::<NoopDraw>(),
        exported::<StartWithRandomActions>(),
        exported::<SkipFrames>(),
        exported::<Shows>(),
        exported::<StopsAt>(),
        exported::<ImagePreprocessing>(),
        exported::<Grey>(),
        exported::<Interpolation>(),
        exported::<QueueFrames>(),
        exported::<Axis>(),
        exported::<Padding>(),
        exported::<ClipReward>(),
        exported::<Clip>(),
        exported::<TimeLimit>(),
        exported::<AtLimit>(),
        exported::<AutoReset>(),
        exported::<AutoresetMode>(),
        exported::<Observation>(),
        exported::<Seeding>(),
        exported::<Spec>(),
        exported::<Space>(),
        exported::<Dtype>(),
        exported::<ScreenSize>(),
        exported::<ArcadeDescription>(),
        exported::<GameDescription>(),
        exported::<EpisodeSummary>(),
        exported::<Info>(),
    ];
    [HEADER, &aliases, &types.concat(), &record()].concat()
}

/// The places of a step record's numbers and the bits of its flags.
fn record() -> String {
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
    format!(
        "\n/** The places of a step record's numbers in its row of a `Float64Array`. */\nexport const RECORD = {{\n{}}} as const;\n\
         \n/** How many numbers a step record has. */\nexport const RECORD_LENGTH = {};\n\
         \n/** The bits of `RECORD.flags`. */\nexport const RECORD_FLAGS = {{\n{}}} as const;\n",
        fields.concat(),
        fields.len(),
        flags.concat(),
    )
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    assert_committed("gym.ts", &types());
}
