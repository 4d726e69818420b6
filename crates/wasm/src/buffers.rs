//! Bytes, numbers and pictures, written to buffers of the caller, and the variables of rules.

use gym2600_arcade::Arcade;
use js_sys::{Array, Float64Array, Object, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Copies `from` into `to`, from the place `offset` on. js-sys has no such method with an offset.
    #[wasm_bindgen(js_namespace = ["Uint8Array", "prototype", "set"], js_name = "call")]
    pub(crate) fn copy(to: &Uint8Array, from: &[u8], offset: u32);

    /// Copies numbers into `to`, from the place `offset` on.
    #[wasm_bindgen(js_namespace = ["Float64Array", "prototype", "set"], js_name = "call")]
    pub(crate) fn copy_numbers(to: &Float64Array, from: &[f64], offset: u32);
}

/// The picture with `channels` bytes per pixel: 1 for palette indices, 2 for grey (of one byte, too), 3 for RGB, 4 for RGBA. `room` is
/// reused between calls.
pub(crate) fn pixels<'a>(arcade: &'a mut Arcade, channels: u32, room: &'a mut Vec<u8>) -> &'a [u8] {
    let palette = arcade.palette();
    let screen = arcade.screen();
    room.clear();
    match channels {
        1 => return screen,
        2 => room.extend(screen.iter().map(|&index| palette.gray[usize::from(index)])),
        _ => {
            let bytes = channels.clamp(3, 4) as usize;
            room.resize(screen.len() * bytes, 255);
            for (pixel, &index) in room.chunks_exact_mut(bytes).zip(screen) {
                pixel[..3].copy_from_slice(&palette.rgb[usize::from(index)]);
            }
        }
    }
    room
}

/// Writes the picture in the form of [`pixels`].
pub(crate) fn draw(arcade: &mut Arcade, channels: u32, room: &mut Vec<u8>, picture: &Uint8Array) {
    copy(picture, pixels(arcade, channels, room), 0);
}

/// Variables of rules as an object, in their order.
pub(crate) fn named<'a>(variables: impl Iterator<Item = (&'a str, i64)>) -> Object {
    #[allow(clippy::cast_precision_loss, reason = "JavaScript has no other numbers")]
    let entry = |(name, value): (&str, i64)| Array::of2(&name.into(), &(value as f64).into());
    let entries: Array = variables.map(entry).collect();
    Object::from_entries(&entries).expect("pairs of a name and a value are entries")
}
