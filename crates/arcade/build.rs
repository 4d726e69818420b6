//! Makes one text of the files in `games/`, the catalogue, and a table of their lengths in it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("games");
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
    let lengths: Vec<usize> = catalogue.iter().map(String::len).collect();
    let text = catalogue.concat();
    let count = lengths.len();
    let table = format!("static LENGTHS: [u16; {count}] = {lengths:?};\nstatic FILES: &str = {text:?};\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogue.rs"), table)?;
    Ok(())
}

/// The text of one file without what nobody reads: it is carried by every program and every page.
fn entry(file: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let mut lines: Vec<&str> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let name = file
        .file_stem()
        .and_then(|name| name.to_str())
        .ok_or("the name is not UTF-8")?;
    let key = |line: &&str| line.split_once(" = ").map(|(key, _)| key.to_owned());
    let keys: Vec<String> = lines.iter().take(4).filter_map(key).collect();
    if !keys.starts_with(&["rom", "title", "md5"].map(str::to_owned)) && keys != ["rom", "title", "env_id", "md5"] {
        return Err(format!("it begins with {keys:?}, not with rom, title, perhaps env_id, and md5").into());
    }
    if lines[0] != format!("rom = {name:?}") {
        return Err(format!("{} is not the file's name", lines[0]).into());
    }
    // The library looks for the MD5 where it is in all of them: at the start.
    let md5 = keys.iter().position(|key| key == "md5").unwrap_or_default();
    lines[..=md5].rotate_right(1);
    Ok(lines.join("\n") + "\n")
}

/// A line without its comment. A `#` in a string stays.
fn bare(line: &str) -> &str {
    let line = match line.rsplit_once('#') {
        Some((line, comment)) if line.trim().is_empty() || !comment.contains(['"', '\'']) => line,
        _ => line,
    };
    line.trim()
}
