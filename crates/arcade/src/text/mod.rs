//! Definitions as text: TOML files.
//!
//! A mistake is reported with file, line and column. The checks of [`GameDefinition::new`] report a key; its place in the text is
//! looked up in the parsed document, which keeps the span of every value.

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::definition::{DefinitionError, DefinitionProblem, GameDefinition, PathPart, Place, Position, RawDefinition};

#[cfg(test)]
mod tests;

/// The longest text, in bytes.
const MAX_TEXT: usize = 256 * 1024;
/// The most keys, lists and tables.
const MAX_KEYS: usize = 5000;
/// The most dots in a dotted key. The reader of TOML bounds the nesting of lists and inline tables itself.
const MAX_DOTS: usize = 8;

impl GameDefinition {
    /// Reads a definition. Errors call it `file_name`.
    ///
    /// # Errors
    /// [`DefinitionError`] with the line, the column and the reason of the first mistake.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, DefinitionError> {
        read(text, file_name).map(|(_, game)| game)
    }
}

impl RawDefinition {
    /// Reads and checks a definition. Errors call it `file_name`.
    ///
    /// # Errors
    /// As [`GameDefinition::from_toml`].
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, DefinitionError> {
        read(text, file_name).map(|(raw, _)| raw)
    }

    /// The definition as text, which [`RawDefinition::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("the schema of definitions is that of TOML files")
    }

    /// The position of the value of a key, from the outermost table inwards, in the text of a definition: that of the innermost table of its
    /// path where the text lacks the key, and the first line where it has none of it.
    pub fn position_of(text: &str, path: &[&str]) -> Position {
        let Ok(document) = DeTable::parse(text) else {
            return Position::of(text, 0);
        };
        let mut table = Some(document.get_ref());
        let mut offset = 0;
        for key in path {
            let Some((name, value)) = table.and_then(|table| table.get_key_value(*key)) else {
                break;
            };
            (offset, table) = match value.get_ref() {
                DeValue::Table(inner) => (name.span().start, Some(inner)),
                _ => (value.span().start, None),
            };
        }
        Position::of(text, offset)
    }
}

fn read(text: &str, file: &str) -> Result<(RawDefinition, GameDefinition), DefinitionError> {
    let at = |offset, problem| DefinitionError {
        place: Place::File {
            file: file.to_owned(),
            position: Position::of(text, offset),
        },
        problem,
    };
    let schema = |error: &toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start);
        at(offset, DefinitionProblem::Schema(error.message().to_owned()))
    };
    check_limits(text).map_err(|(offset, problem)| at(offset, problem))?;
    let document = DeTable::parse(text).map_err(|error| schema(&error))?;
    let deserializer = toml::Deserializer::from(document.clone());
    let raw = RawDefinition::deserialize(deserializer).map_err(|error| schema(&error))?;
    match GameDefinition::new(&raw) {
        Ok(game) => Ok((raw, game)),
        Err(DefinitionError { place, problem }) => {
            let position = locate(text, &document, &place);
            let file = file.to_owned();
            let place = Place::File { file, position };
            Err(DefinitionError { place, problem })
        }
    }
}

/// Refuses texts that would take long to read or whose nesting would overflow the stack.
fn check_limits(text: &str) -> Result<(), (usize, DefinitionProblem)> {
    let too_many = |what, limit| DefinitionProblem::TooMany { what, limit };
    if text.len() > MAX_TEXT {
        return Err((MAX_TEXT, too_many("bytes", MAX_TEXT)));
    }
    let (mut dots, mut keys) = (0, 0);
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::Dot => dots += 1,
            TokenKind::Equals | TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket | TokenKind::Newline => {
                dots = 0;
                keys += usize::from(token.kind() != TokenKind::Newline);
            }
            _ => {}
        }
        let offset = token.span().start();
        if dots > MAX_DOTS {
            return Err((offset, too_many("dots in one key", MAX_DOTS)));
        }
        if keys > MAX_KEYS {
            return Err((offset, too_many("keys, lists and tables", MAX_KEYS)));
        }
    }
    Ok(())
}

/// The position of a key in the text, or of the innermost value of its path that is in the text.
fn locate(text: &str, document: &Spanned<DeTable<'_>>, place: &Place) -> Position {
    let Place::Key { path, within } = place else {
        return Position::of(text, 0);
    };
    let (first, rest) = match path.split_first() {
        Some((PathPart::Key(key), rest)) => (document.get_ref().get(*key), rest),
        _ => (None, [].as_slice()),
    };
    let mut value = first;
    for part in rest {
        let inner = value.and_then(|value| match (part, value.get_ref()) {
            (PathPart::Key(key), DeValue::Table(table)) => table.get(*key),
            (PathPart::Index(index), DeValue::Array(array)) => array.get(*index),
            _ => None,
        });
        value = inner.or(value);
    }
    let span = value.map_or(0..0, Spanned::span);
    match within {
        Some(within) => position_in_string(text, span.start, *within),
        None => Position::of(text, span.start),
    }
}

/// Converts a position within a string to one in `text`. The string's quotes begin at `start`. Where the string has escapes, the
/// result is the position of its quotes.
fn position_in_string(text: &str, start: usize, within: Position) -> Position {
    let string = text.get(start..).expect("the parser gives places of this text");
    let quotes = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quotes| string.starts_with(quotes));
    let Some((quotes, content)) = quotes.and_then(|quotes| Some((quotes, string.split(quotes).nth(1)?))) else {
        return Position::of(text, start);
    };
    if quotes.starts_with('"') && content.contains('\\') {
        return Position::of(text, start);
    }
    // A line break right after three quotes is not part of the string.
    let line_end = ["\r\n", "\n"]
        .into_iter()
        .find(|end| quotes.len() == 3 && content.starts_with(end));
    let base = Position::of(text, start + quotes.len() + line_end.map_or(0, str::len));
    Position {
        line: base.line + within.line - 1,
        column: within.column + if within.line == 1 { base.column - 1 } else { 0 },
    }
}
