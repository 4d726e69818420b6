//! Compiled games play as interpreted ones do: all ROMs of the reference's package, every kind of cartridge.
#![allow(missing_docs, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::CompileThread;
use std::path::Path;

fn read(path: &Path) -> (String, Vec<u8>) {
    let rom = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path.display().to_string(), rom)
}

#[test]
fn every_rom_plays_the_same_compiled() {
    let folder = support::roms();
    let files = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup reference", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let roms: Vec<_> = paths.iter().map(|path| read(path)).collect();
    assert!(roms.len() > 100, "{} ROMs in {}", roms.len(), folder.display());
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 100);
    assert_eq!(compiled, roms.len());
}
