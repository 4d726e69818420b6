//! Mistakes in definitions.

use std::fmt;

use thiserror::Error;

use crate::rules::RuleProblem;

/// A mistake in a definition, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: {problem}")]
pub struct DefinitionError {
    /// Where it is.
    pub place: Place,
    /// The mistake.
    pub problem: DefinitionProblem,
}

/// Where a mistake is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the value of a key.
    Key {
        /// The key, from the outermost table inwards.
        path: Vec<PathPart>,
        /// The position in the value, where that is the text of rules.
        within: Option<Position>,
    },
    /// In a file.
    File {
        /// The file's name, as its reader gave it.
        file: String,
        /// The position in the file.
        position: Position,
    },
}

/// A part of the path to a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathPart {
    /// A key of a table.
    Key(&'static str),
    /// An index into a list.
    Index(usize),
}

impl fmt::Display for PathPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, ".{key}"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// A position in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
}

impl Position {
    /// The position of a byte in a text; behind the text that of its end.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let start_of_line = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start_of_line..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { path, within } => {
                f.write_str("game")?;
                for part in path {
                    write!(f, "{part}")?;
                }
                match within {
                    Some(Position { line, column }) => write!(f, ", line {line}, column {column}"),
                    None => Ok(()),
                }
            }
            Self::File { file, position } => write!(f, "{file}:{}:{}", position.line, position.column),
        }
    }
}

/// A mistake in a definition.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DefinitionProblem {
    /// The text is not TOML, or has other keys or types than the schema.
    #[error("{0}")]
    Schema(String),
    /// A number outside the range of its key.
    #[error("{key:?} takes {from} to {to}, not {value}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// The number.
        value: i64,
        /// The lowest number of the range.
        from: u32,
        /// The highest number of the range.
        to: u32,
    },
    /// An MD5 of the wrong form.
    #[error("{0:?} is not an MD5: that is 32 hexadecimal digits in lower case")]
    NotMd5(String),
    /// A list that must have an entry has none.
    #[error("{0:?} must not be empty")]
    Empty(&'static str),
    /// A list has an entry twice.
    #[error("{value} is twice in {key:?}")]
    Duplicate {
        /// The list.
        key: &'static str,
        /// The entry.
        value: String,
    },
    /// A value that must be in a list is not.
    #[error("{value} is not in {list:?}")]
    NotListed {
        /// The value.
        value: u32,
        /// The list.
        list: &'static str,
    },
    /// More than a definition may have.
    #[error("too many {what}: {limit} is the limit")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A mistake in the text of rules.
    #[error("{0}")]
    Rule(#[from] RuleProblem),
}
