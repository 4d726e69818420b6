//! The program as its users run it, on small pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Options of small pictures, so that a test takes a second.
pub const SMALL: &str = r#"{"wrappers": [{"type": "SkipFrames", "n": 4}, {"type": "ImagePreprocessing", "width": 28, "height": 28},
    {"type": "TimeLimit", "steps": 40}, {"type": "QueueFrames", "n": 4}]}"#;
/// Settings of short updates.
pub const FEW: [&str; 8] = [
    "--envs",
    "8",
    "--set",
    "rollout=16",
    "--set",
    "minibatches=4",
    "--set",
    "epochs=2",
];

/// A folder for a test's files.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs the program.
pub fn gym2600(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gym2600"))
        .args(arguments)
        .output()
        .unwrap()
}

/// The lines of JSON that the program prints when all is well.
pub fn lines(arguments: &[&str]) -> Vec<Value> {
    let output = gym2600(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
