//! The reference of wrappers and presets, generated from the docs of the Rust types: docs/wrappers.md, and Python's types.
//!
//! schemars reads the docs. An option's name in Rust is that of JSON in snake case, and a value's name is that of JSON in Pascal case.

mod page;
mod python;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

use crate::spec::Wrapper;
use crate::typescript::{support::assert_current, wrapper_types};
use page::page;
use python::python;

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
    let mut one: Vec<_> = wrappers()
        .into_iter()
        .filter(|wrapper| wrapper.name == "ClipReward")
        .collect();
    let wrapper = &mut one[0];
    wrapper.about = "Clips".into();
    wrapper.options[0].about.clear();
    if let Kind::Choice(_, values) = &mut wrapper.options[0].kind {
        values[1].about.clear();
    }
    assert_eq!(
        gaps(&one),
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
