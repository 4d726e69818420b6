//! What runs the CPU of a machine.

use crate::machine::Machine;
use std::fmt::Debug;

/// Runs the CPU of a machine. All executors change a machine in the same way; they differ in speed.
pub(crate) trait Executor: Debug + Send + Sync {
    /// Executes `instructions`, or fewer if the TIA ends the frame or an opcode jams the CPU.
    fn run(&mut self, machine: &mut Machine, instructions: u32);

    /// What a compiling executor has done so far; none for one that interprets.
    fn statistics(&self) -> Option<JitStatistics>;

    /// An executor for a copy of the machine.
    fn boxed_clone(&self) -> Box<dyn Executor>;
}

/// What has been compiled of a program. It is shared by all consoles with the same ROM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JitStatistics {
    /// Compile jobs that have begun.
    pub jobs: u32,
    /// Whether this console runs compiled code.
    pub is_compiled: bool,
    /// How often a console has taken the lock of the program's code cache.
    pub locks: u32,
}
