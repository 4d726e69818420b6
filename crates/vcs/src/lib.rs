#![doc = include_str!("../README.md")]
//!
//! The Atari 2600 Video Computer System: 6507, TIA, RIOT, cartridges and controllers.
//!
//! The machine reproduces the Arcade Learning Environment's console byte for byte: RAM, picture and collisions, including
//! where they differ from the hardware of 1977. It does no I/O, reads no clock and draws no random numbers of its own. The
//! owner of a [`Console`] supplies the ROM, the [`Input`] of every frame and the noise that memory powers up with.
//!
//! Modules depend on each other in one direction:
//!
//! | module | content |
//! |---|---|
//! | `frame`, `state` | values that describe a frame; saving and loading |
//! | `tia`, `riot`, `cartridge`, `input`, `sound` | the chips and what is connected to them |
//! | `bus`, `machine` | the chips on one bus; the bus with the CPU's registers |
//! | `cpu` | the trait `Executor` and the interpreter |
//! | `jit` | the executor that compiles what a program executes often |
//! | `console` | a machine with its executor |
//!
//! A picture is drawn when it is read, not while the frame runs, unless [`Picture::Wanted`] asks for it.

mod bus;
mod cartridge;
mod console;
mod cpu;
mod frame;
mod input;
mod jit;
mod machine;
mod outcome;
mod packed;
mod registers;
mod riot;
mod signature;
mod sound;
mod state;
mod tia;
mod trace;

pub use cartridge::{CartridgeError, Mapper, Random};
pub use console::{Config, Console};
pub use cpu::JitStatistics;
pub use frame::{FrameGeometry, HmoveBlanks, Picture, TvFormat, WIDTH};
pub use input::{Controller, Input, Joystick, Paddle, Switches, Wiring};
pub use jit::{
    CompileJob, CompiledCode, CompiledFunction, Compiler, Local, Op, RuntimeCall, TierUpThreshold, install_compiler,
};
pub use outcome::Place;
pub use packed::{pack_pictures, unpack_pictures};
pub use sound::SOUND_SAMPLES;
pub use state::{State, WrongLength};
pub use tia::{Screen, Still};
pub use trace::{Selection, Sources, Trace};
