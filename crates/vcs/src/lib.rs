#![doc = include_str!("../README.md")]
//!
//! The Atari 2600 Video Computer System: 6507, TIA, RIOT, cartridges and controllers.
//!
//! The machine is the one that the Arcade Learning Environment plays on, to the byte: its RAM, its picture and its collisions,
//! including where they differ from the console of 1977. It does no I/O, reads no clock and draws no random numbers of its own:
//! whoever owns a [`Console`] brings the ROM, the [`Input`] of every frame and the noise that memory powers up with.
//!
//! No picture is drawn before somebody looks at it. Consoles of a thread share the room for what they have drawn and kept; once there
//! is enough of it, nothing is allocated any more.

mod cartridge;
mod console;
mod cpu;
mod input;
mod machine;
mod outcome;
mod packed;
mod riot;
mod signature;
mod sound;
mod state;
mod tia;
mod trace;
mod translate;

pub use cartridge::{CartridgeError, Mapper, Random};
pub use console::{Config, Console};
pub use input::{Controller, Input, Joystick, Paddle, Switches, Wiring};
pub use outcome::Place;
pub use packed::{pack_pictures, unpack_pictures};
pub use sound::SOUND_SAMPLES;
pub use state::{State, WrongLength};
pub use tia::{Screen, Still};
pub use trace::{Selection, Sources, Trace};
pub use translate::{Callee, Delivery, Function, Host, Loaded, Local, Op, Patience, Program, translate_with};

/// Pixels of a line.
pub const WIDTH: usize = 160;

/// The television a game was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TvFormat {
    /// 262 lines, 60 Hz.
    #[default]
    Ntsc,
    /// 312 lines, 50 Hz.
    Pal,
}

/// Whether HMOVE blanks the first eight pixels of a line, as it does on the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum HmoveBlanks {
    /// It does.
    #[default]
    Shown,
    /// It does not; a few games look better so.
    Hidden,
}

/// The part of a frame that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameGeometry {
    /// The television.
    pub tv: TvFormat,
    /// Lines from the start of a frame to the first one shown.
    pub ystart: u16,
    /// Lines shown.
    pub height: u16,
}

/// Whether a frame's picture is about to be looked at. It only decides when pixels are drawn, never which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    /// Draw while the frame runs: best when it will be looked at.
    Wanted,
    /// Draw when [`Console::screen`] asks: best when it will most likely not.
    OnDemand,
}
