//! Programs that select a game mode on the running console.

use super::{Expr, Memory, Slot, Variables};
use crate::action::Action;
use thiserror::Error;

/// The console that a [`ModeProgram`] controls.
///
/// Frames that these methods run may run the game's rules, which change the variables.
pub trait ModeMachine: Memory {
    /// Holds the SELECT switch for `frames` frames, in which the rules do not run. Then releases it for one frame, in which the
    /// rules run and which the frame counters count.
    fn press_select(&mut self, frames: u32);
    /// Holds the RESET switch for the four frames of every reset, and clears the last sticky action.
    fn soft_reset(&mut self);
    /// One act of the environment, with sticky actions and frame counters.
    fn act(&mut self, action: Action);
    /// The next number of the environment's generator.
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
    /// Sets a variable to a random number from 0 to `below - 1`: the next number of the environment's generator modulo `below`.
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

/// How a game's modes are selected: switches to press until memory shows the selected mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModeProgram {
    /// The operations, in order.
    pub ops: Vec<ModeOp>,
}

/// Why the selection of a mode failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ModeError {
    /// The program reached its limit of frames or operations.
    #[error("mode {mode} was not reached within {} frames", ModeProgram::FRAME_LIMIT)]
    Unreachable {
        /// The selected mode.
        mode: u32,
    },
}

impl ModeProgram {
    /// The maximum number of frames of a program. The catalogue's programs take a few thousand at most.
    pub const FRAME_LIMIT: u32 = 60_000;

    /// The maximum number of operations of a program. It ends loops that run no frame.
    const OPERATION_LIMIT: u32 = 1_000_000;

    /// Selects `mode` on `machine`.
    ///
    /// # Errors
    ///
    /// [`ModeError::Unreachable`] if the program runs too long. The machine keeps the state that it has reached.
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
