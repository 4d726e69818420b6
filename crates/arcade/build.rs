//! Compiles the catalogue: checks every file in `games/` and writes a table of them for `src/catalogue/mod.rs`.
//!
//! The schema, the checks and the rule compiler are the library's own modules, included here by path.

#![allow(
    dead_code,
    unused_imports,
    reason = "the library's modules have more than the build needs"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use definition::RawDefinition;

#[path = "src/action.rs"]
mod action;
#[path = "src/definition/mod.rs"]
mod definition;
#[path = "src/md5.rs"]
mod md5;
#[path = "src/rules/mod.rs"]
mod rules;
#[path = "src/text/mod.rs"]
mod text;

fn main() -> ExitCode {
    match compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compile() -> Result<(), Box<dyn Error>> {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("games");
    println!("cargo:rerun-if-changed=games");
    println!("cargo:rerun-if-changed=src");
    let mut files: Vec<PathBuf> = fs::read_dir(&games)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();

    let mut table = format!("static ENTRIES: [CatalogueEntry; {}] = [\n", files.len());
    let mut names = BTreeMap::new();
    for file in &files {
        let raw = read(file)?;
        write_entry(&mut table, &raw)?;
        if let Some(other) = names.insert(raw.md5, raw.rom.clone()) {
            return Err(format!(
                "games/{other}.toml and games/{}.toml are of the same ROM: they have one md5",
                raw.rom
            )
            .into());
        }
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogue.rs"), table)?;
    Ok(())
}

/// Reads the definition of a file, which is named `games/<rom>.toml` in errors.
fn read(file: &Path) -> Result<RawDefinition, Box<dyn Error>> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let file_name = format!("games/{name}.toml");
    let raw = RawDefinition::from_toml(&fs::read_to_string(file)?, &file_name)?;
    if raw.rom != name {
        return Err(format!("{file_name}: rom is {:?}, which is not the file's name", raw.rom).into());
    }
    if raw.title.is_none() || raw.md5.is_none() {
        return Err(format!("{file_name}: a file of the catalogue has a title and an md5").into());
    }
    Ok(raw)
}

/// Writes the entry of a game.
fn write_entry(table: &mut String, raw: &RawDefinition) -> Result<(), Box<dyn Error>> {
    let RawDefinition {
        rom,
        title: Some(title),
        env_id,
        md5: Some(md5),
        ..
    } = raw
    else {
        unreachable!("read refuses a definition without title or md5");
    };
    writeln!(
        table,
        "CatalogueEntry {{ rom: {rom:?}, title: {title:?}, env_id: {env_id:?}, md5: {md5:?}, definition: b\"{}\" }},",
        postcard::to_allocvec(raw)?.escape_ascii(),
    )?;
    Ok(())
}
