//! The reference of wrappers and presets, generated from the docs of the Rust types: docs/wrappers.md, and Python's types.
//!
//! schemars reads the docs. An option's name in Rust is that of JSON in snake case, and a value's name is that of JSON in Pascal case.

use std::fmt::Write as _;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::spec::{Seeding, SkipFrames, StopsAt, Wrapper};
use crate::typescript::{support::assert_current, wrapper_types};
use crate::{PRESETS, Preset};

/// The command that writes what is generated here.
const COMMAND: &str = "UPDATE_TYPES=1 cargo test -p gym2600-gym reference";

/// A wrapper with its docs.
pub(crate) struct WrapperDocs {
    pub(crate) name: String,
    pub(crate) about: String,
    options: Vec<OptionDocs>,
}

struct OptionDocs {
    name: String,
    about: String,
    kind: Kind,
    takes_null: bool,
    default: Value,
}

enum Kind {
    Whole,
    Number,
    Bool,
    /// The name of the Rust type, and the values.
    Choice(String, Vec<ValueDocs>),
}

/// A value with a name.
pub(crate) struct ValueDocs {
    pub(crate) name: String,
    pub(crate) about: String,
}

/// The docs of all wrappers, in the order of the list.
pub(crate) fn wrappers() -> Vec<WrapperDocs> {
    let schema = schema_of::<Wrapper>();
    let kinds = schema["oneOf"].as_array().expect("a wrapper is one of several");
    kinds.iter().map(|kind| wrapper_docs(kind, &schema["$defs"])).collect()
}

fn wrapper_docs(kind: &Value, types: &Value) -> WrapperDocs {
    let name = text(&kind["properties"]["type"]["const"]);
    let properties = kind["properties"].as_object().expect("a wrapper is an object");
    let mut options: Vec<_> = properties
        .iter()
        .filter(|(option, _)| *option != "type")
        .map(|(option, schema)| option_docs(option, schema, types))
        .collect();
    // A schema has them sorted by name, the declaration in the order of the Rust type.
    let declarations = wrapper_types();
    let declaration = declarations
        .split_once(&format!("export type {name} = "))
        .map_or("", |(_, after)| after);
    options.sort_by_key(|option| declaration.find(&format!("\n{}?:", option.name)));
    WrapperDocs {
        name,
        about: about(kind),
        options,
    }
}

fn option_docs(name: &str, schema: &Value, types: &Value) -> OptionDocs {
    let forms = schema["anyOf"].as_array();
    let reference = forms.map_or(&schema["$ref"], |forms| &forms[0]["$ref"]).as_str();
    let takes_null = forms.is_some() || schema["type"].is_array();
    let primitive = if schema["type"].is_array() {
        &schema["type"][0]
    } else {
        &schema["type"]
    };
    let kind = match (reference, primitive.as_str()) {
        (Some(reference), _) => {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let refused = &schema["not"]["const"];
            let values = values(&types[name]).into_iter().filter(|value| *refused != value.name);
            Kind::Choice(name.into(), values.collect())
        }
        (None, Some("integer")) => Kind::Whole,
        (None, Some("number")) => Kind::Number,
        (None, Some("boolean")) => Kind::Bool,
        other => panic!("the option {name} has a type that this page lacks: {other:?}"),
    };
    OptionDocs {
        name: name.into(),
        about: about(schema),
        kind,
        takes_null,
        default: schema["default"].clone(),
    }
}

/// The values of a type, if all of them are names.
pub(crate) fn values_of<T: JsonSchema>() -> Vec<ValueDocs> {
    values(&schema_of::<T>())
}

/// The types that options of wrappers have, with their values.
pub(crate) fn choices() -> Vec<(String, Vec<ValueDocs>)> {
    let schema = schema_of::<Wrapper>();
    let types = schema["$defs"].as_object().into_iter().flatten();
    types.map(|(name, schema)| (name.clone(), values(schema))).collect()
}

fn values(schema: &Value) -> Vec<ValueDocs> {
    let forms = schema["oneOf"].as_array().into_iter().flatten();
    forms
        .map(|form| ValueDocs {
            name: text(&form["const"]),
            about: about(form),
        })
        .collect()
}

fn schema_of<T: JsonSchema>() -> Value {
    SchemaGenerator::default().into_root_schema_for::<T>().to_value()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

/// The docs of a schema: a line for each paragraph, without rustdoc's links.
fn about(schema: &Value) -> String {
    let text = text(&schema["description"]).replace("[`", "`").replace("`]", "`");
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n")
}

/// What has no sentence.
fn gaps(wrappers: &[WrapperDocs]) -> Vec<String> {
    let is_sentence = |text: &str| text.len() > 1 && text.ends_with('.');
    let mut gaps = Vec::new();
    for wrapper in wrappers {
        let (what, python) = wrapper.about.split_once('\n').unwrap_or((&wrapper.about, ""));
        if !is_sentence(what) {
            gaps.push(wrapper.name.clone());
        }
        if !(python.starts_with("In Python: ") && is_sentence(python)) {
            gaps.push(format!("{} in Python", wrapper.name));
        }
        for option in &wrapper.options {
            let path = format!("{}.{}", wrapper.name, option.name);
            if !is_sentence(&option.about) {
                gaps.push(path.clone());
            }
            if let Kind::Choice(_, values) = &option.kind {
                assert!(!values.is_empty(), "{path} has no values");
                let missing = values.iter().filter(|value| !is_sentence(&value.about));
                gaps.extend(missing.map(|value| format!("{path}: {}", value.name)));
            }
        }
    }
    gaps
}

/// A name of JSON as Rust writes a type or a value.
fn pascal(name: &str) -> String {
    let words = name.split('-');
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// A name of JSON as Rust writes a field.
fn snake(name: &str) -> String {
    name.chars()
        .flat_map(|letter| {
            letter
                .is_uppercase()
                .then_some('_')
                .into_iter()
                .chain(letter.to_lowercase())
        })
        .collect()
}

/// Makes the text and the value of an expression.
macro_rules! with_text {
    ($value:expr) => {
        (stringify!($value), $value)
    };
}

fn page() -> String {
    let (rust, example) = with_text!(Wrapper::SkipFrames(SkipFrames {
        n: 3,
        stops_at: StopsAt::LostLife,
        ..SkipFrames::default()
    }));
    let rust = rust.split_whitespace().collect::<Vec<_>>().join(" ");
    let changed = changed_options(&example)
        .into_iter()
        .map(|(name, value)| format!(", \"{name}\": {value}"));
    let json = format!("{{ \"type\": \"{}\"{} }}", example.name(), changed.collect::<String>());
    let all = wrappers();
    let contents = all.iter().map(|WrapperDocs { name, about, .. }| {
        format!(
            "| [`{name}`](#{}) | {} |\n",
            name.to_lowercase(),
            about.lines().next().unwrap_or_default()
        )
    });
    let presets = PRESETS.iter().map(|preset| preset_section(preset, &all));
    format!(
        "# Wrappers and presets

<!-- Generated from the docs of the Rust types in crates/gym/src: change those, then run {COMMAND}. -->

An environment is a console with a game and an ordered list of wrappers, from the console outwards. [Concepts](concepts.md) explains why they exist.
This page has all wrappers with all options, and the lists of the presets. A wrapper has the same name, options and values in every language:

| language | a wrapper |
|---|---|
| JavaScript, JSON | `{json}`; `\"SkipFrames\"` if every option keeps its default |
| Python | the same, as a dictionary or a name. The types are in `gym2600.wrappers`, and `help(gym2600.wrappers)` has the sentences of this page |
| Rust | `{rust}`; `Wrapper::MaxBetweenFrames` without options |

```js
import {{ Game, wallop }} from \"gym2600\";

const wrappers = [\"StickyActions\", {{ type: \"SkipFrames\", n: 3 }}, \"ImagePreprocessing\", \"QueueFrames\"];
const game = await Game.create({{ rom: wallop, wrappers }});
console.log(game.observationSpace.shape); // 4, 84, 84
game.close();
```

```python
import gym2600

envs = gym2600.VectorEnv(\"wallop\", wrappers=[\"StickyActions\", {{\"type\": \"SkipFrames\", \"n\": 3}}, \"ImagePreprocessing\", \"QueueFrames\"])
print(envs.single_observation_space.shape)  # (4, 84, 84)
envs.close()
```

In JSON and Python an option without a value has its default. `null` is `None` in Python and Rust, where the value of such an option is `Some(..)`. The
*notebooks* are those with `nature_dqn_env`, and *labml* is its annotated implementations: the sources of two [presets](#presets).

## Wrappers

| wrapper | what it does |
|---|---|
{}{}
## Presets

A preset is a list with a name, and options of the console. With the name of a Python package it gives the bytes of that package:
[Conformance](conformance.md#the-references-of-the-presets) names the exact references. Options that are not listed have their defaults.
{}",
        contents.collect::<String>(),
        all.iter().map(section).collect::<String>(),
        presets.collect::<String>(),
    )
}

fn section(wrapper: &WrapperDocs) -> String {
    let WrapperDocs { name, about, options } = wrapper;
    let mut section = format!("\n### {name}\n\n{}\n", about.replace('\n', "\n\n"));
    if options.is_empty() {
        section += "\nIt has no options.\n";
        return section;
    }
    section += "\n| option | in Rust | values | default | meaning |\n|---|---|---|---|---|\n";
    for option in options {
        let OptionDocs {
            name, about, default, ..
        } = option;
        let _ = writeln!(
            section,
            "| `{name}` | `{}` | {} | `{default}` | {about} |",
            snake(name),
            taken(option)
        );
    }
    for option in options {
        if let Kind::Choice(of, values) = &option.kind {
            let _ = write!(section, "\n| `{}` | in Rust | meaning |\n|---|---|---|\n", option.name);
            for ValueDocs { name, about } in values {
                let _ = writeln!(section, "| `\"{name}\"` | `{of}::{}` | {about} |", pascal(name));
            }
        }
    }
    section
}

/// The values that an option takes, in words.
fn taken(option: &OptionDocs) -> String {
    let values = match &option.kind {
        Kind::Whole => "whole numbers".into(),
        Kind::Number => "numbers".into(),
        Kind::Bool => "`true`, `false`".into(),
        Kind::Choice(_, values) => {
            let names = values.iter().map(|value| format!("`\"{}\"`", value.name));
            names.collect::<Vec<_>>().join(", ")
        }
    };
    if option.takes_null { values + ", `null`" } else { values }
}

fn preset_section(preset: &Preset, all: &[WrapperDocs]) -> String {
    let seeding = serde_json::to_value(preset.seeding)
        .map(|value| text(&value))
        .unwrap_or_default();
    let seeds = values_of::<Seeding>().into_iter().find(|value| value.name == seeding);
    let limit = match preset.max_frames_per_episode {
        0 => "none of the console".into(),
        frames => format!("{frames} frames"),
    };
    let mut section = format!(
        "\n### {}\n\n- Source: {}.\n- Seeds (`\"{seeding}\"`): {}\n- Limit of an episode: {limit}.\n\n",
        preset.name,
        preset.about,
        seeds.map(|value| value.about).unwrap_or_default(),
    );
    for wrapper in preset.wrappers() {
        let docs = all
            .iter()
            .find(|docs| docs.name == wrapper.name())
            .expect("all wrappers have docs");
        let what = docs.about.lines().next().unwrap_or_default();
        let _ = writeln!(section, "1. [`{}`](#{}): {what}", docs.name, docs.name.to_lowercase());
        for (name, value) in changed_options(&wrapper) {
            let option = docs.options.iter().find(|option| option.name == name);
            let option = option.expect("an option has docs");
            let chosen = match &option.kind {
                Kind::Choice(_, values) => values.iter().find(|docs| value == docs.name),
                _ => None,
            };
            let meaning = chosen.map_or(&option.about, |value| &value.about);
            let _ = writeln!(section, "   - `{name}` is `{value}`: {meaning}");
        }
    }
    section
}

/// The options of a wrapper that do not have their defaults.
fn changed_options(wrapper: &Wrapper) -> Map<String, Value> {
    let object = |wrapper: &Wrapper| serde_json::to_value(wrapper).expect("a wrapper is JSON");
    let default = serde_json::from_value(json!({ "type": wrapper.name() })).expect("every option has a default");
    let (changed, default) = (object(wrapper), object(&default));
    let options = changed.as_object().into_iter().flatten();
    let differ = options.filter(|(name, value)| default.get(name) != Some(value));
    differ.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn python() -> String {
    let all = wrappers();
    let names: Vec<_> = all.iter().map(|wrapper| wrapper.name.as_str()).collect();
    let presets = PRESETS.map(|preset| format!("#: * `{}`: {}\n", preset.name, preset.about));
    let presets = presets.concat();
    let preset_names = PRESETS.map(|preset| format!("    {:?},\n", preset.name)).concat();
    let quoted: Vec<_> = names.iter().map(|name| format!("    {name:?},\n")).collect();
    let quoted = quoted.concat();
    format!(
        "\"\"\"The wrappers as types, with what each of their options and values means. `VectorEnv` takes a list of them, from the console outwards.

A wrapper is a dictionary with its name as \"type\", such as `{{\"type\": \"SkipFrames\", \"n\": 3}}`, or `SkipFrames(type=\"SkipFrames\", n=3)`. The name
alone is enough where every option keeps its default. docs/wrappers.md of the repository has the same, and the lists of the presets.

Generated from the docs of the Rust types in crates/gym/src: change those, then run {COMMAND}.
\"\"\"

import sys
from typing import Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import Required
else:
    from typing_extensions import Required

__all__ = [
    \"Preset\",
    \"Wrapper\",
    \"WrapperName\",
{quoted}]

#: The names of the presets, and the code whose bytes each has.
#:
{presets}Preset = Literal[
{preset_names}]
{}

#: The names of the wrappers.
WrapperName = Literal[
{quoted}]

#: One wrapper of a list.
Wrapper = (
    WrapperName
    | {}
)
",
        all.iter().map(python_class).collect::<String>(),
        names.join("\n    | "),
    )
}

fn python_class(wrapper: &WrapperDocs) -> String {
    let WrapperDocs { name, about, options } = wrapper;
    let [mut docs, mut fields] = [String::new(), String::new()];
    for paragraph in about.lines() {
        let _ = write!(docs, "\n{}\n", filled(paragraph, 4));
    }
    if !options.is_empty() {
        docs += "\n    Options:\n";
    }
    for option in options {
        let name = &option.name;
        let default = in_python(&format!("`{}`", option.default));
        let _ = writeln!(
            docs,
            "{}",
            filled(&format!("{name}: {} Default: {default}.", in_python(&option.about)), 8)
        );
        if let Kind::Choice(_, values) = &option.kind {
            for ValueDocs { name, about } in values {
                let _ = writeln!(docs, "{}", filled(&format!("* \"{name}\": {about}"), 12));
            }
        }
        let kind = match &option.kind {
            Kind::Whole => "int".into(),
            Kind::Number => "float".into(),
            Kind::Bool => "bool".into(),
            Kind::Choice(_, values) => {
                let names = values.iter().map(|value| format!("{:?}", value.name));
                format!("Literal[{}]", names.collect::<Vec<_>>().join(", "))
            }
        };
        let _ = writeln!(
            fields,
            "    {name}: {kind}{}",
            if option.takes_null { " | None" } else { "" }
        );
    }
    format!(
        "\n\nclass {name}(TypedDict, total=False):\n    \"\"\"{}\n    \"\"\"\n\n    type: Required[Literal[\"{name}\"]]\n{fields}",
        docs.trim(),
    )
}

/// Text with JSON's values as Python's.
fn in_python(text: &str) -> String {
    [("`null`", "`None`"), ("`false`", "`False`"), ("`true`", "`True`")]
        .iter()
        .fold(text.into(), |text: String, (json, python)| text.replace(json, python))
}

/// Text in lines of at most 120 characters. Later lines are indented a little more where the text belongs to an option or a value.
fn filled(text: &str, indent: usize) -> String {
    let mut lines = vec![" ".repeat(indent)];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if line.len() + 1 + word.len() > 120 {
            lines.push(" ".repeat(if indent == 4 { 4 } else { indent + 2 }) + word);
        } else {
            if !line.ends_with(' ') {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[test]
fn every_wrapper_option_and_value_has_a_sentence() {
    let all = wrappers();
    assert_eq!(gaps(&all), [""; 0]);
    assert!(
        all.iter()
            .all(|wrapper| page().contains(&format!("\n### {}\n", wrapper.name)))
    );
}

#[test]
fn what_has_no_sentence_is_named() {
    let mut all = wrappers();
    let wrapper = all
        .iter_mut()
        .find(|wrapper| wrapper.name == "ClipReward")
        .expect("it is one");
    wrapper.about = "Clips".into();
    wrapper.options[0].about.clear();
    if let Kind::Choice(_, values) = &mut wrapper.options[0].kind {
        values[1].about.clear();
    }
    assert_eq!(
        gaps(&all),
        [
            "ClipReward",
            "ClipReward in Python",
            "ClipReward.to",
            "ClipReward.to: range"
        ]
    );
}

#[test]
fn the_page_of_the_reference_is_that_of_the_rust_types() {
    assert_current("docs/wrappers.md", &page(), COMMAND);
}

#[test]
fn the_types_of_python_are_those_of_the_rust_types() {
    assert_current("python/gym2600/wrappers.py", &python(), COMMAND);
}
