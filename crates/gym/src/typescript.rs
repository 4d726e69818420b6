//! The TypeScript types of options, specs and descriptions, generated from the Rust types.

#[path = "../../arcade/tests/support/typescript.rs"]
pub(crate) mod support;

use std::collections::HashSet;

use ts_rs::{Config, TS, TypeVisitor};

use crate::data::MAX_LEVELS;
use crate::reference::{choices, values_of, wrappers};
use crate::spec::{AutoresetMode, Seeding, Spec, Wrapper};
use crate::{
    ArcadeDescription, ArcadeOptions, Dtype, EpisodeSummary, ErrorDetails, GameDescription, GameOptions, Info,
    Observation, PRESETS, Preset, ScreenSize, Space, SpaceBounds, StepRecord, VectorEnv,
};
use support::{assert_committed, exported};

const HEADER: &str = "\
/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { ActionName } from \"../actions.js\";
import type { RawDefinition, RawMapper, RawTv } from \"./definition.js\";
";

fn types() -> String {
    let presets = PRESETS
        .map(|Preset { name, about, .. }| member(&format!("{name:?}"), about))
        .concat();
    let names = PRESETS.map(|preset| format!("{:?}", preset.name)).join(" | ");
    let aliases = format!(
        "\n/**\n * The names of presets, and the code whose bytes each has.\n *\n{presets} */\nexport type PresetName = {names};\n\
         \n/** One wrapper of a list: an object, or a name where every option keeps its default. */\n\
         export type Wrapper = WrapperOptions | WrapperOptions[\"type\"];\n",
    );
    let types = [
        exported::<GameOptions>(),
        exported::<ArcadeOptions>(),
        wrapper_types(),
        exported::<AutoresetMode>(),
        exported::<Observation>(),
        exported::<Seeding>(),
        exported::<Spec>(),
        exported::<Space>(),
        exported::<SpaceBounds>(),
        exported::<Dtype>(),
        exported::<ScreenSize>(),
        exported::<ArcadeDescription>(),
        exported::<GameDescription>(),
        exported::<EpisodeSummary>(),
        exported::<Info>(),
        exported::<ErrorDetails>(),
    ];
    [HEADER, &aliases, &with_members(&types.concat()), &record(), &limits()].concat()
}

/// The declarations of the wrappers and of the types of their options.
pub(crate) fn wrapper_types() -> String {
    with_dependencies(&Exported::of::<Wrapper>(), &mut HashSet::new())
}

/// Declarations in which the docs of a union list its members with theirs: bundlers of declarations drop docs of members. ts-rs gives
/// the docs of types and fields alone.
fn with_members(declarations: &str) -> String {
    let mut unions = choices();
    unions.extend([
        (AutoresetMode::name(&Config::default()), values_of::<AutoresetMode>()),
        (Dtype::name(&Config::default()), values_of::<Dtype>()),
        (Observation::name(&Config::default()), values_of::<Observation>()),
        (Seeding::name(&Config::default()), values_of::<Seeding>()),
    ]);
    let mut lines: Vec<String> = Vec::new();
    for line in declarations.replace("[`", "`").replace("`]", "`").lines() {
        let declared = line
            .strip_prefix("export type ")
            .and_then(|line| line.split_once(" = "));
        let members = match declared {
            Some(("WrapperOptions", _)) => wrapper_members(),
            Some((name, union)) if !union.starts_with('{') => {
                let (_, values) = unions.iter().find(|(other, _)| other == name).expect(name);
                assert_eq!(
                    union.split(" | ").count(),
                    values.len(),
                    "{name} has docs for each member"
                );
                let members = values
                    .iter()
                    .map(|value| member(&format!("\"{}\"", value.name), &value.about));
                members.collect()
            }
            _ => String::new(),
        };
        if !members.is_empty() {
            let end = lines.pop();
            assert_eq!(end.as_deref(), Some(" */"), "{line} has docs");
            lines.push(format!(" *\n{members} */"));
        }
        lines.push(line.into());
    }
    lines.join("\n") + "\n"
}

fn wrapper_members() -> String {
    wrappers()
        .iter()
        .map(|wrapper| member(&wrapper.name, &wrapper.about))
        .collect()
}

/// A member of a union in the docs of its type.
fn member(name: &str, about: &str) -> String {
    format!(" * - `{name}`: {}\n", about.replace('\n', " "))
}

/// A type with a declaration of its own.
struct Exported {
    name: String,
    declaration: String,
    dependencies: fn() -> Vec<Exported>,
}

impl Exported {
    fn of<T: TS + ?Sized + 'static>() -> Self {
        Self {
            name: T::name(&Config::default()),
            declaration: exported::<T>(),
            dependencies: dependencies::<T>,
        }
    }
}

/// The types that a declaration refers to, in any order.
fn dependencies<T: TS + ?Sized + 'static>() -> Vec<Exported> {
    struct Visitor(Vec<Exported>);
    impl TypeVisitor for Visitor {
        fn visit<T: TS + ?Sized + 'static>(&mut self) {
            if T::output_path().is_some() {
                self.0.push(Exported::of::<T>());
            }
        }
    }
    let mut visitor = Visitor(Vec::new());
    T::visit_dependencies(&mut visitor);
    visitor.0
}

/// A type's declaration, followed by those of the types that it refers to, in the order in which it does.
fn with_dependencies(of: &Exported, seen: &mut HashSet<String>) -> String {
    if !seen.insert(of.name.clone()) {
        return String::new();
    }
    let mut dependencies = (of.dependencies)();
    dependencies.sort_by_key(|inner| of.declaration.find(&inner.name));
    let inner = dependencies.iter().map(|inner| with_dependencies(inner, seen));
    [of.declaration.clone(), inner.collect()].concat()
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

/// What the package checks before a call crosses to the WebAssembly side.
fn limits() -> String {
    format!(
        "\n/** The most environments of a batch, far above what a machine can use. A mistyped number is refused instead of ending the process. */\n\
         export const MAX_ENVS = {};\n\
         \n/** The most levels of objects and lists in options. */\nexport const MAX_LEVELS = {MAX_LEVELS};\n",
        VectorEnv::MAX_ENVS,
    )
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    assert_committed("gym.ts", &types());
}
