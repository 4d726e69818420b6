//! Mistakes in the text of rules.

use thiserror::Error;

/// One of the texts that make up a game's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Variables that are set once, when the game is loaded.
    Load,
    /// Variables that are set when an episode starts.
    Start,
    /// What happens after every frame.
    Frame,
    /// The reward of the last frame.
    Reward,
    /// Whether the episode is over.
    Terminal,
    /// The lives that are left.
    Lives,
    /// How a game mode is selected.
    Select,
}

/// A mistake in the text of rules, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{problem}")]
pub struct RuleError {
    /// The text that has the mistake.
    pub part: Part,
    /// The byte of that text at which the mistake is.
    pub offset: usize,
    /// The mistake.
    pub problem: RuleProblem,
}

/// A mistake in the text of rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// A character outside the language.
    #[error("unexpected character {0:?}")]
    UnexpectedCharacter(char),
    /// Digits that do not form a number of 64 bits.
    #[error("{0} is not a number")]
    BadNumber(String),
    /// Another token than the expected one.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The expected token.
        expected: &'static str,
        /// The token found.
        found: String,
    },
    /// A name that is not assigned further up.
    #[error("unknown variable {0:?}")]
    UnknownVariable(String),
    /// A call of something that is not a function.
    #[error("unknown function {0:?}")]
    UnknownFunction(String),
    /// An action that the console does not have.
    #[error("unknown action {0:?}")]
    UnknownAction(String),
    /// An assignment to a keyword.
    #[error("{0:?} is a word of the language and cannot be given a value")]
    ReservedName(String),
    /// A second definition of a function.
    #[error("the function {0:?} is defined already")]
    DefinedTwice(String),
    /// A call with too few or too many arguments.
    #[error("{function} takes {takes}, {given} given")]
    WrongArguments {
        /// The function.
        function: String,
        /// The number of arguments it takes, in words.
        takes: String,
        /// The number of arguments of the call.
        given: usize,
    },
    /// A value that must be a constant.
    #[error("this must be a constant")]
    NotConstant,
    /// Memory is read in a text that cannot read it.
    #[error("memory can be read after a frame and in mode selection only")]
    NoMemory,
    /// An address outside 0x00 to 0xFF, or an index of cartridge RAM outside 0x00 to 0x7F.
    #[error("{0:#x} is not an address of this memory")]
    AddressOutOfRange(i64),
    /// Division by a constant 0.
    #[error("division by zero")]
    DivisionByZero,
    /// `a < b < c`.
    #[error("comparisons do not chain: join two of them with `and`")]
    ChainedComparison,
    /// More than a limit allows.
    #[error("too many {what}: {limit} is the limit")]
    TooMany {
        /// The things that are too many, such as `levels of nesting`.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

/// A mistake at a byte of a text; the caller adds the part. Boxed to keep results small.
pub(super) type Located = Box<(usize, RuleProblem)>;

/// A mistake at a byte.
#[cold]
#[allow(clippy::unnecessary_box_returns, reason = "see Located")]
pub(super) fn located(offset: usize, problem: RuleProblem) -> Located {
    Box::new((offset, problem))
}
