//! Programs translated while they run.
//!
//! Interpreting an instruction costs many of the host's. A ROM never changes, so what a program has executed of it can be
//! translated once: [`region`] divides it into functions, [`lower`] translates them to the operations of [`ir`], and a [`Host`] makes
//! functions of these that can be called: in WebAssembly by way of a module ([`wasm`]), natively with a compiler. Without a host,
//! or where it refuses, everything is interpreted.
//!
//! Translated code does what the interpreter does, byte for byte and cycle by cycle. It covers what lies in quiet parts of the
//! ROM and has been seen to run; the interpreter does all the rest: code in RAM, accesses through hot spots, instructions that
//! programs hardly use, and the last few instructions of a frame that has too many. What it does is noted, and when it has done
//! a lot that was not known, all is translated anew.

mod helpers;
mod host;
mod ir;
mod layout;
mod lower;
mod region;
mod translator;
mod unit;
mod wasm;

pub use helpers::Callee;
pub use host::{Delivery, Function, Host, Loaded, Patience, translate_with};
pub use ir::{Local, Op};
pub(crate) use translator::Translator;

/// A program, translated.
#[derive(Clone, Debug)]
pub struct Program {
    /// The code of its functions. Each takes the first locals ([`Local::PARAMETERS`]); what is on the stack at its end is what
    /// it gives. Blocks take nothing from the stack and leave nothing on it.
    pub functions: Vec<Vec<Op>>,
}

impl Program {
    /// The program as a WebAssembly module: it exports its functions as "0", "1" and so on, and imports the machine's memory
    /// and its table of functions as "memory" and "table" of "machine". A custom section tells which branches are hardly ever
    /// taken ([`Op::Rarely`]), for engines that know branch hints.
    pub fn to_wasm(&self) -> Vec<u8> {
        wasm::module(self)
    }
}
