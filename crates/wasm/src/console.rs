//! What an environment and a bare console have in common: ways to look at the machine.

use gym2600_arcade::{Action, Arcade, TvFormat, WIDTH};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use crate::error::thrown;

/// The package's `ConsoleDescription`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsoleDescription<'a> {
    rom: &'a str,
    title: &'a str,
    tv: &'static str,
    screen: Screen,
    minimal_actions: Vec<&'static str>,
    legal_actions: Vec<&'static str>,
    modes: &'a [u32],
    difficulties: &'a [u32],
}

#[derive(Serialize)]
struct Screen {
    width: usize,
    height: usize,
}

impl<'a> ConsoleDescription<'a> {
    /// Of the game that is loaded.
    pub(crate) fn of(arcade: &'a Arcade) -> Self {
        let names = |actions: &[Action]| actions.iter().map(|action| action.name()).collect();
        let game = arcade.game();
        Self {
            rom: &game.rom,
            title: &game.title,
            tv: match arcade.tv() {
                TvFormat::Ntsc => "NTSC",
                TvFormat::Pal => "PAL",
            },
            screen: Screen {
                width: WIDTH,
                height: arcade.height(),
            },
            minimal_actions: names(arcade.minimal_actions()),
            legal_actions: names(arcade.legal_actions()),
            modes: &game.modes,
            difficulties: &game.difficulties,
        }
    }
}

/// Draws the picture with so many bytes a pixel and says where it is: 1 for palette indices, 2 for grey (a byte, too), 3 for red, green
/// and blue, 4 for these and 255. `drawn` keeps it until the next call.
pub(crate) fn draw(arcade: &mut Arcade, kind: u32, drawn: &mut Vec<u8>) -> u32 {
    let palette = arcade.palette();
    let screen = arcade.screen();
    match kind {
        1 => return screen.as_ptr() as u32,
        2 => {
            drawn.clear();
            drawn.extend(screen.iter().map(|&index| palette.gray[usize::from(index)]));
        }
        _ => {
            let bytes = kind.clamp(3, 4) as usize;
            drawn.clear();
            drawn.resize(screen.len() * bytes, 255);
            for (pixel, &index) in drawn.chunks_exact_mut(bytes).zip(screen) {
                pixel[..3].copy_from_slice(&palette.rgb[usize::from(index)]);
            }
        }
    }
    drawn.as_ptr() as u32
}

/// `value` as a plain JavaScript object; absent values as null.
pub(crate) fn plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value
        .serialize(&Serializer::json_compatible())
        .map_err(|error| thrown("wasm-failed", &error.to_string()))
}
