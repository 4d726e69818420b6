//! Runs a console's program: compiled code where there is some, otherwise the interpreter.

use super::code_cache::{CodeCache, CompiledBlock};
use super::ir::exit;
use super::program::{Code, JitStatistics, Program, Tier};
use crate::Mapper;
use crate::cartridge::Cartridge;
use crate::cpu::Interpreter;
use crate::machine::Machine;
use std::fmt;
use std::sync::Arc;

/// Instructions that are interpreted before compiled code is looked for again, at most.
const INTERPRETED_RUN: u32 = 32;

/// The executor of a console whose program is compiled once it has run for a while.
#[derive(Clone)]
pub(crate) struct Jit {
    program: Arc<Program>,
    code: Code,
    interpreter: Interpreter,
    /// Interpreted blocks that could be compiled. They are added to the program's count at the end of a frame.
    uncompiled: u32,
}

impl fmt::Debug for Jit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Jit")
    }
}

impl Jit {
    /// For a cartridge, if a compiler is installed.
    pub(crate) fn new(cartridge: &Cartridge, mapper: Mapper) -> Option<Self> {
        Some(Self {
            program: Program::of(cartridge, mapper)?,
            code: Code::default(),
            interpreter: Interpreter::new(cartridge),
            uncompiled: 0,
        })
    }

    /// Executes `instructions`, or fewer if the TIA ends the frame or an opcode jams the CPU.
    #[inline(never)]
    pub(crate) fn run(&mut self, machine: &mut Machine, instructions: u32) {
        self.program.refresh(&mut self.code);
        let cache = self.code.cache.as_deref();
        if cache.is_none() && self.program.count_frame() == Tier::Interpreted {
            self.interpreter.interpret(machine, instructions);
            return;
        }
        let mut left = instructions;
        let mut uncompiled = self.uncompiled;
        while left > 0 && machine.is_running() {
            let pc = machine.registers.pc;
            if let Some(entry) = cache.and_then(|cache| cache.entry(&machine.bus.cartridge, pc)) {
                left = self.call(entry, machine, left);
            } else {
                let is_uncompiled;
                (left, is_uncompiled) = self.interpret(machine, left, cache);
                uncompiled = uncompiled.saturating_add(u32::from(is_uncompiled));
            }
        }
        self.program.tier_up(&mut uncompiled);
        self.uncompiled = uncompiled;
    }

    /// Figures of the program's compile jobs.
    pub(crate) fn statistics(&self) -> JitStatistics {
        self.program.statistics()
    }

    /// Calls compiled code. Returns how many instructions are left.
    fn call(&self, entry: CompiledBlock, machine: &mut Machine, left: u32) -> u32 {
        machine.bus.left = left;
        machine.bus.cartridge.forget_switch();
        let address = std::ptr::from_mut(machine).cast();
        let reason = (entry.function)(address, self.program.rom.as_ptr(), entry.block.into());
        let left = machine.bus.left;
        if reason == exit::INTERPRET as u32 && left > 0 {
            return left - 1 + self.interpreter.interpret(machine, 1);
        }
        left
    }

    /// Interprets up to the next jump or compiled code, and notes the instructions in the profile. Returns how many instructions are left,
    /// and whether the next compile job could have the interpreted ones.
    fn interpret(&self, machine: &mut Machine, left: u32, cache: Option<&CodeCache>) -> (u32, bool) {
        let address = machine.registers.pc;
        let mut length = 1;
        let mut is_uncompiled = false;
        if let Some(rom_offset) = machine.bus.cartridge.rom_offset(address) {
            length = self
                .program
                .walk(rom_offset, address, INTERPRETED_RUN, |rom_offset, address| {
                    cache.is_none_or(|cache| cache.entry_at(rom_offset, address).is_none())
                });
            is_uncompiled = self.program.note(rom_offset, address, length);
        }
        let some = left.min(length.max(1));
        let left = left - some + self.interpreter.interpret(machine, some);
        (left, is_uncompiled)
    }
}
