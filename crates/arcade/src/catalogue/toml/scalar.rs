//! Strings, numbers and words.

use super::{Integer, Parser, Read, Value, mistake};
use std::borrow::Cow;

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Line,
    Array,
    InlineTable,
}

/// What is wrong with what is no value at all.
const UNQUOTED: &str = "string values must be quoted, expected literal string";

/// A kind of string.
struct Quotes {
    /// At its start and its end.
    marks: &'static str,
    /// What is wrong with one that does not end.
    unclosed: &'static str,
    /// What is wrong with one that has a control character.
    unprintable: &'static str,
}

/// The longer quotes first.
const QUOTES: [Quotes; 4] = [
    Quotes {
        marks: "\"\"\"",
        unclosed: "invalid multi-line basic string, expected `\"`",
        unprintable: "invalid multi-line basic string, expected `\\`, characters",
    },
    Quotes {
        marks: "'''",
        unclosed: "invalid multi-line literal string, expected `'`",
        unprintable: "invalid multi-line literal string, expected non-single-quote characters",
    },
    Quotes {
        marks: "\"",
        unclosed: "invalid basic string, expected `\"`",
        unprintable: "invalid basic string, expected non-double-quote visible characters, `\\`",
    },
    Quotes {
        marks: "'",
        unclosed: "invalid literal string, expected `'`",
        unprintable: "invalid literal string, expected non-single-quote visible characters",
    },
];

impl<'t> Parser<'t> {
    /// A key in quotes.
    pub(super) fn key_string(&mut self) -> Read<Cow<'t, str>> {
        let rest = self.rest();
        if rest.starts_with("\"\"\"") {
            let message = "keys cannot be multi-line basic strings, expected basic string, literal string";
            return mistake(self.at, message);
        }
        if rest.starts_with("'''") {
            let message = "keys cannot be multi-line literal strings, expected basic string, literal string";
            return mistake(self.at, message);
        }
        self.string()
    }

    /// A string, which comes next.
    pub(super) fn string(&mut self) -> Read<Cow<'t, str>> {
        let [.., last] = &QUOTES;
        let kind = QUOTES.iter().find(|kind| self.skip(kind.marks)).unwrap_or(last);
        let lines = kind.marks.len() == 3;
        let escapes = kind.marks.starts_with('"');
        if lines {
            self.newline()?;
        }
        let mut start = self.at;
        // What was read up to `start`, where that is not what stands in the text.
        let mut read = String::new();
        let quote = kind.marks.as_bytes()[0];
        loop {
            self.run(|byte| {
                byte != quote && (byte != b'\\' || !escapes) && matches!(byte, b'\t' | b' '..=b'\x7E' | b'\x80'..)
            });
            match self.peek() {
                Some(b'\\') if escapes => {
                    read.push_str(self.since(start));
                    self.at += 1;
                    self.escape(lines, &mut read)?;
                    start = self.at;
                }
                Some(b'\n') if lines => self.at += 1,
                Some(b'\r') if lines => _ = self.newline()?,
                None | Some(b'\n' | b'\r') => return mistake(self.at, kind.unclosed),
                Some(byte) if byte != quote => return mistake(self.at, kind.unprintable),
                Some(_) if self.rest().starts_with(kind.marks) => break,
                Some(_) => self.at += 1,
            }
        }
        if lines {
            // Up to two quotes may stand right before the closing three.
            let more = self.rest().bytes().skip(3).take_while(|&byte| byte == quote).count();
            self.at += more.min(2);
        }
        let tail = self.since(start);
        self.at += kind.marks.len();
        if read.is_empty() {
            return Ok(tail.into());
        }
        read.push_str(tail);
        Ok(read.into())
    }

    /// The text from `start` to here.
    fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// What follows a backslash.
    fn escape(&mut self, lines: bool, read: &mut String) -> Read<()> {
        let at = self.at;
        let byte = self.peek();
        self.at += 1;
        read.push(match byte {
            Some(b'b') => '\u{8}',
            Some(b'e') => '\u{1B}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'\\' | b'"')) => char::from(byte),
            Some(b'x') => self.code(2)?,
            Some(b'u') => self.code(4)?,
            Some(b'U') => self.code(8)?,
            _ => {
                self.at = at;
                return self.continued_line(lines);
            }
        });
        Ok(())
    }

    /// A character by the digits of its code.
    fn code(&mut self, digits: usize) -> Read<char> {
        let start = self.at;
        let rest = self.rest().bytes().take(digits);
        self.at += rest.take_while(u8::is_ascii_hexdigit).count();
        if self.at < start + digits {
            let message = "too few unicode value digits, expected unicode hexadecimal value";
            return mistake(self.at, message);
        }
        let code = u32::from_str_radix(self.since(start), 16).ok();
        match code.and_then(char::from_u32) {
            Some(character) => Ok(character),
            None => mistake(start, "invalid value, expected unicode hexadecimal value"),
        }
    }

    /// The end of a line behind a backslash, the lines after it that are empty and the space at the start of the next one: they are not
    /// there.
    fn continued_line(&mut self, lines: bool) -> Read<()> {
        let at = self.at;
        self.spaces();
        if !(lines && self.newline()?) {
            let message = "missing escaped value, expected `b`, `e`, `f`, `n`, `r`, `\\`, `\"`, `x`, `u`, `U`";
            return mistake(at, message);
        }
        loop {
            self.spaces();
            if !self.newline()? {
                return Ok(());
            }
        }
    }

    /// A value without quotes and brackets.
    pub(super) fn scalar(&mut self, place: Place) -> Read<Value<'t>> {
        let start = self.at;
        let text = self.run(|byte| !b",[]{}#=\"'\r\n".contains(&byte));
        let text = text.trim_end_matches([' ', '\t']);
        self.at = start + text.len();
        if self.rest().trim_start_matches([' ', '\t']).starts_with('=') {
            self.spaces();
            let message = match place {
                Place::Line => "unexpected key or value, expected newline, `#`",
                Place::Array => "missing comma between array elements, expected `,`",
                Place::InlineTable => "extra assignment between key-value pairs, expected `,`",
            };
            return mistake(self.at, message);
        }
        match self.peek() {
            Some(b'"') => return mistake(start, "missing opening quote, expected `\"`"),
            Some(b'\'') => return mistake(start, "missing opening quote, expected `'`"),
            _ => {}
        }
        let unsigned = text.trim_start_matches(['+', '-']);
        let first = unsigned.bytes().next().unwrap_or_default();
        let number = first.is_ascii_digit() || first == b'_';
        if number || first == b'.' {
            return number_or_date(start, text, unsigned);
        }
        let (word, value, invalid) = match first.to_ascii_lowercase() {
            b't' if text == unsigned => ("true", Value::Boolean(true), "invalid boolean, expected `true`"),
            b'f' if text == unsigned => ("false", Value::Boolean(false), "invalid boolean, expected `false`"),
            b'i' => ("inf", Value::Float, "invalid float, expected `inf`"),
            b'n' => ("nan", Value::Float, "invalid float, expected `nan`"),
            _ => ("", Value::Float, ""),
        };
        if unsigned == word && !word.is_empty() {
            Ok(value)
        } else if word.is_empty() || text.contains(' ') {
            mistake(start, UNQUOTED)
        } else {
            mistake(start, invalid)
        }
    }
}

/// A scalar that starts with a digit, an underscore or a dot; `unsigned` is that without its signs.
fn number_or_date<'t>(start: usize, text: &'t str, unsigned: &'t str) -> Read<Value<'t>> {
    let signs = text.len() - unsigned.len();
    let at = |place: usize| start + signs + place;
    if signs > 1 {
        return mistake(start + 1, "redundant numeric sign, expected nothing");
    }
    let (radix, invalid): (u32, _) = match unsigned.get(..2) {
        Some("0x" | "0X") => (16, "invalid hexadecimal number"),
        Some("0o" | "0O") => (8, "invalid octal number"),
        Some("0b" | "0B") => (2, "invalid binary number"),
        _ => (10, ""),
    };
    let prefix = if radix == 10 { 0 } else { 2 };
    let digits = unsigned.get(prefix..).unwrap_or_default();
    let digit =
        |byte: u8| u32::from(byte.wrapping_sub(b'0')) < radix.min(10) || radix == 16 && byte.is_ascii_hexdigit();
    let whole = digits.bytes().all(|byte| digit(byte) || byte == b'_');
    if radix == 10 && !whole {
        // Neither is ever taken, so neither is looked at more closely.
        let dated = digits.bytes().filter(u8::is_ascii_digit).count() > 2
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b"-:.+TtZz ".contains(&byte));
        let float = |byte: u8| byte.is_ascii_digit() || b"_.eE+-".contains(&byte);
        if dated && digits.contains(['-', ':']) {
            return Ok(Value::Datetime);
        }
        if digits.bytes().all(float) {
            return Ok(Value::Float);
        }
        return mistake(start, UNQUOTED);
    }
    if radix != 10 {
        if signs > 0 {
            return mistake(start, "integers with a radix cannot be signed, expected nothing");
        }
        if unsigned.as_bytes()[1].is_ascii_uppercase() {
            let message = match radix {
                16 => "radix must be lowercase, expected `0x`",
                8 => "radix must be lowercase, expected `0o`",
                _ => "radix must be lowercase, expected `0b`",
            };
            return mistake(start, message);
        }
    } else if digits.len() > 1 && digits.starts_with('0') {
        return mistake(at(0), "unexpected leading zero, expected nothing");
    }
    let bytes = digits.as_bytes();
    for (index, &byte) in bytes.iter().enumerate() {
        let neighbours = [index.checked_sub(1), Some(index + 1)];
        let between = neighbours.iter().all(|&place| {
            place
                .and_then(|place| bytes.get(place))
                .is_some_and(|&byte| byte != b'_')
        });
        if byte == b'_' && !between {
            return mistake(at(prefix + index), "`_` may only go between digits, expected nothing");
        }
        if byte != b'_' && !digit(byte) {
            return mistake(at(prefix + index), invalid);
        }
    }
    let text = if text.contains('_') {
        text.replace('_', "").into()
    } else {
        text.into()
    };
    Ok(Value::Integer(Integer { text, radix }))
}
