//! The parsed form of rules, before names are resolved.

use super::expression::{Binary, Unary};

/// An expression and the byte of the text at which it starts.
#[derive(Clone, Debug)]
pub(super) struct Ast<'a> {
    pub(super) offset: usize,
    pub(super) kind: AstKind<'a>,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(super) enum AstKind<'a> {
    Number(i64),
    Name(&'a str),
    /// `ram[...]` or `cart_ram[...]`.
    Memory(MemoryKind, Box<Ast<'a>>),
    /// `[...][index]`.
    Pick(Vec<Ast<'a>>, Box<Ast<'a>>),
    Call(&'a str, Vec<Ast<'a>>),
    Unary(Unary, Box<Ast<'a>>),
    Binary(Binary, Box<Ast<'a>>, Box<Ast<'a>>),
    Both(Box<Ast<'a>>, Box<Ast<'a>>),
    Either(Box<Ast<'a>>, Box<Ast<'a>>),
    If {
        condition: Box<Ast<'a>>,
        then: Box<Ast<'a>>,
        otherwise: Box<Ast<'a>>,
    },
    /// `item in (...)`.
    In {
        item: Box<Ast<'a>>,
        list: Vec<Ast<'a>>,
    },
    /// `sum(body for variable in range(...) + range(...))`, and the same with another [`LoopKind`].
    Loop {
        kind: LoopKind,
        body: Box<Ast<'a>>,
        variable: &'a str,
        ranges: Vec<Range<'a>>,
    },
}

/// The memories a rule can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryKind {
    Ram,
    CartRam,
}

/// How the values of a loop are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopKind {
    Sum,
    Count,
    All,
    Any,
}

/// The numbers from `from` to `to - 1`.
#[derive(Clone, Debug)]
pub(super) struct Range<'a> {
    pub(super) from: Ast<'a>,
    pub(super) to: Ast<'a>,
}

/// A statement and the byte of the text at which it starts.
#[derive(Clone, Debug)]
pub(super) struct Statement<'a> {
    pub(super) offset: usize,
    pub(super) kind: StatementKind<'a>,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub(super) enum StatementKind<'a> {
    /// `name = value`
    Assign { name: &'a str, value: Ast<'a> },
    /// `name(parameters) = body`
    Define { name: &'a str, function: Function<'a> },
    /// `select frames`
    Select { frames: Ast<'a> },
    /// `reset`
    Reset,
    /// `act ACTION times`
    Act { action: (usize, &'a str), times: Ast<'a> },
    /// `draw name below`
    Draw { name: &'a str, below: Ast<'a> },
    /// `until condition { body }`
    Until {
        condition: Ast<'a>,
        body: Vec<Statement<'a>>,
    },
    /// `if condition { then } else { otherwise }`
    If {
        condition: Ast<'a>,
        then: Vec<Statement<'a>>,
        otherwise: Vec<Statement<'a>>,
    },
}

/// A function that a text defines.
#[derive(Clone, Debug)]
pub(super) struct Function<'a> {
    pub(super) parameters: Vec<&'a str>,
    pub(super) body: Ast<'a>,
}
