//! The types of Python: `gym2600.wrappers`.

use std::fmt::Write as _;

use super::{COMMAND, Kind, ValueDocs, WrapperDocs, wrappers};
use crate::PRESETS;

pub(super) fn python() -> String {
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
