//! Programs that select a game mode on the running console.

use super::{Expr, Memory, Slot, Variables};
use crate::action::Action;
use thiserror::Error;

/// The console, as a [`ModeProgram`] works on it.
///
/// Every frame that one of these runs may run the game's rules and so change the variables.
pub trait ModeMachine: Memory {
    /// Holds the SELECT switch for `frames` frames, in which the rules do not run, and releases it for one frame, in which
    /// they do and which the frame counters count.
    fn press_select(&mut self, frames: u32);
    /// Holds the RESET switch as long as the environment always does, and forgets the last sticky action.
    fn soft_reset(&mut self);
    /// One act of the environment, which draws its sticky actions and counts frames as any other.
    fn act(&mut self, action: Action);
    /// The next number of the environment's generator.
    fn random(&mut self) -> u32;
    /// The variables of the game's rules.
    fn variables(&self) -> &Variables;
    /// The variables of the game's rules, to change them.
    fn variables_mut(&mut self) -> &mut Variables;
}

/// One operation of a [`ModeProgram`]. The expressions may read the mode that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModeOp {
    /// Presses SELECT for so many frames, at least one.
    Select {
        /// The number of frames.
        frames: Expr,
    },
    /// Presses RESET.
    SoftReset,
    /// Acts a number of times.
    Act {
        /// The action.
        action: Action,
        /// How many times.
        times: Expr,
    },
    /// Gives a variable a value.
    Set {
        /// The variable.
        variable: Slot,
        /// Its value.
        value: Expr,
    },
    /// Gives a variable a random value from 0 to one less than `below`: the next number of the environment's generator, modulo
    /// `below`.
    Draw {
        /// The variable.
        variable: Slot,
        /// The number of values it may take; 1 if it is less.
        below: Expr,
    },
    /// Goes on elsewhere if a condition holds.
    JumpIf {
        /// The condition: anything but 0 holds.
        condition: Expr,
        /// The operation to go on with; the number of operations is the program's end.
        target: usize,
    },
    /// Goes on elsewhere.
    Jump {
        /// The operation to go on with.
        target: usize,
    },
}

/// How a game's modes are selected: what to press until the memory shows the mode that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModeProgram {
    /// The operations, in order.
    pub ops: Vec<ModeOp>,
}

/// Why a mode was not selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ModeError {
    /// The memory never showed the mode.
    #[error("mode {mode} was not reached within {} frames", ModeProgram::FRAME_LIMIT)]
    Unreachable {
        /// The mode that was asked for.
        mode: u32,
    },
}

impl ModeProgram {
    /// A program gives up when it has run this many frames. The longest way to a mode of a known game takes a few thousand.
    pub const FRAME_LIMIT: u32 = 60_000;

    /// A program gives up when it has run this many operations, so that a loop that runs no frame ends too.
    const OPERATION_LIMIT: u32 = 1_000_000;

    /// Selects `mode` on `machine`.
    ///
    /// # Errors
    ///
    /// [`ModeError::Unreachable`] if the program runs too long. The machine is then wherever the program had brought it.
    pub fn run(&self, machine: &mut impl ModeMachine, mode: u32) -> Result<(), ModeError> {
        let mut frames_left = Self::FRAME_LIMIT;
        let mut operations_left = Self::OPERATION_LIMIT;
        let mut next = 0;
        while let Some(operation) = self.ops.get(next) {
            next += 1;
            operations_left = operations_left.checked_sub(1).ok_or(ModeError::Unreachable { mode })?;
            let mut count_frames = |frames: u32| {
                frames_left = frames_left.checked_sub(frames).ok_or(ModeError::Unreachable { mode })?;
                Ok(())
            };
            match operation {
                ModeOp::Select { frames } => {
                    let frames = at_least_one(value(frames, machine, mode));
                    count_frames(frames.saturating_add(1))?;
                    machine.press_select(frames);
                }
                ModeOp::SoftReset => machine.soft_reset(),
                ModeOp::Act { action, times } => {
                    for _ in 0..at_least_one(value(times, machine, mode)) {
                        count_frames(1)?;
                        machine.act(*action);
                    }
                }
                ModeOp::Set {
                    variable,
                    value: expression,
                } => {
                    let value = value(expression, machine, mode);
                    machine.variables_mut().set(*variable, value);
                }
                ModeOp::Draw { variable, below } => {
                    let below = at_least_one(value(below, machine, mode));
                    let number = machine.random() % below;
                    machine.variables_mut().set(*variable, number.into());
                }
                ModeOp::JumpIf { condition, target } => {
                    if value(condition, machine, mode) != 0 {
                        next = *target;
                    }
                }
                ModeOp::Jump { target } => next = *target,
            }
        }
        Ok(())
    }
}

fn value(expression: &Expr, machine: &impl ModeMachine, mode: u32) -> i64 {
    expression.evaluate(machine.variables(), machine, mode.into())
}

fn at_least_one(value: i64) -> u32 {
    value.clamp(1, u32::MAX.into()) as u32
}
