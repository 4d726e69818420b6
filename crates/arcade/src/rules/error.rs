//! What can be wrong with the text of rules.

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
    /// What is wrong there.
    pub problem: RuleProblem,
}

/// What is wrong with the text of rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleProblem {
    /// A character that the language does not have.
    #[error("unexpected character {0:?}")]
    UnexpectedCharacter(char),
    /// Digits that are no number of 64 bits.
    #[error("{0} is not a number")]
    BadNumber(String),
    /// Something else than what has to stand here.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What has to stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// A name that has no value at this place.
    #[error("unknown variable {0:?}")]
    UnknownVariable(String),
    /// A call of something that is not a function.
    #[error("unknown function {0:?}")]
    UnknownFunction(String),
    /// An action that the console does not have.
    #[error("unknown action {0:?}")]
    UnknownAction(String),
    /// A name that belongs to the language.
    #[error("{0:?} is a word of the language and cannot be given a value")]
    ReservedName(String),
    /// A function that is there already.
    #[error("the function {0:?} is defined already")]
    DefinedTwice(String),
    /// A call with too few or too many values.
    #[error("{function} takes {takes}, {given} given")]
    WrongArguments {
        /// The function.
        function: String,
        /// What it takes, in words.
        takes: String,
        /// How many values the call gives.
        given: usize,
    },
    /// A value that has to be known before the game runs.
    #[error("this must be a constant")]
    NotConstant,
    /// Memory is read where there is none to read.
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
    /// More than the language can hold.
    #[error("too many {what}: {limit} is the limit")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        limit: usize,
    },
}

/// A mistake at a byte of a text whose part the caller knows.
///
/// In a box: what hands it on is smaller, and so is the module that is loaded in a page.
pub(super) type Located = Box<(usize, RuleProblem)>;

/// A mistake at a byte.
#[cold]
#[allow(clippy::unnecessary_box_returns, reason = "see Located")]
pub(super) fn located(offset: usize, problem: RuleProblem) -> Located {
    Box::new((offset, problem))
}
