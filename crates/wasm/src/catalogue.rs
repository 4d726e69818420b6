//! The games that are known.

use gym2600_js::write;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The package's `CatalogueEntry`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CatalogueEntry {
    rom: &'static str,
    title: &'static str,
    env_id: Option<&'static str>,
    md5: &'static str,
}

/// All games of the catalogue, by name: the package's `CatalogueEntry`.
///
/// # Errors
/// None: the entries are plain data.
#[wasm_bindgen]
pub fn catalogue() -> Result<JsValue, JsValue> {
    let entries = gym2600_arcade::catalogue::games().map(|entry| CatalogueEntry {
        rom: entry.rom,
        title: entry.title,
        env_id: entry.env_id,
        md5: entry.md5,
    });
    write(&entries.collect::<Vec<_>>())
}
