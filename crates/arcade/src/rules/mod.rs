//! The rules that read reward, lives and the end of an episode from a game's memory.
//!
//! Rules are text, in a small language that looks like Python's expressions and is described in `docs/games.md`. They are compiled
//! once, when a game is loaded; running them on a frame is a walk over a few dozen nodes that allocates nothing and looks nothing up.
//!
//! - [`Rules`] holds what to do at load, at an episode's start and after each frame, and how to tell reward, end and lives.
//! - [`Variables`] is all that rules remember from frame to frame. The owner of the game holds them.
//! - [`ModeProgram`] selects a game mode by pressing switches.
//!
//! Invariant: whatever the text, compiled rules end after a bounded number of steps, and cannot fail.

mod budget;
mod compiler;
mod error;
mod expression;
mod lexer;
mod lowering;
mod mode;
mod parser;
mod syntax;
#[cfg(test)]
mod tests;

pub use budget::{Budget, BudgetSpent};
pub use compiler::Sources;
pub use error::{Part, RuleError, RuleProblem};
pub use expression::{Expr, Slot};
pub(crate) use mode::SOFT_RESET_FRAMES;
pub use mode::{ModeError, ModeMachine, ModeOp, ModeProgram};

use thiserror::Error;

/// The memory that rules read.
pub trait ReadRam {
    /// A byte of the console's 128 bytes of RAM. The low seven bits of `address` count: programs see the RAM from 0x80 on.
    fn ram(&self, address: u8) -> u8;
    /// A byte of the cartridge's 128 bytes of RAM, `index` from 0 to 0x7F; 0 where there is none.
    fn cart_ram(&self, index: u8) -> u8;
}

/// What rules remember from frame to frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variables {
    values: [i64; Self::LIMIT],
    used: u8,
}

/// Values that do not fit the variables of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the game has {expected} variables, {given} values given")]
pub struct WrongVariableCount {
    /// How many variables the game has.
    pub expected: usize,
    /// How many values were given.
    pub given: usize,
}

impl Variables {
    /// The most variables that the rules of a game can have.
    pub const LIMIT: usize = 32;

    fn new(used: usize) -> Self {
        Self {
            values: [0; Self::LIMIT],
            used: used as u8,
        }
    }

    /// The values, to save them. Their order is fixed for a given text of rules.
    pub fn as_slice(&self) -> &[i64] {
        &self.values[..self.used as usize]
    }

    /// Takes over values that [`as_slice`](Self::as_slice) gave.
    ///
    /// # Errors
    ///
    /// [`WrongVariableCount`] if they are of another game; nothing is changed then.
    pub fn restore(&mut self, values: &[i64]) -> Result<(), WrongVariableCount> {
        let used = self.used as usize;
        if values.len() != used {
            return Err(WrongVariableCount {
                expected: used,
                given: values.len(),
            });
        }
        self.values[..used].copy_from_slice(values);
        Ok(())
    }

    #[inline]
    fn get(&self, slot: Slot) -> i64 {
        self.values[slot.0 as usize % Self::LIMIT]
    }

    #[inline]
    fn set(&mut self, slot: Slot, value: i64) {
        self.values[slot.0 as usize % Self::LIMIT] = value;
    }
}

/// A variable and what it is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Assignment {
    slot: Slot,
    value: Expr,
}

/// The compiled rules of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    names: Box<[String]>,
    load: Box<[(Slot, i64)]>,
    start: Box<[(Slot, i64)]>,
    frame: Box<[Assignment]>,
    reward: Expr,
    terminal: Expr,
    lives: Expr,
}

/// The memory of expressions that read none.
struct NoRam;

impl ReadRam for NoRam {
    fn ram(&self, _address: u8) -> u8 {
        0
    }

    fn cart_ram(&self, _index: u8) -> u8 {
        0
    }
}

impl Rules {
    /// Compiles rules, and with them the program that selects modes, which shares their variables.
    ///
    /// # Errors
    ///
    /// [`RuleError`] with the text and the place of the first mistake.
    pub fn compile(sources: &Sources<'_>) -> Result<(Self, Option<ModeProgram>), RuleError> {
        compiler::compile(sources)
    }

    /// No rules: no variables, reward 0, never over, 0 lives.
    pub fn none() -> Self {
        let nothing = Expr::constant_of(0);
        Self {
            names: [].into(),
            load: [].into(),
            start: [].into(),
            frame: [].into(),
            reward: nothing.clone(),
            terminal: nothing.clone(),
            lives: nothing,
        }
    }

    /// The variables of a game that has just been loaded.
    pub fn initial(&self) -> Variables {
        let mut variables = Variables::new(self.names.len());
        for &(slot, value) in &self.load {
            variables.set(slot, value);
        }
        self.reset(&mut variables);
        variables
    }

    /// Starts an episode. Variables that the start does not name keep their values.
    pub fn reset(&self, variables: &mut Variables) {
        for &(slot, value) in &self.start {
            variables.set(slot, value);
        }
    }

    /// Applies the rules of a frame to the memory after it.
    pub fn step<M: ReadRam + ?Sized>(&self, variables: &mut Variables, memory: &M) {
        for Assignment { slot, value } in &self.frame {
            let value = value.evaluate(variables, memory, 0);
            variables.set(*slot, value);
        }
    }

    /// Whether there is a rule for rewards.
    pub fn gives_rewards(&self) -> bool {
        self.reward != Expr::constant_of(0)
    }

    /// The reward of the last frame.
    pub fn reward(&self, variables: &Variables) -> i32 {
        saturate(self.reward.evaluate(variables, &NoRam, 0))
    }

    /// Whether the episode is over.
    pub fn terminal(&self, variables: &Variables) -> bool {
        self.terminal.evaluate(variables, &NoRam, 0) != 0
    }

    /// The lives that are left, as the game counts them; games without lives say 0 or 1.
    pub fn lives(&self, variables: &Variables) -> i32 {
        saturate(self.lives.evaluate(variables, &NoRam, 0))
    }

    /// The steps of the rules after a frame, at most: its assignments and its readouts.
    pub fn steps_of_frame(&self) -> u32 {
        let assignments = self.frame.iter().map(|assignment| assignment.value.steps);
        let readouts = [&self.reward, &self.terminal, &self.lives].map(|readout| readout.steps);
        assignments.chain(readouts).fold(0, u32::saturating_add)
    }

    /// The names of the variables, in the order of [`Variables::as_slice`].
    pub fn variable_names(&self) -> &[String] {
        &self.names
    }
}

fn saturate(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
