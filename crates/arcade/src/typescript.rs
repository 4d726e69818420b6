//! The TypeScript types of definitions, generated from [`RawDefinition`] and committed in the npm package.

use std::path::Path;

use ts_rs::{Config, TS};

use crate::definition::*;

/// The generated file.
const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../packages/gym2600/src/schema/definition.ts"
);

const HEADER: &str = "\
/** Definitions of games, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

import type { ActionName } from \"../actions.js\";
";

/// A type's documentation and declaration.
fn exported<T: TS>(config: &Config) -> String {
    let docs = T::docs().unwrap_or_default();
    let declaration = T::decl(config).replace("{ \n", "{\n").replace(", };", ",\n};");
    format!("\n{docs}export {declaration}\n")
}

fn types() -> String {
    // Whole numbers of definitions are small.
    let config = Config::default().with_large_int("number");
    [
        HEADER.to_owned(),
        exported::<RawDefinition>(&config),
        exported::<RawPicture>(&config),
        exported::<RawControllers>(&config),
        exported::<RawActions>(&config),
        exported::<RawStart>(&config),
        exported::<RawModes>(&config),
        exported::<RawRules>(&config),
        exported::<RawMapper>(&config),
        exported::<RawTv>(&config),
        exported::<RawController>(&config),
        exported::<RawSwitch>(&config),
    ]
    .concat()
}

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    let types = types();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(Path::new(FILE), &types).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        committed == types,
        "{FILE} is stale: run UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript"
    );
}
