//! TypeScript types that are generated from Rust types, and committed because building the npm package does not need Cargo.
//!
//! ts-rs derives them in tests only, so that no crate that is shipped depends on it.

use std::path::Path;

use ts_rs::{Config, TS};

/// A type's documentation and declaration.
pub fn exported<T: TS + ?Sized>() -> String {
    // Numbers of 64 bits are JavaScript's numbers: seeds, steps and frames stay below 2^53.
    let config = Config::default().with_large_int("number");
    let docs = T::docs().unwrap_or_default();
    let declaration = T::decl(&config).replace("{ \n", "{\n").replace(", };", ",\n};");
    format!("\n{docs}export {declaration}\n")
}

/// Compares a file of the package's folder `schema` with these types. With `UPDATE_TYPES` in the environment it is written first.
pub fn assert_committed(name: &str, types: &str) {
    let command = format!("UPDATE_TYPES=1 cargo test -p {} typescript", env!("CARGO_PKG_NAME"));
    assert_current(&format!("packages/gym2600/src/schema/{name}"), types, &command);
}

/// Compares a file of the repository, which a command writes, with this text. With `UPDATE_TYPES` in the environment it is written first.
pub fn assert_current(path: &str, text: &str, command: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&file, text).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == text, "{} is stale: run {command}", file.display());
}
