//! Helpers for tests of real games, here and in crates/native.

use std::path::PathBuf;

/// The folder of ROMs that `scripts/setup reference` fills.
pub fn roms() -> PathBuf {
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
#[allow(dead_code, reason = "not every test has a ROM in mind")]
pub fn rom(name: &str) -> Vec<u8> {
    let path = roms().join(format!("{name}.bin"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup reference", path.display()))
}
