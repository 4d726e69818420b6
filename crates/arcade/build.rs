//! Makes one text of the files in `games/`, the catalogue.

use std::error::Error;
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

    let mut catalogue = Vec::new();
    for file in &files {
        catalogue.push(entry(file).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogue"), catalogue.join("\0"))?;
    Ok(())
}

/// The text of one file without what nobody reads: it is carried by every program and every page.
fn entry(file: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let lines: Vec<&str> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let name = file
        .file_stem()
        .and_then(|name| name.to_str())
        .ok_or("the name is not UTF-8")?;
    // The library finds these here without reading all of the file.
    let mut top = lines.iter().take_while(|line| !line.starts_with('['));
    for key in ["rom", "title", "md5"] {
        let found = top.find(|line| line.split_once(" = ").is_some_and(|(found, _)| found == key));
        found.ok_or(format!("no {key} before the first table, in its place"))?;
    }
    if lines[0] != format!("rom = {name:?}") {
        return Err(format!("it begins with {:?}, and rom has to be the file's name", lines[0]).into());
    }
    Ok(lines.join("\n"))
}

/// A line without its comment. A `#` in a string stays.
fn bare(line: &str) -> &str {
    let line = match line.rsplit_once('#') {
        Some((line, comment)) if line.trim().is_empty() || !comment.contains(['"', '\'']) => line,
        _ => line,
    };
    line.trim()
}
