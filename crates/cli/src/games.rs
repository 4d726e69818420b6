//! `gym2600 games`: lists the catalogue.

use std::io::Write;

use clap::Args;
use gym2600_arcade::catalogue;

use crate::error::CliError;

#[derive(Args)]
pub(crate) struct GamesArguments {
    /// Print a JSON object for each game instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &GamesArguments, output: &mut impl Write) -> Result<(), CliError> {
    if !arguments.json {
        writeln!(
            output,
            "{:<20} {:<26} {:<28} MD5 of the ROM",
            "name", "title", "Gymnasium"
        )?;
    }
    for entry in catalogue::games() {
        if arguments.json {
            let line = serde_json::json!({
                "rom": entry.rom, "title": entry.title, "env_id": entry.env_id, "md5": entry.md5,
            });
            writeln!(output, "{line}")?;
        } else {
            writeln!(
                output,
                "{:<20} {:<26} {:<28} {}",
                entry.rom,
                entry.title,
                entry.env_id.unwrap_or("-"),
                entry.md5
            )?;
        }
    }
    Ok(())
}
