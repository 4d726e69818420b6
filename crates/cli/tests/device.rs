//! `--device`: a graphics card, or lavapipe in its place, and machines without either.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod support;

use std::process::{Command, Output};

use serde_json::Value;
use support::{FEW, SMALL, folder, gym2600, lines};

/// The program where Vulkan finds no driver.
fn without_card(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gym2600"))
        .args(arguments)
        .env("VK_DRIVER_FILES", "/no/driver.json")
        .output()
        .unwrap()
}

#[test]
fn a_run_on_a_graphics_card_goes_on_on_the_cpu_from_its_checkpoint() {
    let folder = folder("card");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (checkpoint, weights) = (at("run.checkpoint"), at("run.safetensors"));
    let options = ["train", "--json", "--options", SMALL, "--seed", "7"];
    let files = ["--checkpoint", &checkpoint, "--weights", &weights];
    let more = ["--steps", "256", "--device", "gpu"];
    let output = gym2600(&[&options[..], &FEW, &files, &more].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{message}");
    assert!(message.contains("gym2600: computing on GPU: "), "{message}");
    let resume = [
        "train",
        "--json",
        "--no-save",
        "--resume",
        &checkpoint,
        "--steps",
        "384",
    ];
    let rest = lines(&resume);
    assert_eq!(rest.len(), 1);
    // Without a driver `auto` computes the same on the CPU, and says so.
    let output = without_card(&[&resume[..], &["--device", "auto"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("gym2600: computing on CPU: there is no graphics card that computes by Vulkan"),
        "{told}"
    );
    let again: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(again["weights"], rest[0]["weights"]);
    let evaluate = ["evaluate", "--weights", &weights, "--episodes", "1", "--greedy"];
    let [cpu, gpu] = ["cpu", "gpu"].map(|device| lines(&[&evaluate[..], &["--device", device]].concat()));
    assert_eq!(cpu, gpu);
}

#[test]
fn a_graphics_card_that_is_named_and_not_there_is_refused_with_the_reason() {
    let output = without_card(&["train", "--device", "gpu"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("gym2600: device gpu: there is no graphics card that computes by Vulkan"),
        "{message}"
    );
    let refused = gym2600(&["train", "--device", "tpu"]);
    assert_eq!(refused.status.code(), Some(2));
}
