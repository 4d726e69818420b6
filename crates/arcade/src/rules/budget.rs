//! The work that a reset may do.

use thiserror::Error;

/// The limits of a reset, besides its idle frames and two presses of RESET: the frames of the mode's selection and of the starting
/// actions, the cycles of the CPU in these frames, and the steps of rules that are evaluated on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    frames: u32,
    /// The console's charged cycles at which this reset has used up its own.
    last_cycle: u64,
    steps: u32,
    /// Steps of the rules after each frame.
    steps_of_frame: u32,
}

/// The part of a [`Budget`] that is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BudgetSpent {
    /// The frames.
    #[error("more than {} frames", Budget::FRAMES)]
    Frames,
    /// The cycles of the CPU.
    #[error("more than {} cycles of the CPU", Budget::CYCLES)]
    Cycles,
    /// The steps of rules.
    #[error("more than {} steps of rules", Budget::STEPS)]
    Steps,
}

/// What a frame of that many cycles is charged: at least the cycles of an NTSC frame, because the rules run after a short frame too.
pub(crate) fn charged(cycles: u32) -> u64 {
    cycles.max(19_912).into()
}

impl Budget {
    /// Frames that a reset may run. The longest way to a mode of a known game takes less than 1,000.
    pub const FRAMES: u32 = 1_500;
    /// Cycles that these frames may take. PAL frames take fewer. A program that does not end its frames takes up to ten times as many.
    pub const CYCLES: u64 = 36_000_000;
    /// Steps of rules that a reset may evaluate.
    pub const STEPS: u32 = 20_000_000;

    /// A full budget, for a game whose rules take so many steps after a frame and whose console has been charged so many cycles.
    pub fn new(steps_of_frame: u32, cycles: u64) -> Self {
        Self {
            frames: Self::FRAMES,
            last_cycle: cycles + Self::CYCLES,
            steps: Self::STEPS,
            steps_of_frame,
        }
    }

    /// Spends frames and the steps of the rules after them, when the console has been charged so many cycles.
    ///
    /// # Errors
    /// [`BudgetSpent`] where there are not as many left.
    pub fn spend_frames(&mut self, frames: u32, cycles: u64) -> Result<(), BudgetSpent> {
        self.check_cycles(cycles)?;
        self.frames = self.frames.checked_sub(frames).ok_or(BudgetSpent::Frames)?;
        self.spend_steps(frames.saturating_mul(self.steps_of_frame))
    }

    /// Checks that the console, which has been charged so many cycles, has not spent those of the reset.
    ///
    /// # Errors
    /// [`BudgetSpent::Cycles`] where it has.
    pub fn check_cycles(&self, cycles: u64) -> Result<(), BudgetSpent> {
        if cycles > self.last_cycle {
            return Err(BudgetSpent::Cycles);
        }
        Ok(())
    }

    /// The console's charged cycles at which this reset has used up its own.
    pub fn last_cycle(&self) -> u64 {
        self.last_cycle
    }

    /// The cycles that the spent steps of rules are charged, two for each.
    pub fn charged_for_steps(&self) -> u64 {
        2 * u64::from(Self::STEPS - self.steps)
    }

    /// Spends steps of rules.
    ///
    /// # Errors
    /// [`BudgetSpent`] where there are not as many left.
    pub fn spend_steps(&mut self, steps: u32) -> Result<(), BudgetSpent> {
        self.steps = self.steps.checked_sub(steps).ok_or(BudgetSpent::Steps)?;
        Ok(())
    }
}
