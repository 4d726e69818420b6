//! Splits the text of rules into tokens.

use super::error::{Located, RuleProblem, located};

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'a> {
    /// A number, decimal or hexadecimal.
    Number(i64),
    /// A name or a keyword.
    Word(&'a str),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of a statement: a new line outside brackets, or a semicolon.
    Break,
    /// The end of the text.
    End,
}

/// A token and the byte at which it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) offset: usize,
    pub(super) kind: TokenKind<'a>,
}

impl TokenKind<'_> {
    /// The token in an error message.
    pub(super) fn describe(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Word(word) => format!("{word:?}"),
            Self::Symbol(symbol) => format!("`{symbol}`"),
            Self::Break => "the end of the line".to_owned(),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

/// Longer symbols first, so that the first match is the right one.
const SYMBOLS: [&str; 26] = [
    "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+", "-", "*", "%", "&", "|", "^", "~", "<", ">", "=", "(", ")",
    "[", "]", "{", "}", ",",
];

/// The tokens of `text`, the last of which is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Located> {
    let mut tokens = Vec::new();
    let mut open_brackets = 0usize;
    let mut offset = 0;
    while let Some(next) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let length = match next {
            '\n' | ';' => {
                if open_brackets == 0 {
                    tokens.push(Token {
                        offset,
                        kind: TokenKind::Break,
                    });
                }
                1
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if next.is_ascii_whitespace() => 1,
            _ if next.is_ascii_digit() => {
                let word = word_at(rest);
                let kind = TokenKind::Number(
                    number(word).ok_or_else(|| located(offset, RuleProblem::BadNumber(word.to_owned())))?,
                );
                tokens.push(Token { offset, kind });
                word.len()
            }
            _ if next.is_ascii_alphabetic() || next == '_' => {
                let word = word_at(rest);
                tokens.push(Token {
                    offset,
                    kind: TokenKind::Word(word),
                });
                word.len()
            }
            _ => {
                let symbol = SYMBOLS
                    .into_iter()
                    .find(|symbol| rest.starts_with(symbol))
                    .ok_or_else(|| located(offset, RuleProblem::UnexpectedCharacter(next)))?;
                match symbol {
                    "(" | "[" => open_brackets += 1,
                    ")" | "]" => open_brackets = open_brackets.saturating_sub(1),
                    _ => {}
                }
                tokens.push(Token {
                    offset,
                    kind: TokenKind::Symbol(symbol),
                });
                symbol.len()
            }
        };
        offset += length;
    }
    tokens.push(Token {
        offset,
        kind: TokenKind::End,
    });
    Ok(tokens)
}

/// The letters, digits and underscores that `text` starts with.
fn word_at(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

fn number(word: &str) -> Option<i64> {
    match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}
