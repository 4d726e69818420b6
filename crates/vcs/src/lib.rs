#![doc = include_str!("../README.md")]
//!
//! Modules depend on each other in one direction:
//!
//! | module | content |
//! |---|---|
//! | `frame`, `registers`, `state` | values that describe a frame; the CPU's registers; saving and loading |
//! | `tia`, `riot`, `cartridge`, `input`, `sound` | the chips and what is connected to them |
//! | `bus`, `machine`, `snapshot` | the chips on one bus; the bus with the CPU's registers; points of a run to continue from |
//! | `cpu` | the interpreter |
//! | `jit` | compiled code for what a program executes often |
//! | `executor` | the interpreter or the JIT |
//! | `console` | a machine with its executor |

mod bus;
mod cartridge;
mod console;
mod cpu;
mod executor;
mod frame;
mod input;
mod jit;
mod machine;
mod registers;
mod riot;
mod snapshot;
mod sound;
mod state;
mod tia;

pub use cartridge::{CartridgeError, Mapper, Random, Sizes, Unplayable};
pub use console::{Console, ConsoleConfig};
pub use frame::{Drawing, FrameGeometry, HmoveBlanks, TvFormat, WIDTH};
pub use input::{Controller, Input, Joystick, Paddle, Switches, Wiring};
pub use jit::{
    CompileJob, CompiledCode, CompiledFunction, Compiler, JitStatistics, Local, Op, RuntimeCall, TierUpThreshold,
    install_compiler,
};
pub use snapshot::Snapshot;
pub use sound::SOUND_SAMPLES;
pub use state::{InvalidState, State};
pub use tia::Mark;
