//! Painting a game's picture on a canvas.

use gym2600_js::thrown;
use wasm_bindgen::prelude::*;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{ImageData, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

use crate::game::WasmGame;

/// An `OffscreenCanvas` of a picture's size.
#[wasm_bindgen]
pub struct WasmCanvas {
    context: OffscreenCanvasRenderingContext2d,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmCanvas {
    /// Gives `canvas` the size of a picture and takes its context.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &OffscreenCanvas, width: u32, height: u32) -> Result<WasmCanvas, JsValue> {
        let refused = || {
            thrown(
                "bad-option",
                "canvas: it has no 2d context, or has another kind of context already",
            )
        };
        let context = canvas.get_context("2d").map_err(|_| refused())?.ok_or_else(refused)?;
        canvas.set_width(width);
        canvas.set_height(height);
        Ok(Self {
            context: context.unchecked_into(),
        })
    }

    /// Paints the game's picture, whose size the canvas has.
    pub fn paint(&self, game: &mut WasmGame) -> Result<(), JsValue> {
        // The image is a view of this memory; putImageData copies it.
        game.with_rgba(|pixels, width| ImageData::new_with_u8_clamped_array(Clamped(pixels), width))
            .and_then(|image| self.context.put_image_data(&image, 0.0, 0.0))
            .map_err(|_| thrown("bad-option", "canvas: the picture cannot be painted on it"))
    }
}
