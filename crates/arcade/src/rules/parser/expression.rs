//! Parses expressions, with Python's operator precedence.

use super::{Parser, RESERVED, SIZE_LIMIT};
use crate::rules::error::{Located, RuleProblem, located};
use crate::rules::expression::{Binary, Unary};
use crate::rules::lexer::TokenKind;
use crate::rules::syntax::{Ast, AstKind, LoopKind, MemoryKind, Range};

/// Binary operators from the loosest to the tightest level, without comparisons and `**`.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("|", Binary::Or)],
    &[("^", Binary::ExclusiveOr)],
    &[("&", Binary::And)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("//", Binary::Divide), ("%", Binary::Modulo)],
];

const COMPARISONS: [(&str, Binary); 6] = [
    ("==", Binary::Equal),
    ("!=", Binary::NotEqual),
    ("<=", Binary::LessOrEqual),
    (">=", Binary::GreaterOrEqual),
    ("<", Binary::Less),
    (">", Binary::Greater),
];

const LOOPS: [(&str, LoopKind); 4] = [
    ("sum", LoopKind::Sum),
    ("count", LoopKind::Count),
    ("all", LoopKind::All),
    ("any", LoopKind::Any),
];

impl<'a> Parser<'a> {
    /// `then if condition else otherwise`, or an expression that binds tighter.
    pub(super) fn expression(&mut self) -> Result<Ast<'a>, Located> {
        self.deeper(|parser| {
            let then = parser.disjunction()?;
            if !parser.take_word("if") {
                return Ok(then);
            }
            let condition = Box::new(parser.disjunction()?);
            if !parser.take_word("else") {
                return parser.unexpected("else");
            }
            let otherwise = Box::new(parser.expression()?);
            parser.node(
                then.offset,
                AstKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise,
                },
            )
        })
    }

    fn node(&mut self, offset: usize, kind: AstKind<'a>) -> Result<Ast<'a>, Located> {
        self.size += 1;
        if self.size > SIZE_LIMIT {
            return Err(located(
                offset,
                RuleProblem::TooMany {
                    what: "operations in one text",
                    limit: SIZE_LIMIT,
                },
            ));
        }
        Ok(Ast { offset, kind })
    }

    fn disjunction(&mut self) -> Result<Ast<'a>, Located> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            let right = self.conjunction()?;
            left = self.node(left.offset, AstKind::Either(Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Ast<'a>, Located> {
        let mut left = self.negation()?;
        while self.take_word("and") {
            let right = self.negation()?;
            left = self.node(left.offset, AstKind::Both(Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Ast<'a>, Located> {
        let offset = self.peek().offset;
        if !self.take_word("not") {
            return self.comparison();
        }
        let operand = self.deeper(Self::negation)?;
        self.node(offset, AstKind::Unary(Unary::Not, Box::new(operand)))
    }

    fn comparison(&mut self) -> Result<Ast<'a>, Located> {
        let left = self.binary(0)?;
        let offset = left.offset;
        let result = if let Some(operation) = self.take_operator(&COMPARISONS) {
            let right = self.binary(0)?;
            self.node(offset, AstKind::Binary(operation, Box::new(left), Box::new(right)))?
        } else if self.take_word("in") {
            let list = self.list("(", ")")?;
            self.node(
                offset,
                AstKind::In {
                    item: Box::new(left),
                    list,
                },
            )?
        } else if self.take_word("not") {
            if !self.take_word("in") {
                return self.unexpected("in");
            }
            let list = self.list("(", ")")?;
            let found = self.node(
                offset,
                AstKind::In {
                    item: Box::new(left),
                    list,
                },
            )?;
            self.node(offset, AstKind::Unary(Unary::Not, Box::new(found)))?
        } else {
            return Ok(left);
        };
        let next = self.peek();
        let chains = match next.kind {
            TokenKind::Symbol(symbol) => COMPARISONS.iter().any(|(name, _)| *name == symbol),
            kind => kind == TokenKind::Word("in") || kind == TokenKind::Word("not"),
        };
        if chains {
            Err(located(next.offset, RuleProblem::ChainedComparison))
        } else {
            Ok(result)
        }
    }

    fn take_operator(&mut self, operators: &[(&str, Binary)]) -> Option<Binary> {
        let TokenKind::Symbol(symbol) = self.peek().kind else {
            return None;
        };
        let &(_, operation) = operators.iter().find(|(name, _)| *name == symbol)?;
        self.position += 1;
        Some(operation)
    }

    /// Operators of [`LEVELS`] from `level` on.
    fn binary(&mut self, level: usize) -> Result<Ast<'a>, Located> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(operation) = self.take_operator(operators) {
            let right = self.binary(level + 1)?;
            left = self.node(left.offset, AstKind::Binary(operation, Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Ast<'a>, Located> {
        let offset = self.peek().offset;
        let operation = if self.take_symbol("-") {
            Unary::Negate
        } else if self.take_symbol("~") {
            Unary::Invert
        } else {
            return self.power();
        };
        let operand = self.deeper(Self::unary)?;
        self.node(offset, AstKind::Unary(operation, Box::new(operand)))
    }

    fn power(&mut self) -> Result<Ast<'a>, Located> {
        let base = self.atom()?;
        if !self.take_symbol("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        self.node(
            base.offset,
            AstKind::Binary(Binary::Power, Box::new(base), Box::new(exponent)),
        )
    }

    fn atom(&mut self) -> Result<Ast<'a>, Located> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Number(number) => {
                self.position += 1;
                AstKind::Number(number)
            }
            TokenKind::Symbol("(") => {
                self.position += 1;
                let inner = self.expression()?;
                self.expect_symbol(")")?;
                return Ok(inner);
            }
            TokenKind::Symbol("[") => {
                let list = self.list("[", "]")?;
                AstKind::Pick(list, Box::new(self.index()?))
            }
            TokenKind::Word(word) => self.word(word)?,
            _ => return self.unexpected("a value"),
        };
        self.node(token.offset, kind)
    }

    /// The expression that a word starts.
    fn word(&mut self, word: &'a str) -> Result<AstKind<'a>, Located> {
        let calls = matches!(self.tokens.get(self.position + 1), Some(token) if token.kind == TokenKind::Symbol("("));
        let kind = match word {
            "true" => AstKind::Number(1),
            "false" => AstKind::Number(0),
            "ram" | "cart_ram" => {
                self.position += 1;
                let kind = if word == "ram" {
                    MemoryKind::Ram
                } else {
                    MemoryKind::CartRam
                };
                return Ok(AstKind::Memory(kind, Box::new(self.index()?)));
            }
            _ if calls => {
                self.position += 1;
                return match LOOPS.iter().find(|(name, _)| *name == word) {
                    Some(&(_, kind)) => self.generator(kind),
                    None => Ok(AstKind::Call(word, self.list("(", ")")?)),
                };
            }
            _ if word != "mode" && RESERVED.contains(&word) => return self.unexpected("a value"),
            _ => AstKind::Name(word),
        };
        self.position += 1;
        Ok(kind)
    }

    /// `[index]`
    fn index(&mut self) -> Result<Ast<'a>, Located> {
        self.expect_symbol("[")?;
        let index = self.expression()?;
        self.expect_symbol("]")?;
        Ok(index)
    }

    /// Values between brackets.
    fn list(&mut self, open: &'static str, close: &'static str) -> Result<Vec<Ast<'a>>, Located> {
        self.expect_symbol(open)?;
        let mut list = Vec::new();
        while !self.take_symbol(close) {
            list.push(self.expression()?);
            if self.peek().kind != TokenKind::Symbol(close) {
                self.expect_symbol(",")?;
            }
        }
        Ok(list)
    }

    /// `(body for variable in range(from, to) + range(from, to))`
    fn generator(&mut self, kind: LoopKind) -> Result<AstKind<'a>, Located> {
        self.expect_symbol("(")?;
        let body = Box::new(self.expression()?);
        self.expect_kind(TokenKind::Word("for"), "for")?;
        let variable = self.new_name("a variable")?;
        self.expect_kind(TokenKind::Word("in"), "in")?;
        let mut ranges = Vec::new();
        loop {
            ranges.push(self.range()?);
            if !self.take_symbol("+") {
                break;
            }
        }
        self.expect_symbol(")")?;
        Ok(AstKind::Loop {
            kind,
            body,
            variable,
            ranges,
        })
    }

    /// `range(from, to)`
    fn range(&mut self) -> Result<Range<'a>, Located> {
        self.expect_kind(TokenKind::Word("range"), "range")?;
        self.expect_symbol("(")?;
        let from = self.expression()?;
        self.expect_symbol(",")?;
        let to = self.expression()?;
        self.expect_symbol(")")?;
        Ok(Range { from, to })
    }
}
