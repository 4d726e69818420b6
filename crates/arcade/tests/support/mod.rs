//! What tests of real games share.

use std::path::PathBuf;

/// A ROM of the folder that `scripts/setup judge` fills.
pub fn rom(name: &str) -> Vec<u8> {
    let folder = std::env::var_os("GYM2600_ROMS").map_or_else(
        || {
            let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(
                || PathBuf::from(std::env::var_os("HOME").expect("a home folder")).join(".cache"),
                PathBuf::from,
            );
            cache.join("gym2600/roms")
        },
        PathBuf::from,
    );
    let path = folder.join(format!("{name}.bin"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run scripts/setup judge", path.display()))
}
