//! How much a reset may play.

use thiserror::Error;

/// What is left of the limits of a reset, besides its idle frames and two presses of RESET: the frames of the mode's selection and of the
/// starting actions, and the steps of rules that are evaluated on the way. As a frame has at most 25,000 instructions, that bounds the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    frames: u32,
    steps: u32,
    /// Steps of the rules after each frame.
    steps_of_frame: u32,
}

/// The part of a [`Budget`] that is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BudgetSpent {
    /// The frames.
    #[error("more than {} frames", Budget::FRAMES)]
    Frames,
    /// The steps of rules.
    #[error("more than {} steps of rules", Budget::STEPS)]
    Steps,
}

impl Budget {
    /// Frames that a reset may play. The longest way to a mode of a known game takes less than 1,000.
    pub const FRAMES: u32 = 1_500;
    /// Steps of rules that a reset may evaluate. A program without frames ends by them.
    pub const STEPS: u32 = 20_000_000;

    /// A full budget, for a game whose rules take so many steps after a frame.
    pub fn new(steps_of_frame: u32) -> Self {
        Self {
            frames: Self::FRAMES,
            steps: Self::STEPS,
            steps_of_frame,
        }
    }

    /// Spends frames and the steps of the rules after them. Call it before they are played.
    ///
    /// # Errors
    /// [`BudgetSpent`] where fewer are left.
    pub fn spend_frames(&mut self, frames: u32) -> Result<(), BudgetSpent> {
        self.frames = self.frames.checked_sub(frames).ok_or(BudgetSpent::Frames)?;
        self.spend_steps(frames.saturating_mul(self.steps_of_frame))
    }

    /// Spends steps of rules.
    ///
    /// # Errors
    /// [`BudgetSpent`] where fewer are left.
    pub fn spend_steps(&mut self, steps: u32) -> Result<(), BudgetSpent> {
        self.steps = self.steps.checked_sub(steps).ok_or(BudgetSpent::Steps)?;
        Ok(())
    }
}
