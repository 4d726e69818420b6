//! The JIT: an executor that compiles what a program executes often.
//!
//! A ROM never changes, so code that has been compiled stays valid. A program goes through two tiers:
//!
//! 1. It is interpreted. After [`TierUpThreshold::interpreted`] frames the [`profile`] notes which instructions of the ROM are
//!    executed, and where the program enters a run of instructions.
//! 2. After [`TierUpThreshold::profiled`] more frames a [`CompileJob`] begins: [`blocks`] divides what was executed into basic
//!    blocks and these into functions, [`lower`] lowers the functions to the operations of [`ir`], and the installed
//!    [`Compiler`] compiles these to machine code. Then the [`code_cache`] maps addresses to compiled functions.
//!
//! A basic block that is not in the code cache is interpreted up to its end and noted. Once [`program`] has counted many of
//! these, it begins another job for everything in the profile.
//!
//! Compiled code does what the interpreter does, byte for byte and cycle by cycle. Invariants:
//!
//! - Only quiet ROM is compiled. A function ends where a bank is switched, and at an instruction that has no lowering (code in
//!   RAM, rare opcodes); the interpreter executes that.
//! - Where a function is entered and before each jump backwards it checks that the frame has enough instructions left and the
//!   TIA's log has room for all of its instructions. Otherwise the interpreter continues.
//! - [`layout`] is the only place that knows where the machine's fields are.
//!
//! All consoles with the same ROM share one [`program::Program`]. The profile consists of atomic integers. Each console holds a code cache and
//! compares its generation with an atomic counter once a frame; only if there is a newer one does it take a lock, to copy the reference.

mod blocks;
mod code_cache;
mod compiler;
mod executor;
mod ir;
mod layout;
mod lower;
mod profile;
mod program;
mod rom_view;
mod runtime;
#[cfg(test)]
mod verify;

pub use compiler::{CompileJob, CompiledCode, CompiledFunction, Compiler, TierUpThreshold, install_compiler};
pub(crate) use executor::Jit;
pub use ir::{Local, Op};
pub use program::JitStatistics;
pub use runtime::RuntimeCall;
