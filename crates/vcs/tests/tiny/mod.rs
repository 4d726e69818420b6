//! Consoles with tiny programs.

#[path = "../assembler/mod.rs"]
mod assembler;

use assembler::assemble;
use gym2600_vcs::{Console, ConsoleConfig, Mapper, Wiring};

/// A console with a program, after a reset.
pub fn console(source: &str) -> Console {
    console_with(source, Wiring::default())
}

/// A console with a program and controllers.
pub fn console_with(source: &str, wiring: Wiring) -> Console {
    let config = ConsoleConfig {
        wiring,
        ..ConsoleConfig::new(Mapper::Rom4K)
    };
    let mut console = Console::new(assemble(source), &config).expect("a cartridge of 4 KB");
    console.reset(&mut || 0);
    console
}
