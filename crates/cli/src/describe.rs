//! `gym2600 describe`: what is to be known of a game before it is played.

use std::io::Write;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gym2600_arcade::definition::RawMapper;
use gym2600_gym::{GameDescription, Space, describe};

use crate::error::CliError;
use crate::load;

#[derive(Args)]
pub(crate) struct DescribeArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// The environment [default: gym2600].
    #[arg(long, value_name = "NAME", conflicts_with = "options", value_parser = NonEmptyStringValueParser::new())]
    preset: Option<String>,
    /// Options of the environment as JSON, or a file with them [default: those of the preset].
    #[arg(long, value_name = "FILE|JSON", value_parser = NonEmptyStringValueParser::new())]
    options: Option<String>,
    /// Definition of the game (TOML) [default: that of the catalogue].
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: as the definition says, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    mapper: Option<RawMapper>,
    /// Print a JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &DescribeArguments, output: &mut impl Write) -> Result<(), CliError> {
    let DescribeArguments {
        options,
        preset,
        game,
        mapper,
        ..
    } = arguments;
    let rom = load::rom_or_wallop(arguments.rom.as_deref())?;
    let options = load::environment(options.as_deref(), preset.as_deref(), game.as_deref(), *mapper)?;
    let description = load::placed(game.as_deref(), || Ok(describe(&rom, &options)?))?;
    if arguments.json {
        let line = serde_json::to_string(&description).map_err(std::io::Error::from)?;
        writeln!(output, "{line}")?;
        return Ok(());
    }
    for (name, value) in rows(&description) {
        writeln!(output, "{name:<15} {value}")?;
    }
    Ok(())
}

fn rows(description: &GameDescription) -> [(&'static str, String); 11] {
    let GameDescription {
        arcade,
        actions,
        observation: Space { shape, dtype, .. },
        spec,
        ..
    } = description;
    let numbered = actions
        .iter()
        .enumerate()
        .map(|(number, name)| format!("{number} {name}"));
    let wrappers = spec.wrappers.iter().map(|wrapper| wrapper.name().to_owned());
    let dtype = format!("{dtype:?}").to_lowercase();
    [
        ("name", arcade.rom.clone()),
        ("title", arcade.title.clone()),
        ("MD5 of the ROM", arcade.md5.clone()),
        ("television", format!("{:?}", arcade.tv).to_uppercase()),
        ("actions", joined(numbered, ", ")),
        ("modes", joined(arcade.modes.iter().map(u32::to_string), ", ")),
        (
            "difficulties",
            joined(arcade.difficulties.iter().map(u32::to_string), ", "),
        ),
        ("preset", spec.preset.clone().unwrap_or_else(|| "none".to_owned())),
        ("wrappers", joined(wrappers, ", ")),
        (
            "observation",
            format!("{dtype}, {}", joined(shape.iter().map(usize::to_string), " x ")),
        ),
        ("frames a step", description.frames_per_step.to_string()),
    ]
}

fn joined(values: impl Iterator<Item = String>, separator: &str) -> String {
    values.collect::<Vec<_>>().join(separator)
}
