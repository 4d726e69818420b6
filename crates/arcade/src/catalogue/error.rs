//! What can be wrong with a definition.

use crate::rules::RuleProblem;
use thiserror::Error;

/// A mistake in a definition, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct DefinitionError {
    /// The file, as its reader calls it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: DefinitionProblem,
}

/// What is wrong with a definition.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DefinitionProblem {
    /// The text is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key that has to be there is not.
    #[error("{0:?} is missing")]
    MissingKey(&'static str),
    /// A key that a definition does not have.
    #[error("unknown key {key:?} (known here: {known})")]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that may stand in its place.
        known: String,
    },
    /// A value of another type than the key takes.
    #[error("{key:?} takes {expected}")]
    WrongType {
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: &'static str,
    },
    /// A word that is none of those that the key takes.
    #[error("unknown {what} {word:?} (known: {known})")]
    UnknownWord {
        /// What the word should be.
        what: &'static str,
        /// The word.
        word: String,
        /// The words that would do.
        known: String,
    },
    /// A number that the key does not take.
    #[error("{key:?} takes {from} to {to}, not {value}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// The number.
        value: String,
        /// The lowest number that would do.
        from: i64,
        /// The highest number that would do.
        to: i64,
    },
    /// An MD5 that is none.
    #[error("{0:?} is not an MD5: that is 32 hexadecimal digits in lower case")]
    NotMd5(String),
    /// A list that has to have an entry has none.
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
    /// A value that has to be one of a list is not.
    #[error("{value} is not in {list:?}")]
    NotListed {
        /// The value.
        value: String,
        /// The list.
        list: &'static str,
    },
    /// Rules with a backslash or in a string that has one.
    #[error("rules are written without backslashes")]
    Backslash,
    /// A mistake in the text of rules.
    #[error("{0}")]
    Rule(#[from] RuleProblem),
}
