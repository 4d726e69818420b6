//! What is read is what the crate toml reads, and mistakes are called what it calls them.

use super::{Integer, Node, Table, Value, parse};
use crate::catalogue::games;
use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use std::borrow::Cow;

/// What the crate says of a text, in our terms, with keys by place.
fn expected(text: &str) -> Result<Table<'_>, (usize, String)> {
    match DeTable::parse(text) {
        Ok(read) => Ok(table(read.into_inner())),
        Err(error) => Err((error.span().unwrap_or_default().start, error.message().to_owned())),
    }
}

fn table(table: DeTable<'_>) -> Table<'_> {
    let mut entries: Vec<_> = table
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            let name = key.into_inner();
            (super::Key { name, span }, node(value))
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.span.start);
    Table {
        entries,
        ..Table::default()
    }
}

fn node(value: Spanned<DeValue<'_>>) -> Node<'_> {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::String(text),
        DeValue::Integer(number) => {
            let radix = number.radix();
            let text = number.to_string().into();
            Value::Integer(Integer { text, radix })
        }
        DeValue::Float(_) => Value::Float,
        DeValue::Datetime(_) => Value::Datetime,
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::Array(values) => Value::Array(values.into_iter().map(node).collect()),
        DeValue::Table(inner) => Value::Table(table(inner)),
    };
    Node { span, value }
}

/// The same without what only we tell apart.
fn plain(mut table: Table<'_>) -> Table<'_> {
    fn value(node: &mut Node<'_>) {
        node.value = match std::mem::replace(&mut node.value, Value::Float) {
            Value::Table(table) => Value::Table(plain(table)),
            Value::Array(mut nodes) | Value::Tables(mut nodes) => {
                nodes.iter_mut().for_each(value);
                Value::Array(nodes)
            }
            other => other,
        };
    }
    table.entries.iter_mut().for_each(|(_, node)| value(node));
    table.entries.sort_by_key(|(key, _)| key.span.start);
    Table {
        entries: table.entries,
        ..Table::default()
    }
}

fn read(text: &str) -> Result<Table<'_>, (usize, String)> {
    parse(text)
        .map(plain)
        .map_err(|mistake| (mistake.at, Cow::into_owned(mistake.message)))
}

#[test]
fn the_files_of_the_catalogue_are_read_with_the_place_of_everything() {
    for entry in games() {
        assert_eq!(read(entry.text), expected(entry.text), "{}", entry.rom);
    }
}

#[test]
fn every_notation_is_read() {
    let texts = [
        "a = 'x' # one\r\nb = \"y\"\t\r\n\r\n# two\nc = true\nd = false",
        "\u{feff}a = '''\nx\r\n'y' ''z''''' # end\nb = \"\"\"\r\nx \\\n  \n  y \\\" \"\"z\"\"\"\"\n",
        "a = \"\\b\\e\\f\\n\\r\\t\\\\\\\"\\x41\\u00e9\\U0001F600 ö\"",
        "a = 0\nb = -0\nc = +12\nd = -1_000\ne = 0xAb_c\nf = 0o17\ng = 0b1_0\nh = 99999999999999999999",
        "a = 1.5\nb = -1e5\nc = 0.0e-3\nd = inf\ne = -nan\nf = 1979-05-27\ng = 1979-05-27 07:32:00Z\nh = 07:32",
        "a = [1, 'x', # why\n\n [2, 3], {b = 4}, ]\nc = []\nd = {}\ne = {f\n =\n1,\n g.h = 2, g.i = 3,}",
        "a.b.c = 1\na.b.d = 2\n'e f'.\"g\" = 3\n-1_ = 4\n1.5 = 5",
        "[a]\nb = 1\n[ a . c ]\nd = 2\n[\"e\"]\n[f.g]\nh = 3\n[f]\ni = 4",
        "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3\n[[a.e]]\n[[a.e]]",
        "[a]\nb.c = 1\nb.d = 2\n[a.b.e]\nf = 3",
        "",
    ];
    for text in texts {
        assert!(expected(text).is_ok(), "{text:?}");
        assert_eq!(read(text), expected(text), "{text:?}");
    }
}

#[test]
fn mistakes_have_their_place_and_name() {
    let texts = [
        "a",
        "a 1",
        "a: 1",
        "= 1",
        "a. = 1",
        ".a = 1",
        "a..b = 1",
        "ä = 1",
        "+a = 1",
        "\"\"\"a\"\"\" = 1",
        "a = ",
        "a = b",
        "a = b c",
        "a == 1",
        "a = 1 2",
        "a = 1 b = 2",
        "a = 'b' 'c'",
        "a = b'",
        "a = b\"",
        "a = 1,",
        "a = tru",
        "a = True",
        "a = fals",
        "a = infinite",
        "a = 1F",
        "a = -",
        "a = --1",
        "a = 'b",
        "a = \"b",
        "a = '''b\n",
        "a = \"\"\"b\n",
        "a = \"\u{1}\"",
        "# \u{1}",
        "a = 1\rb = 2",
        "a = \"\\q\"",
        "a = \"\\u12g4\"",
        "a = \"\\ud800\"",
        "a = \"\\x4\"",
        "a = 01",
        "a = 1_",
        "a = _1",
        "a = 1__0",
        "a = 0xg",
        "a = 0b2",
        "a = 0o8",
        "a = 0XA",
        "a = +0x1",
        "a = 0x_1",
        "a = [",
        "a = [1",
        "a = [1,",
        "a = [1 2]",
        "a = [1\n2]",
        "a = [,]",
        "a = [1,,2]",
        "a = [=]",
        "a = [}",
        "a = [1]]",
        "a = {",
        "a = {b = 1",
        "a = {,}",
        "a = {b = 1,,}",
        "a = {]",
        "a = {b = 1 c = 2}",
        "[",
        "[]",
        "[a",
        "[a b]",
        "[a]]",
        "[a.]",
        "[a] b",
        "[[a",
        "[[a]",
        "[a]x",
        "]",
        "}",
        ",",
        "a = 1\na = 2",
        "a.b = 1\na = 2",
        "a = 1\na.b = 2",
        "[a]\n[a]",
        "a.b = 1\n[a]",
        "[a]\nb = 1\n[a.b]",
        "[[a]]\n[a]",
        "a = []\n[[a]]",
        "a = {}\n[a.b]",
        "a = {}\na.b = 1",
        "[a]\nb.c = 1\n[a.b]",
        "a = 'x'\na.b = 1",
    ];
    let mut wrong = Vec::new();
    for text in texts {
        let (found, expected) = (read(text), expected(text));
        if expected.is_ok() || found != expected {
            wrong.push((text, found, expected));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("a = {}", "[".repeat(10_000));
    assert!(read(&deep).is_err());
}
