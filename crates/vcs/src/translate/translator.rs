//! How a console's program runs: translated where it has been, interpreted where not.

use super::ir::outcome;
use super::unit::{Entry, Run, State, Unit};
use crate::Mapper;
use crate::cartridge::Cartridge;
use crate::cpu;
use crate::machine::Machine;
use crate::tia::FrameEnd;
use std::fmt;
use std::sync::{Arc, PoisonError};

/// Instructions that the interpreter does before it looks for translated code again, at most.
const RUN: u32 = 32;

/// A console's part in its program's translation.
#[derive(Clone)]
pub(crate) struct Translator {
    unit: Arc<Unit>,
    /// What has been interpreted in this frame.
    runs: Vec<Run>,
}

impl fmt::Debug for Translator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Translator")
    }
}

impl Translator {
    /// For a cartridge, if there is a host.
    pub(crate) fn new(cartridge: &Cartridge, mapper: Mapper) -> Option<Self> {
        let unit = Unit::of(cartridge, mapper)?;
        Some(Self { unit, runs: Vec::new() })
    }

    /// Whether the program, or a part of it, has been translated.
    pub(crate) fn has_translated(&self) -> bool {
        let state = self.unit.state.read().unwrap_or_else(PoisonError::into_inner);
        state.loaded.is_some()
    }

    /// Runs `instructions`, or fewer: see [`cpu::run`].
    #[inline(never)]
    pub(crate) fn run(&mut self, machine: &mut Machine, instructions: u32) {
        let frame = self.unit.count_frame();
        let state = self.unit.state.read().unwrap_or_else(PoisonError::into_inner);
        if frame <= self.unit.patience.idle || state.refused {
            cpu::run(machine, instructions);
            return;
        }
        let mut left = instructions;
        while left > 0 && !machine.registers.jammed {
            left = match state.entry(&machine.bus.cartridge, machine.registers.pc) {
                Some(entry) => self.unit.call(entry, machine, left),
                None => self.unit.interpret(machine, left, &state, &mut self.runs),
            };
            if machine.bus.tia.frame_end == FrameEnd::Yes {
                break;
            }
        }
        let has_come = state.has_come();
        drop(state);
        if has_come || !self.runs.is_empty() {
            let mut state = self.unit.state.write().unwrap_or_else(PoisonError::into_inner);
            state.receive();
            self.unit.learn(&mut state, &mut self.runs, frame);
        }
    }
}

impl Unit {
    /// Runs translated code. Gives how many instructions are left.
    fn call(&self, entry: Entry, machine: &mut Machine, left: u32) -> u32 {
        machine.bus.left = left;
        machine.bus.cartridge.forget_switch();
        let address = std::ptr::from_mut(machine).cast();
        let outcome = (entry.function)(address, self.rom.as_ptr(), entry.block.into());
        let left = machine.bus.left;
        if outcome == outcome::INTERPRET as u32 && left > 0 {
            return left - 1 + cpu::run(machine, 1);
        }
        left
    }

    /// Interprets up to the next jump or translated code, and notes what. Gives how many instructions are left.
    fn interpret(&self, machine: &mut Machine, left: u32, state: &State, runs: &mut Vec<Run>) -> u32 {
        let address = machine.registers.pc;
        let mut length = 1;
        if let Some(place) = machine.bus.cartridge.place(address) {
            length = self.walk(place, address, RUN, |place, address| {
                state.entry_at(place, address).is_none()
            });
            runs.push(Run {
                place: place as u32,
                address,
                length: length as u16,
            });
        }
        let some = left.min(length.max(1));
        left - some + cpu::run(machine, some)
    }
}
