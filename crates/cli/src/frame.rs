//! `gym2600 frame`: writes the picture after some frames.

use clap::Args;
use gym2600_arcade::definition::RawMapper;
use gym2600_arcade::{Action, Arcade, Drawing, Settings, WIDTH};

use crate::actions;
use crate::error::CliError;
use crate::files;
use crate::load;

#[derive(Args)]
pub(crate) struct FrameArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// Frames to play after the reset, with NOOP after the last action of --actions.
    #[arg(long, default_value_t = 0)]
    frames: usize,
    /// Actions of the first frames: ALE's numbers 0 to 17, one per line (- reads the standard input) [default: NOOP].
    #[arg(long, value_name = "FILE")]
    actions: Option<String>,
    /// The PNG file to write.
    #[arg(long, value_name = "FILE")]
    png: String,
    /// Definition of the game (TOML) [default: that of the catalogue, or no rules and all lines that the game draws].
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: as the definition says, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    mapper: Option<RawMapper>,
}

pub(crate) fn run(arguments: &FrameArguments) -> Result<(), CliError> {
    let settings = Settings {
        repeat_action_probability: 0.0,
        mapper: arguments.mapper.map(Into::into),
        ..Settings::default()
    };
    let actions = match &arguments.actions {
        Some(path) => actions::read(path, Action::ALL.len())?,
        None => Vec::new(),
    };
    let mut arcade = load::arcade_of_any(arguments.rom.as_deref(), arguments.game.as_deref(), &settings)?;
    arcade.reset_game();
    for frame in 0..arguments.frames {
        let number = actions.get(frame).copied().unwrap_or(0);
        arcade.act(Action::ALL[number as usize], Drawing::OnDemand);
    }
    files::write(&arguments.png, &picture(&mut arcade, &arguments.png)?)
}

/// The console's picture as a PNG, for the file `path`.
pub(crate) fn picture(arcade: &mut Arcade, path: &str) -> Result<Vec<u8>, CliError> {
    let palette = arcade.palette();
    let pixels: Vec<u8> = arcade
        .screen()
        .iter()
        .flat_map(|&index| palette.rgb[index as usize])
        .collect();
    png(&pixels).map_err(|error| CliError::Write {
        path: path.to_owned(),
        source: error.into(),
    })
}

/// Rows of [`WIDTH`] pixels of red, green and blue as a file.
fn png(pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let height = pixels.len() / (3 * WIDTH);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
