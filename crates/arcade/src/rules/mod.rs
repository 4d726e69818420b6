//! The rules that read reward, lives and the end of an episode from a game's memory.
//!
//! Rules are text, in a small language that looks like Python's expressions and is described in `docs/games.md`. They are compiled
//! once, when a game is loaded; running them on a frame is a walk over a few dozen nodes that allocates nothing and looks nothing up.
//!
//! - [`Rules`] holds what to do at load, at an episode's start and after each frame, and how to tell reward, end and lives.
//! - [`Variables`] keeps values from frame to frame. The owner of the game holds them.
//! - [`ModeProgram`] selects a game mode by pressing switches.
//!
//! Invariant: whatever the text, compiled rules end after a bounded number of steps, and cannot fail.

mod bounds;
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
mod variables;

pub use bounds::Bounds;
pub use budget::{Budget, BudgetSpent};
pub use compiler::Sources;
pub use error::{Part, RuleError, RuleProblem};
pub use expression::Expr;
pub(crate) use mode::SOFT_RESET_FRAMES;
pub use mode::{ModeError, ModeHost, ModeOp, ModeProgram};
pub use variables::{ReadRam, Slot, Variables, WrongVariableCount};

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

    /// Updates the variables by the memory after a frame.
    pub fn update<M: ReadRam + ?Sized>(&self, variables: &mut Variables, memory: &M) {
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
