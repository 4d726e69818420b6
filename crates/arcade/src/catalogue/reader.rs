//! Reads values out of TOML tables and says exactly where one is wrong.

use super::error::{DefinitionError, DefinitionProblem};
use super::toml::{self, Node, Table, Value};
use std::ops::{Range, RangeInclusive};

/// A value and the bytes of the text that it was read from.
#[derive(Clone, Debug)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// What is wrong, in a box: what hands it on is smaller, and so is the module that is loaded in a page.
pub(super) type Mistake = Box<DefinitionError>;

/// The text of a definition.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) file_name: &'t str,
}

#[allow(clippy::unnecessary_box_returns, reason = "see Mistake")]
impl<'t> Source<'t> {
    /// An error at a byte of the text.
    pub(super) fn error(self, offset: usize, problem: impl Into<DefinitionProblem>) -> Mistake {
        self.mistake(offset, problem.into())
    }

    #[cold]
    fn mistake(self, offset: usize, problem: DefinitionProblem) -> Mistake {
        let before = self.text.get(..offset).unwrap_or(self.text);
        Box::new(DefinitionError {
            file: self.file_name.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.chars().rev().take_while(|&character| character != '\n').count() + 1,
            problem,
        })
    }

    /// A part of the text.
    fn slice(self, span: Range<usize>) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// The whole definition as a table.
    pub(super) fn parse(self) -> Result<TableReader<'t>, Mistake> {
        let table = toml::parse(self.text)
            .map_err(|mistake| self.error(mistake.at, DefinitionProblem::Syntax(mistake.message.into_owned())))?;
        Ok(TableReader {
            source: self,
            start: 0,
            table,
            known: Vec::new(),
        })
    }
}

/// A table whose keys are taken out one by one; [`finish`](Self::finish) complains of those that are left.
pub(super) struct TableReader<'t> {
    source: Source<'t>,
    start: usize,
    table: Table<'t>,
    known: Vec<&'static str>,
}

impl<'t> TableReader<'t> {
    /// The byte at which the table starts.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    fn take(&mut self, key: &'static str) -> Option<Node<'t>> {
        self.known.push(key);
        self.table.take(key)
    }

    #[allow(clippy::unnecessary_box_returns, reason = "see Mistake")]
    fn wrong_type(&self, at: usize, key: &'static str, expected: &'static str) -> Mistake {
        self.source.error(at, DefinitionProblem::WrongType { key, expected })
    }

    /// A string.
    pub(super) fn string(&mut self, key: &'static str) -> Result<Option<Located<String>>, Mistake> {
        self.take(key).map(|value| self.as_string(key, value)).transpose()
    }

    fn as_string(&self, key: &'static str, value: Node<'t>) -> Result<Located<String>, Mistake> {
        let span = value.span;
        match value.value {
            Value::String(value) => Ok(Located {
                value: value.into_owned(),
                span,
            }),
            _ => Err(self.wrong_type(span.start, key, "a string")),
        }
    }

    /// A text of rules, exactly as it stands between its quotes.
    pub(super) fn rules(&mut self, key: &'static str) -> Result<Option<Located<&'t str>>, Mistake> {
        let Some(Located { span, .. }) = self.string(key)? else {
            return Ok(None);
        };
        let quoted = self.source.slice(span.clone());
        let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") {
            3
        } else {
            1
        };
        let span = span.start + quotes..span.end - quotes;
        let value = self.source.slice(span.clone());
        match value.find('\\') {
            Some(backslash) => Err(self.source.error(span.start + backslash, DefinitionProblem::Backslash)),
            None => Ok(Some(Located { value, span })),
        }
    }

    /// `true` or `false`.
    pub(super) fn boolean(&mut self, key: &'static str) -> Result<Option<bool>, Mistake> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let start = value.span.start;
        match value.value {
            Value::Boolean(value) => Ok(Some(value)),
            _ => Err(self.wrong_type(start, key, "true or false")),
        }
    }

    /// A whole number in a range.
    pub(super) fn integer(
        &mut self,
        key: &'static str,
        range: &RangeInclusive<u32>,
    ) -> Result<Option<Located<u32>>, Mistake> {
        self.take(key)
            .map(|value| self.as_integer(key, &value, range))
            .transpose()
    }

    fn as_integer(
        &self,
        key: &'static str,
        value: &Node<'t>,
        range: &RangeInclusive<u32>,
    ) -> Result<Located<u32>, Mistake> {
        let span = value.span.clone();
        let Value::Integer(integer) = &value.value else {
            return Err(self.wrong_type(span.start, key, "a whole number"));
        };
        match integer.value() {
            Some(value) if range.contains(&value) => Ok(Located { value, span }),
            _ => {
                let (from, to) = (i64::from(*range.start()), i64::from(*range.end()));
                Err(self.source.error(
                    span.start,
                    DefinitionProblem::OutOfRange {
                        key,
                        value: integer.text.to_string(),
                        from,
                        to,
                    },
                ))
            }
        }
    }

    fn array(&mut self, key: &'static str) -> Result<Option<Located<Vec<Node<'t>>>>, Mistake> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let span = value.span;
        match value.value {
            Value::Array(value) | Value::Tables(value) => Ok(Some(Located { value, span })),
            _ => Err(self.wrong_type(span.start, key, "a list")),
        }
    }

    /// A list without repetitions and with at least one entry.
    fn set<T: PartialEq>(
        &mut self,
        key: &'static str,
        read: impl Fn(&Self, Node<'t>) -> Result<Located<T>, Mistake>,
    ) -> Result<Option<Vec<Located<T>>>, Mistake> {
        let Some(Located { value: array, span }) = self.array(key)? else {
            return Ok(None);
        };
        if array.is_empty() {
            return Err(self.source.error(span.start, DefinitionProblem::Empty(key)));
        }
        let mut set: Vec<Located<T>> = Vec::new();
        for value in array {
            let entry = read(self, value)?;
            if set.iter().any(|known| known.value == entry.value) {
                let value = self.source.slice(entry.span.clone()).to_owned();
                return Err(self
                    .source
                    .error(entry.span.start, DefinitionProblem::Duplicate { key, value }));
            }
            set.push(entry);
        }
        Ok(Some(set))
    }

    /// Different strings, at least one.
    pub(super) fn strings(&mut self, key: &'static str) -> Result<Option<Vec<Located<String>>>, Mistake> {
        self.set(key, |reader, value| reader.as_string(key, value))
    }

    /// Different whole numbers of a range, at least one.
    pub(super) fn integers(
        &mut self,
        key: &'static str,
        range: &RangeInclusive<u32>,
    ) -> Result<Option<Vec<Located<u32>>>, Mistake> {
        self.set(key, |reader, value| reader.as_integer(key, &value, range))
    }

    /// A list of tables, empty if it is not there.
    pub(super) fn tables(&mut self, key: &'static str) -> Result<Vec<TableReader<'t>>, Mistake> {
        let array = self.array(key)?.map_or_else(Vec::new, |array| array.value);
        array.into_iter().map(|value| self.as_table(key, value)).collect()
    }

    /// A table, empty if it is not there.
    pub(super) fn table(&mut self, key: &'static str) -> Result<TableReader<'t>, Mistake> {
        match self.take(key) {
            Some(value) => self.as_table(key, value),
            None => Ok(Self {
                source: self.source,
                start: self.start,
                table: Table::default(),
                known: Vec::new(),
            }),
        }
    }

    fn as_table(&self, key: &'static str, value: Node<'t>) -> Result<Self, Mistake> {
        let start = value.span.start;
        match value.value {
            Value::Table(table) => Ok(Self {
                source: self.source,
                start,
                table,
                known: Vec::new(),
            }),
            _ => Err(self.wrong_type(start, key, "a table")),
        }
    }

    /// Refuses the first key, in the order of the text, that nobody has taken.
    pub(super) fn finish(self) -> Result<(), Mistake> {
        match self
            .table
            .entries
            .iter()
            .map(|(key, _)| key)
            .min_by_key(|key| key.span.start)
        {
            Some(key) => {
                let problem = DefinitionProblem::UnknownKey {
                    key: key.name.to_string(),
                    known: self.known.join(", "),
                };
                Err(self.source.error(key.span.start, problem))
            }
            None => Ok(()),
        }
    }
}
