//! Makes the table of the catalogue's games out of the files in `games/`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../games");
    println!("cargo:rerun-if-changed={}", games.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&games)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();

    let mut table = format!("static ENTRIES: [Entry; {}] = [\n", files.len());
    for file in &files {
        entry(&mut table, file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogue.rs"), table)?;
    Ok(())
}

/// Writes the entry of one file. What it takes out of the file stands at its top, before the first table, a key to a line.
fn entry(table: &mut String, file: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?.replace("\r\n", "\n");
    let name = file
        .file_stem()
        .and_then(|name| name.to_str())
        .ok_or("the name is not UTF-8")?;
    let find = |key: &str| {
        text.lines()
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split_once(" = "))
            .find(|(found, _)| *found == key)
            .map(|(_, value)| value.trim().trim_matches('"'))
    };
    let need = |key: &str| find(key).ok_or(format!("no {key} before the first table"));
    let (rom, title, md5) = (need("rom")?, need("title")?, need("md5")?);
    if rom != name {
        return Err(format!("rom is {rom:?}, which is not the file's name").into());
    }
    let env_id = find("env_id");
    writeln!(
        table,
        "Entry {{ rom: {rom:?}, title: {title:?}, env_id: {env_id:?}, md5: {md5:?}, file_name: \"games/{name}.toml\", text: {text:?} }},"
    )?;
    Ok(())
}
