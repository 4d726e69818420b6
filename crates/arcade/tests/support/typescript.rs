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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/gym2600/src/schema");
    let file = folder.join(name);
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&file, types).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == types,
        "{} is stale: run UPDATE_TYPES=1 cargo test -p {} typescript",
        file.display(),
        env!("CARGO_PKG_NAME")
    );
}
