//! Compiled games play as interpreted ones do: all ROMs of the reference's package, every kind of cartridge.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::CompileThread;

#[test]
fn every_rom_plays_the_same_compiled() {
    let roms = support::all_roms();
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 100);
    assert_eq!(compiled, roms.len());
}
