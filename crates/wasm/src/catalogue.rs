//! The games that are known.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::console::plain;

/// The package's `CatalogueEntry`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    rom: &'static str,
    title: &'static str,
    env_id: Option<&'static str>,
    md5: &'static str,
}

/// All games of the catalogue, by name.
#[wasm_bindgen]
#[allow(clippy::missing_errors_doc, reason = "see the crate's documentation")]
pub fn catalogue() -> Result<JsValue, JsValue> {
    let entries = gym2600_arcade::catalogue::games().map(|entry| Entry {
        rom: entry.rom,
        title: entry.title,
        env_id: entry.env_id,
        md5: entry.md5,
    });
    plain(&entries.collect::<Vec<_>>())
}
