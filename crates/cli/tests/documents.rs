//! The commands of the documents on the native program run as they stand.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The first block of a document in a language.
fn block(document: &str, language: &str) -> String {
    let text = fs::read_to_string(Path::new(CRATE).join(document)).unwrap();
    let (_, rest) = text.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// A folder with WALLOP under a name.
fn folder(name: &str, rom: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let rom = folder.join(rom);
    fs::create_dir_all(rom.parent().unwrap()).unwrap();
    fs::copy(Path::new(CRATE).join("../arcade/games/wallop.bin"), rom).unwrap();
    folder
}

fn run(commands: &str, folder: &Path) {
    let programs = Path::new(env!("CARGO_BIN_EXE_gym2600")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path))).unwrap();
    let output = Command::new("sh")
        .args(["-e", "-c", commands])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_commands_of_the_readme_run_as_they_stand() {
    let folder = folder("readme", "wallop.bin");
    run(&block("README.md", "sh"), &folder);
    for file in ["wallop.safetensors", "wallop.png"] {
        assert!(folder.join(file).exists(), "{file}");
    }
}

#[test]
fn the_definition_of_the_document_on_games_runs_by_its_command() {
    let document = "../../docs/games.md";
    let folder = folder("games", "crates/arcade/games/wallop.bin");
    fs::write(folder.join("mine.toml"), block(document, "toml")).unwrap();
    fs::write(folder.join("actions.txt"), "0\n1\n3\n").unwrap();
    run(&block(document, "sh"), &folder);
}
