//! Mistakes in data.

use std::fmt;

use serde::de;

/// A mistake in data: the path of its key, such as `.rules.frame` or `.modes[1]`, and the reason.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) path: String,
    pub(crate) reason: String,
}

impl Mistake {
    /// A mistake of the whole value.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            reason: reason.into(),
        }
    }

    /// A mistake in an entry of the object or array that reports it.
    pub(crate) fn within(self, key: &str) -> Self {
        Self {
            path: format!("{key}{}", self.path),
            ..self
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self::new(reason.to_string())
    }
}
