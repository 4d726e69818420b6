//! The ROMs of real games, for tests of all crates.
#![allow(dead_code, reason = "not every test uses all of it")]

pub mod limits;

use std::path::PathBuf;

/// The folder of ROMs that `scripts/setup reference` fills.
fn folder() -> PathBuf {
    std::env::var_os("GYM2600_ROMS").map_or_else(
        || {
            let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(
                || PathBuf::from(std::env::var_os("HOME").expect("a home folder")).join(".cache"),
                PathBuf::from,
            );
            cache.join("gym2600/roms")
        },
        PathBuf::from,
    )
}

/// A ROM of that folder.
pub fn rom(name: &str) -> Vec<u8> {
    let path = folder().join(format!("{name}.bin"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup reference", path.display()))
}

/// The names and bytes of all ROMs of that folder, sorted.
pub fn all_roms() -> Vec<(String, Vec<u8>)> {
    let folder = folder();
    let files = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup reference", folder.display()));
    let paths = files.map(|file| file.expect("a file").path());
    let mut names: Vec<_> = paths
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() > 100, "{} ROMs in {}", names.len(), folder.display());
    names
        .into_iter()
        .map(|name| {
            let bytes = rom(&name);
            (name, bytes)
        })
        .collect()
}
