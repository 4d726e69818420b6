//! The interface between a machine and its executor.

use crate::machine::Machine;
use std::fmt::Debug;

/// Runs the CPU of a machine. All executors change a machine in the same way; they differ in speed.
pub(crate) trait Executor: Debug + Send + Sync {
    /// Executes `instructions`, or fewer if the TIA ends the frame or an opcode jams the CPU.
    fn run(&mut self, machine: &mut Machine, instructions: u32);

    /// The figures of a compiling executor; none for one that interprets.
    fn statistics(&self) -> Option<JitStatistics>;

    /// An executor for a copy of the machine.
    fn boxed_clone(&self) -> Box<dyn Executor>;
}

impl Clone for Box<dyn Executor> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// Figures of a program's compile jobs and code cache. They are shared by all consoles with the same ROM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JitStatistics {
    /// Compile jobs that have begun.
    pub jobs: u32,
    /// Whether a compile job has finished with code, which every console with the ROM runs from its next frame on.
    pub is_compiled: bool,
    /// How often a console has taken the lock of the program's code cache.
    pub locks: u32,
}
