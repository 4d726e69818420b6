//! The TypeScript types of definitions and of the catalogue, generated from the Rust types.

#[path = "../tests/support/typescript.rs"]
mod support;

use crate::catalogue::CatalogueEntry;
use crate::definition::*;
use crate::search::Found;
use crate::switches::ConsoleSwitches;
use support::{assert_committed, exported};

const CATALOGUE_HEADER: &str = "\
/** The catalogue, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */
";

const SWITCHES_HEADER: &str = "\
/** The console's switches, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

import type { RawSwitch } from \"./definition.js\";
";

const SEARCH_HEADER: &str = "\
/** What was found of a game in RAM, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */
";

const HEADER: &str = "\
/** Definitions of games, generated from the types of crates/arcade by `UPDATE_TYPES=1 cargo test -p gym2600-arcade typescript`. */

import type { ActionName } from \"../actions.js\";
";

#[test]
fn the_committed_typescript_types_are_those_of_the_rust_types() {
    let types = [
        HEADER.to_owned(),
        exported::<RawDefinition>(),
        exported::<RawPicture>(),
        exported::<RawControllers>(),
        exported::<RawActions>(),
        exported::<RawStart>(),
        exported::<RawModes>(),
        exported::<RawRules>(),
        exported::<RawMapper>(),
        exported::<RawTv>(),
        exported::<RawController>(),
        exported::<RawSwitch>(),
    ];
    assert_committed("definition.ts", &types.concat());
    let switches = [SWITCHES_HEADER.to_owned(), exported::<ConsoleSwitches>()];
    assert_committed("switches.ts", &switches.concat());
    let search = [SEARCH_HEADER.to_owned(), exported::<Found>()];
    assert_committed("search.ts", &search.concat());
    let catalogue = [CATALOGUE_HEADER.to_owned(), exported::<CatalogueEntry>()];
    assert_committed("catalogue.ts", &catalogue.concat());
}
