//! TOML, with the place of everything, as far as definitions go: floats and dates are told from other values and not read.
//!
//! It is our own because in WebAssembly it is a fifth of the crate toml, and smaller than any other that tells places. Its tests hold it
//! against that crate.

mod scalar;
#[cfg(test)]
mod tests;

use scalar::Place;
use std::borrow::Cow;
use std::ops::Range;

/// How deep arrays and inline tables may be nested, which keeps the stack from overflowing.
const MAX_DEPTH: usize = 80;

/// What is wrong with a text, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mistake {
    pub(super) at: usize,
    pub(super) message: Cow<'static, str>,
}

/// The outcome of reading.
type Read<T> = Result<T, Mistake>;

fn mistake<T>(at: usize, message: impl Into<Cow<'static, str>>) -> Read<T> {
    let message = message.into();
    Err(Mistake { at, message })
}

/// A name in front of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Key<'t> {
    pub(super) name: Cow<'t, str>,
    pub(super) span: Range<usize>,
}

/// A value and the bytes that say it; of a table that has no braces, those of its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node<'t> {
    pub(super) span: Range<usize>,
    pub(super) value: Value<'t>,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value<'t> {
    String(Cow<'t, str>),
    Integer(Integer<'t>),
    Float,
    Datetime,
    Boolean(bool),
    Array(Vec<Node<'t>>),
    /// An array that `[[headers]]` make.
    Tables(Vec<Node<'t>>),
    Table(Table<'t>),
}

/// A whole number of any size, as it was written but for underscores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Integer<'t> {
    /// With its sign and prefix.
    pub(super) text: Cow<'t, str>,
    pub(super) radix: u32,
}

impl Integer<'_> {
    /// The number, if it fits.
    pub(super) fn value(&self) -> Option<u32> {
        let prefix = if self.radix == 10 { 0 } else { 2 };
        u32::from_str_radix(self.text.get(prefix..)?, self.radix).ok()
    }
}

/// How a table came to be, which decides who may add to it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Origin {
    /// By a header of its own, as the whole text too.
    #[default]
    Header,
    /// By the header of a table inside of it.
    Implied,
    /// By a dotted key.
    Dotted,
    /// In braces.
    Inline,
}

/// Keys and values in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Table<'t> {
    pub(super) entries: Vec<(Key<'t>, Node<'t>)>,
    origin: Origin,
}

impl<'t> Table<'t> {
    fn new(origin: Origin) -> Self {
        Self {
            entries: Vec::new(),
            origin,
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|(key, _)| key.name == name)
    }

    /// Takes a value out.
    pub(super) fn take(&mut self, name: &str) -> Option<Node<'t>> {
        self.position(name).map(|index| self.entries.remove(index).1)
    }

    fn insert(&mut self, key: Key<'t>, node: Node<'t>) -> Read<()> {
        if self.position(&key.name).is_some() {
            return mistake(key.span.start, "duplicate key");
        }
        self.entries.push((key, node));
        Ok(())
    }

    /// The table at the end of a path, made where it is not there yet.
    fn descend(&mut self, path: Vec<Key<'t>>, origin: Origin) -> Read<&mut Self> {
        let mut table = self;
        for key in path {
            let at = key.span.start;
            let index = table.position(&key.name).unwrap_or_else(|| {
                let node = Node {
                    span: key.span.clone(),
                    value: Value::Table(Self::new(origin)),
                };
                table.entries.push((key, node));
                table.entries.len() - 1
            });
            table = match &mut table.entries[index].1.value {
                Value::Tables(tables) => match tables.last_mut().map(|node| &mut node.value) {
                    Some(Value::Table(last)) => last,
                    _ => return not_a_table(at, "array"),
                },
                Value::Table(inner) if inner.origin == Origin::Inline => return not_a_table(at, "inline table"),
                Value::Table(inner) if origin == Origin::Dotted && inner.origin == Origin::Header => {
                    return mistake(at, "duplicate key");
                }
                Value::Table(inner) => inner,
                Value::String(_) => return not_a_table(at, "string"),
                Value::Integer(_) => return not_a_table(at, "integer"),
                Value::Float => return not_a_table(at, "float"),
                Value::Datetime => return not_a_table(at, "datetime"),
                Value::Boolean(_) => return not_a_table(at, "boolean"),
                Value::Array(_) => return not_a_table(at, "array"),
            };
        }
        Ok(table)
    }

    /// Gives a dotted key a value.
    fn define(&mut self, mut path: Vec<Key<'t>>, node: Node<'t>) -> Read<()> {
        let Some(key) = path.pop() else { return Ok(()) };
        let dotted = !path.is_empty();
        let table = self.descend(path, Origin::Dotted)?;
        if dotted && table.origin != Origin::Dotted {
            return mistake(key.span.start, "duplicate key");
        }
        table.insert(key, node)
    }

    /// The table of a `[header]`.
    fn open(&mut self, mut path: Vec<Key<'t>>, span: Range<usize>) -> Read<&mut Self> {
        let Some(key) = path.pop() else { return Ok(self) };
        let parent = self.descend(path, Origin::Implied)?;
        // What another header implied is there as of now.
        let known = match parent.take(&key.name).map(|node| node.value) {
            None => Self::default(),
            Some(Value::Table(table)) if table.origin == Origin::Implied => table,
            Some(_) => return mistake(key.span.start, "duplicate key"),
        };
        let table = Self {
            origin: Origin::Header,
            ..known
        };
        let value = Value::Table(table);
        parent.entries.push((key, Node { span, value }));
        parent.last()
    }

    /// One more table of a `[[header]]`.
    fn append(&mut self, mut path: Vec<Key<'t>>, span: Range<usize>) -> Read<&mut Self> {
        let Some(key) = path.pop() else { return Ok(self) };
        let parent = self.descend(path, Origin::Implied)?;
        let (key, mut tables) = match parent.position(&key.name).map(|index| parent.entries.remove(index)) {
            None => (key, Vec::new()),
            Some((
                key,
                Node {
                    value: Value::Tables(tables),
                    ..
                },
            )) => (key, tables),
            Some(_) => return mistake(key.span.start, "duplicate key"),
        };
        let first = tables.first().map_or(&span, |node: &Node<'t>| &node.span).clone();
        let value = Value::Table(Self::default());
        tables.push(Node { span, value });
        let value = Value::Tables(tables);
        parent.entries.push((key, Node { span: first, value }));
        parent.last()
    }

    /// The table that was put in last, itself or as the last one of an array.
    fn last(&mut self) -> Read<&mut Self> {
        let Some((key, node)) = self.entries.last_mut() else {
            return mistake(0, "no table");
        };
        match &mut node.value {
            Value::Table(table) => Ok(table),
            Value::Tables(tables) => match tables.last_mut() {
                Some(Node {
                    value: Value::Table(table),
                    ..
                }) => Ok(table),
                _ => mistake(key.span.start, "no table"),
            },
            _ => mistake(key.span.start, "no table"),
        }
    }
}

fn not_a_table<T>(at: usize, kind: &str) -> Read<T> {
    mistake(at, format!("cannot extend value of type {kind} with a dotted key"))
}

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Read<Table<'_>> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let mut root = Table::default();
    parser.skip("\u{feff}");
    let mut table = &mut root;
    loop {
        parser.blank_lines()?;
        match parser.peek() {
            None => return Ok(root),
            Some(b'[') => {
                let start = parser.at;
                let (array, path) = parser.header()?;
                let span = start..parser.at;
                table = if array {
                    root.append(path, span)?
                } else {
                    root.open(path, span)?
                };
            }
            Some(b']') => return mistake(parser.at, "missing table open, expected `[`"),
            Some(b'}' | b'{' | b',') => return mistake(parser.at, "invalid key-value pair, expected key"),
            Some(_) => {
                let (path, node) = parser.assignment(Place::Line)?;
                table.define(path, node)?;
            }
        }
        parser.line_end()?;
    }
}

/// A text that has been read up to a byte.
struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// What has not been read.
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `word` if it comes next.
    fn skip(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Reads as long as `of` holds.
    fn run(&mut self, of: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| !of(byte)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn spaces(&mut self) {
        self.run(|byte| matches!(byte, b' ' | b'\t'));
    }

    /// Reads the end of a line, if it comes next.
    fn newline(&mut self) -> Read<bool> {
        if self.skip("\r") && self.peek() != Some(b'\n') {
            return mistake(self.at, "carriage return must be followed by newline, expected newline");
        }
        Ok(self.skip("\n"))
    }

    fn comment(&mut self) -> Read<()> {
        if self.skip("#") {
            self.run(|byte| byte == b'\t' || byte >= b' ' && byte != 0x7F);
            if !matches!(self.peek(), None | Some(b'\n' | b'\r')) {
                return mistake(self.at, "invalid comment character, expected printable characters");
            }
        }
        Ok(())
    }

    /// Reads what is no more than space and comments.
    fn blank_lines(&mut self) -> Read<()> {
        loop {
            self.spaces();
            self.comment()?;
            if !self.newline()? {
                return Ok(());
            }
        }
    }

    /// Reads the rest of a line, which has to be empty.
    fn line_end(&mut self) -> Read<()> {
        self.spaces();
        self.comment()?;
        if self.peek().is_none() || self.newline()? {
            return Ok(());
        }
        mistake(self.at, "unexpected key or value, expected newline, `#`")
    }

    /// `[path]` or `[[path]]`, and whether it is the latter.
    fn header(&mut self) -> Read<(bool, Vec<Key<'t>>)> {
        let array = self.skip("[[");
        if !array {
            self.skip("[");
        }
        let path = self.path()?;
        let end = path.last().map_or(self.at, |key| key.span.end);
        let unclosed = match (self.skip("]"), array) {
            (true, true) if !self.skip("]") => Some((self.at, "unclosed array table, expected `]`")),
            (true, _) => None,
            (false, true) => Some((end, "unclosed array table, expected `]]`")),
            (false, false) => Some((end, "unclosed table, expected `]`")),
        };
        if let Some((at, message)) = unclosed {
            return mistake(at, message);
        }
        check(&path, self.text)?;
        Ok((array, path))
    }

    /// Keys with dots between them, and the space behind them.
    fn path(&mut self) -> Read<Vec<Key<'t>>> {
        let mut path = Vec::new();
        loop {
            self.spaces();
            let start = self.at;
            let name = match self.peek() {
                Some(b'"' | b'\'') => self.key_string()?,
                _ => self.run(|byte| !b".=,[]{}#\"' \t\r\n".contains(&byte)).into(),
            };
            let span = start..self.at;
            if span.is_empty() {
                return mistake(
                    start,
                    "unquoted keys cannot be empty, expected letters, numbers, `-`, `_`",
                );
            }
            path.push(Key { name, span });
            self.spaces();
            if !self.skip(".") {
                return Ok(path);
            }
        }
    }

    /// `path = value`
    fn assignment(&mut self, place: Place) -> Read<(Vec<Key<'t>>, Node<'t>)> {
        let path = self.path()?;
        self.space_in(place)?;
        if !self.skip("=") {
            return mistake(self.at, "key with no value, expected `=`");
        }
        check(&path, self.text)?;
        self.spaces();
        self.space_in(place)?;
        Ok((path, self.value(place)?))
    }

    /// Space, which between braces may have lines.
    fn space_in(&mut self, place: Place) -> Read<()> {
        if place == Place::InlineTable {
            self.blank_lines()?;
        }
        Ok(())
    }

    fn value(&mut self, place: Place) -> Read<Node<'t>> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return mistake(start, "nested too deeply");
        }
        let value = match self.peek() {
            Some(b'"' | b'\'') => Value::String(self.string()?),
            Some(b'[') => Value::Array(self.array()?),
            Some(b'{') => Value::Table(self.inline_table()?),
            Some(b'=') => return mistake(start, "extra `=`, expected nothing"),
            _ => self.scalar(place)?,
        };
        self.depth -= 1;
        Ok(Node {
            span: start..self.at,
            value,
        })
    }

    fn array(&mut self) -> Read<Vec<Node<'t>>> {
        let mut nodes = Vec::new();
        self.skip("[");
        loop {
            self.blank_lines()?;
            if self.skip("]") {
                return Ok(nodes);
            }
            match self.peek() {
                None => return mistake(self.at, "unclosed array, expected `]`"),
                Some(b',') => return mistake(self.at, "extra comma in array, expected value"),
                Some(b'=') => return mistake(self.at, "unexpected `=` in array, expected value, `]`"),
                Some(b'}') => return mistake(self.at, "missing inline table opening, expected `{`"),
                Some(_) => nodes.push(self.value(Place::Array)?),
            }
            self.blank_lines()?;
            if !self.skip(",") && !matches!(self.peek(), None | Some(b']')) {
                return mistake(self.at, "missing comma between array elements, expected `,`");
            }
        }
    }

    fn inline_table(&mut self) -> Read<Table<'t>> {
        let mut table = Table::default();
        self.skip("{");
        loop {
            self.blank_lines()?;
            if self.skip("}") {
                break;
            }
            match self.peek() {
                None => return mistake(self.at, "unclosed inline table, expected `}`"),
                Some(b',') => return mistake(self.at, "extra comma in inline table, expected key"),
                Some(b'[' | b']' | b'{') => return mistake(self.at, "invalid inline table element, expected key"),
                Some(_) => {
                    let (path, node) = self.assignment(Place::InlineTable)?;
                    table.define(path, node)?;
                }
            }
            self.blank_lines()?;
            if !self.skip(",") && !matches!(self.peek(), None | Some(b'}')) {
                return mistake(self.at, "missing comma between key-value pairs, expected `,`");
            }
        }
        table.origin = Origin::Inline;
        Ok(table)
    }
}

/// Refuses keys without quotes that need them.
fn check(path: &[Key<'_>], text: &str) -> Read<()> {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte == b'"' || byte == b'\'';
    for Key { span, .. } in path {
        let written = text.get(span.clone()).unwrap_or_default();
        if !written.starts_with(['"', '\'']) && !written.bytes().all(plain) {
            let message = "invalid unquoted key, expected letters, numbers, `-`, `_`";
            return mistake(span.start, message);
        }
    }
    Ok(())
}
