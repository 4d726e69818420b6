//! docs/wrappers.md.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{COMMAND, Kind, OptionDocs, ValueDocs, WrapperDocs, text, values_of, wrappers};
use crate::spec::{Seeding, SkipFrames, StopsAt, Wrapper};
use crate::{PRESETS, Preset};

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

pub(super) fn page() -> String {
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
