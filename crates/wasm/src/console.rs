//! What an environment and a bare console have in common: ways to look at the machine.

use gym2600_arcade::{Arcade, TvFormat, WIDTH};
use gym2600_gym::plain::{Plain, Value};

/// The package's `ConsoleDescription`, by field.
pub(crate) fn description(arcade: &Arcade) -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::Text(text.to_owned().into());
    let game = arcade.game();
    let tv = match arcade.tv() {
        TvFormat::Ntsc => "NTSC",
        TvFormat::Pal => "PAL",
    };
    let screen = [("width", WIDTH.write()), ("height", arcade.height().write())];
    vec![
        ("rom", text(&game.rom)),
        ("title", text(&game.title)),
        ("tv", Value::Text(tv.into())),
        ("screen", Value::object(screen)),
        (
            "minimalActions",
            names(arcade.minimal_actions().iter().map(|action| action.name())),
        ),
        (
            "legalActions",
            names(arcade.legal_actions().iter().map(|action| action.name())),
        ),
        ("modes", game.modes.write()),
        ("difficulties", game.difficulties.write()),
    ]
}

/// A list of names.
pub(crate) fn names(names: impl Iterator<Item = &'static str>) -> Value {
    Value::List(names.map(|name| Value::Text(name.into())).collect())
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
