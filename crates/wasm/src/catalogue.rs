//! The games that are known.

use gym2600_gym::plain::Value;
use wasm_bindgen::prelude::*;

use crate::plain::js;

/// All games of the catalogue, by name: the package's `CatalogueEntry`.
#[wasm_bindgen]
pub fn catalogue() -> JsValue {
    let entries = gym2600_arcade::catalogue::games().map(|entry| {
        Value::object([
            ("rom", Value::Text(entry.rom.into())),
            ("title", Value::Text(entry.title.into())),
            ("envId", entry.env_id.map_or(Value::Null, |id| Value::Text(id.into()))),
            ("md5", Value::Text(entry.md5.into())),
        ])
    });
    js(Value::List(entries.collect()))
}
