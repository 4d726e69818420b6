//! The games that are known.

use gym2600_js::write;
use wasm_bindgen::prelude::*;

/// All games of the catalogue, by name: the package's `CatalogueEntry`.
///
/// # Errors
/// None: the entries are plain data.
#[wasm_bindgen]
pub fn catalogue() -> Result<JsValue, JsValue> {
    write(&gym2600_arcade::catalogue::games().collect::<Vec<_>>())
}
