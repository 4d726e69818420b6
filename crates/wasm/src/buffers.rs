//! Bytes, numbers and pictures, written to buffers of the caller.

use gym2600_arcade::Arcade;
use js_sys::{Float64Array, Uint8Array};

/// Copies `from` into `to`, from the place `offset` on.
#[allow(unsafe_code, reason = "copies without a temporary array")]
pub(crate) fn copy(from: &[u8], to: &Uint8Array, offset: u32) {
    // SAFETY: nothing of ours allocates while the view exists. Its own handle may: should the memory grow for that, the view is
    // detached, and `set` throws instead of reading memory that has moved.
    to.set(&unsafe { Uint8Array::view(from) }.into(), offset);
}

/// Copies numbers into `to`, from the place `offset` on.
#[allow(unsafe_code, reason = "copies without a temporary array")]
pub(crate) fn copy_numbers(from: &[f64], to: &Float64Array, offset: u32) {
    // SAFETY: as in `copy`.
    to.set(&unsafe { Float64Array::view(from) }.into(), offset);
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
    copy(pixels(arcade, channels, room), picture, 0);
}
