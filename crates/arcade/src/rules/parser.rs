//! Parses statements: assignments, functions and the operations of mode selection.

mod expression;

use super::error::{Located, RuleProblem, located};
use super::lexer::{Token, TokenKind, tokens};
use super::syntax::{Ast, AstKind, Function, Statement, StatementKind};

/// Keywords, which cannot name variables.
const RESERVED: [&str; 28] = [
    "abs", "act", "all", "and", "any", "bcd", "cart_bcd", "cart_ram", "count", "draw", "else", "false", "for", "if",
    "in", "max", "min", "mode", "not", "or", "ram", "range", "reset", "select", "signed", "sum", "true", "until",
];

/// Which statements a text may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// Assignments and functions.
    Rules,
    /// Assignments, functions and the operations of mode selection.
    ModeSelection,
}

/// The statements of a text.
pub(super) fn statements(text: &str, dialect: Dialect) -> Result<Vec<Statement<'_>>, Located> {
    let mut parser = Parser::new(text, dialect)?;
    let statements = parser.block(TokenKind::End)?;
    Ok(statements)
}

/// A text that is one expression.
pub(super) fn expression(text: &str) -> Result<Ast<'_>, Located> {
    let mut parser = Parser::new(text, Dialect::Rules)?;
    parser.skip_breaks();
    let expression = parser.expression()?;
    parser.skip_breaks();
    parser.expect_kind(TokenKind::End, "the end of the text")?;
    Ok(expression)
}

/// The deepest nesting of brackets, operators and blocks.
const DEPTH_LIMIT: usize = 64;

/// The maximum number of nodes in the expressions of one text.
const SIZE_LIMIT: usize = 2000;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    position: usize,
    dialect: Dialect,
    depth: usize,
    size: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, dialect: Dialect) -> Result<Self, Located> {
        Ok(Self {
            tokens: tokens(text)?,
            position: 0,
            dialect,
            depth: 0,
            size: 0,
        })
    }

    /// The next token. At the end of the text it is always [`TokenKind::End`].
    fn peek(&self) -> Token<'a> {
        self.tokens[self.position.min(self.tokens.len() - 1)]
    }

    fn take_symbol(&mut self, symbol: &'static str) -> bool {
        let found = self.peek().kind == TokenKind::Symbol(symbol);
        self.position += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().kind == TokenKind::Word(word);
        self.position += usize::from(found);
        found
    }

    fn unexpected<T>(&self, expected: &'static str) -> Result<T, Located> {
        let token = self.peek();
        Err(located(
            token.offset,
            RuleProblem::Unexpected {
                expected,
                found: token.kind.describe(),
            },
        ))
    }

    fn expect_kind(&mut self, kind: TokenKind<'a>, expected: &'static str) -> Result<(), Located> {
        if self.peek().kind != kind {
            return self.unexpected(expected);
        }
        self.position += 1;
        Ok(())
    }

    fn expect_symbol(&mut self, symbol: &'static str) -> Result<(), Located> {
        self.expect_kind(TokenKind::Symbol(symbol), symbol)
    }

    /// A name that is not a keyword.
    fn new_name(&mut self, expected: &'static str) -> Result<&'a str, Located> {
        let token = self.peek();
        match token.kind {
            TokenKind::Word(word) if RESERVED.contains(&word) => {
                Err(located(token.offset, RuleProblem::ReservedName(word.to_owned())))
            }
            TokenKind::Word(word) => {
                self.position += 1;
                Ok(word)
            }
            _ => self.unexpected(expected),
        }
    }

    fn skip_breaks(&mut self) {
        while self.peek().kind == TokenKind::Break {
            self.position += 1;
        }
    }

    /// Statements up to and including `end`.
    fn block(&mut self, end: TokenKind<'a>) -> Result<Vec<Statement<'a>>, Located> {
        let mut statements = Vec::new();
        loop {
            self.skip_breaks();
            if self.peek().kind == end {
                self.position += 1;
                return Ok(statements);
            }
            statements.push(self.statement()?);
            if self.peek().kind != end && self.peek().kind != TokenKind::Break {
                return self.unexpected("the end of the line");
            }
        }
    }

    fn braced_block(&mut self) -> Result<Vec<Statement<'a>>, Located> {
        self.expect_symbol("{")?;
        self.deeper(|parser| parser.block(TokenKind::Symbol("}")))
    }

    /// Parses a recursive form, within [`DEPTH_LIMIT`].
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Located>) -> Result<T, Located> {
        if self.depth == DEPTH_LIMIT {
            return Err(located(
                self.peek().offset,
                RuleProblem::TooMany {
                    what: "levels of nesting",
                    limit: DEPTH_LIMIT,
                },
            ));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn statement(&mut self) -> Result<Statement<'a>, Located> {
        let offset = self.peek().offset;
        let operation = match self.peek().kind {
            TokenKind::Word(word) if self.dialect == Dialect::ModeSelection => self.operation(word)?,
            _ => None,
        };
        let kind = match operation {
            Some(kind) => kind,
            None => self.definition()?,
        };
        Ok(Statement { offset, kind })
    }

    /// An operation of mode selection, if `word` starts one.
    fn operation(&mut self, word: &'a str) -> Result<Option<StatementKind<'a>>, Located> {
        if !["act", "draw", "if", "reset", "select", "until"].contains(&word) {
            return Ok(None);
        }
        self.position += 1;
        let kind = match word {
            "select" => StatementKind::Select {
                frames: self.optional_count()?,
            },
            "reset" => StatementKind::Reset,
            "act" => {
                let token = self.peek();
                let TokenKind::Word(action) = token.kind else {
                    return self.unexpected("an action");
                };
                self.position += 1;
                StatementKind::Act {
                    action: (token.offset, action),
                    times: self.optional_count()?,
                }
            }
            "draw" => StatementKind::Draw {
                name: self.new_name("a variable")?,
                below: self.expression()?,
            },
            "until" => StatementKind::Until {
                condition: self.expression()?,
                body: self.braced_block()?,
            },
            _ => {
                let condition = self.expression()?;
                let then = self.braced_block()?;
                let otherwise = if self.take_word("else") {
                    self.braced_block()?
                } else {
                    Vec::new()
                };
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
        };
        Ok(Some(kind))
    }

    /// A number of frames or repetitions; 1 by default.
    fn optional_count(&mut self) -> Result<Ast<'a>, Located> {
        let Token { offset, kind } = self.peek();
        match kind {
            TokenKind::Break | TokenKind::End | TokenKind::Symbol("}") => Ok(Ast {
                offset,
                kind: AstKind::Number(1),
            }),
            _ => self.expression(),
        }
    }

    /// An assignment or a function.
    fn definition(&mut self) -> Result<StatementKind<'a>, Located> {
        let name = self.new_name("a statement")?;
        if self.take_symbol("(") {
            let mut parameters = Vec::new();
            while !self.take_symbol(")") {
                parameters.push(self.new_name("a parameter")?);
                if self.peek().kind != TokenKind::Symbol(")") {
                    self.expect_symbol(",")?;
                }
            }
            self.expect_symbol("=")?;
            let body = self.expression()?;
            return Ok(StatementKind::Define {
                name,
                function: Function { parameters, body },
            });
        }
        self.expect_symbol("=")?;
        Ok(StatementKind::Assign {
            name,
            value: self.expression()?,
        })
    }
}
