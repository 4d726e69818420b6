//! What runs the CPU of a machine.

use crate::Mapper;
use crate::cartridge::Cartridge;
use crate::cpu::Interpreter;
use crate::jit::{Jit, JitStatistics};
use crate::machine::Machine;

/// Runs the CPU of a machine. All executors change a machine in the same way; they differ in speed.
#[derive(Clone, Debug)]
pub(crate) enum Executor {
    Interpreter(Interpreter),
    Jit(Jit),
}

impl Executor {
    /// The JIT if a compiler is installed and the cartridge has code to compile, otherwise the interpreter.
    pub(crate) fn new(cartridge: &Cartridge, mapper: Mapper) -> Self {
        let compiled = cartridge.has_quiet_addresses().then(|| Jit::new(cartridge, mapper));
        match compiled.flatten() {
            Some(jit) => Self::Jit(jit),
            None => Self::Interpreter(Interpreter::new(cartridge)),
        }
    }

    /// Executes `instructions`, or fewer if the TIA ends the frame or an opcode jams the CPU.
    pub(crate) fn run(&mut self, machine: &mut Machine, instructions: u32) {
        match self {
            Self::Interpreter(interpreter) => {
                interpreter.interpret(machine, instructions);
            }
            Self::Jit(jit) => jit.run(machine, instructions),
        }
    }

    /// Figures of the JIT; none for the interpreter.
    pub(crate) fn statistics(&self) -> Option<JitStatistics> {
        match self {
            Self::Interpreter(_) => None,
            Self::Jit(jit) => Some(jit.statistics()),
        }
    }
}
