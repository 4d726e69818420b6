//! The commands of the README run as they stand.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const README: &str = include_str!("../README.md");

#[test]
fn the_commands_of_the_readme_run_as_they_stand() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(&folder).unwrap();
    let wallop = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arcade/games/wallop.bin");
    fs::copy(wallop, folder.join("wallop.bin")).unwrap();
    let (_, rest) = README.split_once("```sh\n").unwrap();
    let (commands, _) = rest.split_once("```").unwrap();

    let programs = Path::new(env!("CARGO_BIN_EXE_gym2600")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path))).unwrap();
    let output = Command::new("sh")
        .args(["-e", "-c", commands])
        .current_dir(&folder)
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["wallop.safetensors", "wallop.png"] {
        assert!(folder.join(file).exists(), "{file}");
    }
}
