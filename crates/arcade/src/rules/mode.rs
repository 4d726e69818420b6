//! Programs that select a game's mode by pressing switches.

use super::budget::{Budget, BudgetSpent};
use super::expression::Expr;
use super::variables::{ReadRam, Slot, Variables};
use crate::action::Action;
use thiserror::Error;

/// The game that a [`ModeProgram`] plays to select its mode: its console, its rules' variables and the generator of sticky actions.
///
/// Frames that these methods run may run the game's rules, which change the variables.
pub trait ModeHost: ReadRam {
    /// Holds the SELECT switch for a frame, in which the rules do not run.
    fn hold_select(&mut self);
    /// Releases the SELECT switch for a frame, in which the rules run and which the frame counters count.
    fn release_select(&mut self);
    /// Holds the RESET switch for the four frames of every reset, and clears the last sticky action.
    fn soft_reset(&mut self);
    /// One act of the environment, with sticky actions and frame counters.
    fn act(&mut self, action: Action);
    /// The frames of an act.
    fn frames_of_act(&self) -> u32;
    /// The next number of the generator of sticky actions, which ALE uses here too.
    fn random(&mut self) -> u32;
    /// The variables of the game's rules.
    fn variables(&self) -> &Variables;
    /// The variables of the game's rules, mutable.
    fn variables_mut(&mut self) -> &mut Variables;
}

/// One operation of a [`ModeProgram`]. The expressions may read the selected mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModeOp {
    /// Presses SELECT for a number of frames, at least one.
    Select {
        /// The number of frames.
        frames: Expr,
    },
    /// Presses RESET.
    SoftReset,
    /// Plays an action a number of times.
    Act {
        /// The action.
        action: Action,
        /// How many times.
        times: Expr,
    },
    /// Sets a variable.
    Set {
        /// The variable.
        variable: Slot,
        /// Its value.
        value: Expr,
    },
    /// Sets a variable to a random number from 0 to `below - 1`: the next number of [`ModeHost::random`] modulo `below`.
    Draw {
        /// The variable.
        variable: Slot,
        /// The number of possible values, at least 1.
        below: Expr,
    },
    /// Jumps if a condition is true.
    JumpIf {
        /// The condition; every value but 0 is true.
        condition: Expr,
        /// The index of the next operation. The number of operations ends the program.
        target: usize,
    },
    /// Jumps.
    Jump {
        /// The index of the next operation.
        target: usize,
    },
}

impl ModeOp {
    /// Steps of one execution.
    fn steps(&self) -> u32 {
        let expression = match self {
            Self::Select { frames } => frames,
            Self::Act { times, .. } => times,
            Self::Set { value, .. } => value,
            Self::Draw { below, .. } => below,
            Self::JumpIf { condition, .. } => condition,
            Self::SoftReset | Self::Jump { .. } => return 1,
        };
        1 + expression.steps
    }
}

/// How a game's modes are selected: switches to press until memory shows the selected mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModeProgram {
    /// The operations, in order.
    pub ops: Vec<ModeOp>,
}

/// Why a reset did not reach the start of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ModeError {
    /// The selection of the mode spent the budget.
    #[error("modes.select: mode {mode} was not reached, the program takes {spent}")]
    Unreachable {
        /// The selected mode.
        mode: u32,
        /// The part of the budget that is spent.
        spent: BudgetSpent,
    },
    /// The starting actions spent what the selection of the mode left.
    #[error("actions.starting: with the selection of the mode, these take {spent}")]
    StartingActions {
        /// The part of the budget that is spent.
        spent: BudgetSpent,
    },
}

/// Frames for which RESET is held.
pub(crate) const SOFT_RESET_FRAMES: u32 = 4;

impl ModeProgram {
    /// Selects `mode` on `host`.
    ///
    /// # Errors
    ///
    /// [`ModeError::Unreachable`] if the program spends the budget. The host keeps the state that it has reached.
    pub fn run(&self, host: &mut impl ModeHost, mode: u32, budget: &mut Budget) -> Result<(), ModeError> {
        self.run_within(host, mode, budget)
            .map_err(|spent| ModeError::Unreachable { mode, spent })
    }

    fn run_within(&self, host: &mut impl ModeHost, mode: u32, budget: &mut Budget) -> Result<(), BudgetSpent> {
        let mut next = 0;
        while let Some(operation) = self.ops.get(next) {
            next += 1;
            budget.spend_steps(operation.steps())?;
            match operation {
                ModeOp::Select { frames } => {
                    for _ in 0..at_least_one(value(frames, host, mode)) {
                        budget.spend_frames(1)?;
                        host.hold_select();
                    }
                    budget.spend_frames(1)?;
                    host.release_select();
                }
                ModeOp::SoftReset => {
                    budget.spend_frames(SOFT_RESET_FRAMES)?;
                    host.soft_reset();
                }
                ModeOp::Act { action, times } => {
                    for _ in 0..at_least_one(value(times, host, mode)) {
                        budget.spend_frames(host.frames_of_act())?;
                        host.act(*action);
                    }
                }
                ModeOp::Set {
                    variable,
                    value: expression,
                } => {
                    let value = value(expression, host, mode);
                    host.variables_mut().set(*variable, value);
                }
                ModeOp::Draw { variable, below } => {
                    let below = at_least_one(value(below, host, mode));
                    let number = host.random() % below;
                    host.variables_mut().set(*variable, number.into());
                }
                ModeOp::JumpIf { condition, target } => {
                    if value(condition, host, mode) != 0 {
                        next = *target;
                    }
                }
                ModeOp::Jump { target } => next = *target,
            }
        }
        Ok(())
    }
}

fn value(expression: &Expr, host: &impl ModeHost, mode: u32) -> i64 {
    expression.evaluate(host.variables(), host, mode.into())
}

fn at_least_one(value: i64) -> u32 {
    value.clamp(1, u32::MAX.into()) as u32
}
