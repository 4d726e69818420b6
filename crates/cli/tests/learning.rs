//! `train` and `evaluate` as their users run them, on small pictures so that a test takes a second.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{FEW, SMALL, folder, gym2600, lines};

fn train(more: &[&str]) -> Vec<Value> {
    let options = ["train", "--no-save", "--json", "--options", SMALL, "--seed", "7"];
    lines(&[&options[..], &FEW, more].concat())
}

fn refusal(arguments: &[&str]) -> String {
    let output = gym2600(arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_line_of_training_has_its_keys_in_the_documented_order() {
    let options = ["train", "--no-save", "--json", "--options", SMALL, "--steps", "128"];
    let output = gym2600(&[&options[..], &FEW].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let keys: Vec<&str> = text.split('"').skip(1).step_by(2).take(12).collect();
    assert_eq!(
        keys,
        [
            "update",
            "steps",
            "episodes",
            "reward",
            "entropy",
            "kl",
            "clip_fraction",
            "explained_variance",
            "policy_loss",
            "value_loss",
            "steps_per_second",
            "weights"
        ]
    );
}

#[test]
fn a_run_that_is_resumed_goes_on_to_the_same_weights_on_other_threads() {
    let folder = folder("resume");
    let checkpoint = folder.join("half.checkpoint");
    let checkpoint = checkpoint.to_str().unwrap();
    let whole = train(&["--steps", "768", "--threads", "1"]);
    assert_eq!(whole.len(), 6);
    assert_eq!(whole[5]["steps"], 768);
    for (steps, done) in [("0", 0), ("384", 3)] {
        train(&[
            "--force",
            "--steps",
            steps,
            "--threads",
            "2",
            "--checkpoint",
            checkpoint,
        ]);
        let rest = lines(&[
            "train",
            "--no-save",
            "--json",
            "--resume",
            checkpoint,
            "--steps",
            "768",
            "--threads",
            "4",
        ]);
        assert_eq!(rest.len(), 6 - done);
        for (line, expected) in rest.iter().zip(&whole[done..]) {
            assert_eq!(line["weights"], expected["weights"]);
            assert_eq!(line["reward"], expected["reward"]);
        }
    }
}

#[test]
fn fast_arithmetic_has_almost_the_same_losses() {
    let exact = train(&["--steps", "128"]);
    let fast = train(&["--steps", "128", "--fast", "--threads", "1"]);
    for key in ["policy_loss", "value_loss", "entropy"] {
        let [exact, fast] = [&exact, &fast].map(|lines| lines[0][key].as_f64().unwrap());
        assert!((exact - fast).abs() < 1e-3, "{key}: {exact} and {fast}");
    }
    let again = train(&["--steps", "128", "--fast", "--threads", "2"]);
    assert_eq!(fast[0]["weights"], again[0]["weights"]);
    #[cfg(target_arch = "x86_64")]
    assert_eq!(
        exact[0]["weights"] != fast[0]["weights"],
        is_x86_feature_detected!("fma"),
        "the weights tell whether multiply-add is fused"
    );
}

#[test]
fn a_resumed_run_refuses_other_settings_with_both_named() {
    let folder = folder("settings");
    let checkpoint = folder.join("run.checkpoint");
    let checkpoint = checkpoint.to_str().unwrap();
    train(&["--steps", "128", "--checkpoint", checkpoint]);
    for (setting, expected) in [
        (
            &["--algorithm", "a2c"][..],
            "--algorithm \"ppo\", but \"a2c\" was asked for",
        ),
        (&["--net", "nature"], "--net \"tiny\", but \"nature\" was asked for"),
        (&["--seed", "8"], "--seed 7, but 8 was asked for"),
        (&["--envs", "16"], "--envs 8, but 16 was asked for"),
        (&["--set", "gamma=0.5"], "--gamma 0.98, but 0.5 was asked for"),
        (
            &[
                "--options",
                &SMALL.replace("{\"wrappers\"", "{\"mode\": 2, \"wrappers\""),
            ],
            "--options mode null, but 2 was asked for",
        ),
        (
            &["--options", r#"{"mode": 2}"#],
            "--options mode null, but 2 was asked for",
        ),
        (
            &["--preset", "gymnasium"],
            "--options preset null, but \"gymnasium\" was asked for",
        ),
        (
            &["--seed", "8", "--set", "epochs=9"],
            "--epochs 2, but 9 was asked for; --seed 7, but 8 was asked for",
        ),
    ] {
        let message = refusal(&[&["train", "--resume", checkpoint][..], setting].concat());
        let expected = format!("gym2600: the checkpoint has {expected}: a resumed run keeps its settings\n");
        assert_eq!(message, expected);
    }
}

#[test]
fn a_resumed_run_takes_some_or_all_of_its_settings_again() {
    let folder = folder("same-settings");
    let checkpoint = folder.join("run.checkpoint");
    let checkpoint = checkpoint.to_str().unwrap();
    let mode = r#"{"mode": 1, "preset": "gymnasium"}"#;
    let options = [
        "train",
        "--json",
        "--options",
        mode,
        "--steps",
        "0",
        "--checkpoint",
        checkpoint,
    ];
    lines(&[&options[..], &FEW].concat());
    for settings in [
        &["--options", mode][..],
        &["--options", r#"{"mode": 1}"#],
        &["--preset", "gymnasium", "--envs", "8", "--set", "epochs=2"],
    ] {
        let resumed = [
            &["train", "--json", "--resume", checkpoint, "--steps", "0"][..],
            settings,
        ];
        assert!(lines(&resumed.concat()).is_empty());
    }
}

#[test]
fn a_run_that_diverges_names_the_update_and_keeps_its_last_checkpoint() {
    let folder = folder("diverges");
    let checkpoint = folder.join("run.checkpoint");
    let checkpoint = checkpoint.to_str().unwrap();
    // One step of this size leaves the weights finite, and the next forward pass is not.
    let steep = [
        "--set",
        "learning_rate=1e36",
        "--set",
        "epochs=1",
        "--set",
        "minibatches=1",
    ];
    train(&[&steep[..], &["--steps", "128", "--checkpoint", checkpoint]].concat());
    let good = fs::read(checkpoint).unwrap();
    let message = refusal(&[
        "train",
        "--resume",
        checkpoint,
        "--checkpoint",
        checkpoint,
        "--steps",
        "512",
    ]);
    assert!(message.contains("is not a finite number in update 2"), "{message}");
    assert!(
        message.contains(&format!("the last good checkpoint is in {checkpoint}")),
        "{message}"
    );
    assert_eq!(fs::read(checkpoint).unwrap(), good);
    let weights = folder.join("w.safetensors");
    let weights = weights.to_str().unwrap();
    let resumed = [
        "train",
        "--json",
        "--resume",
        checkpoint,
        "--steps",
        "128",
        "--weights",
        weights,
    ];
    assert!(lines(&resumed).is_empty());
    let message = refusal(&["evaluate", "--weights", weights, "--episodes", "1"]);
    assert!(
        message.contains("outputs for an observation are not finite"),
        "{message}"
    );
}

#[test]
fn a_run_whose_first_weights_are_not_finite_leaves_its_first_checkpoint() {
    let folder = folder("infinite");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (checkpoint, weights) = (path("run.checkpoint"), path("w.safetensors"));
    let options = [
        "train",
        "--options",
        SMALL,
        "--steps",
        "128",
        "--set",
        "learning_rate=3e38",
    ];
    let once = ["--set", "epochs=1", "--set", "minibatches=1"];
    let files = ["--checkpoint", &checkpoint, "--weights", &weights];
    let message = refusal(&[&options[..], &FEW, &once, &files].concat());
    assert!(
        message.contains("a weight is not a finite number in update 1"),
        "{message}"
    );
    assert!(
        message.contains(&format!("the last good checkpoint is in {checkpoint}")),
        "{message}"
    );
    assert!(!Path::new(&weights).exists());
    assert!(lines(&["train", "--json", "--resume", &checkpoint, "--steps", "0"]).is_empty());
}

#[test]
fn a_run_tells_its_score_where_there_is_no_terminal() {
    let output = gym2600(
        &[
            &["train", "--no-save", "--options", SMALL, "--steps", "25088"][..],
            &FEW,
        ]
        .concat(),
    );
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("25088 steps, score "), "{text}");
    assert!(text.contains("/s, 0s left\n"), "{text}");
    assert!(text.contains("196 updates, 25088 steps, weights "), "{text}");
}

#[test]
fn trained_weights_play_and_logs_have_every_update() {
    let folder = folder("files");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (weights, onnx) = (path("w.safetensors"), path("w.onnx"));
    let (json, csv, board) = (path("log.jsonl"), path("log.csv"), path("board"));
    let updates = train(&[
        "--steps",
        "256",
        "--weights",
        &weights,
        "--weights",
        &onnx,
        "--log",
        &json,
        "--log",
        &csv,
        "--log",
        &board,
    ]);
    assert_eq!(updates.len(), 2);
    let log = fs::read_to_string(&json).unwrap();
    assert_eq!(log.lines().count(), 3);
    assert!(log.contains("\"episodes\":0,"), "{log}");
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 3);
    assert_eq!(fs::read_dir(&board).unwrap().count(), 1);
    assert!(fs::read(&onnx).unwrap().len() > 10_000);
    let played = lines(&["evaluate", "--weights", &weights, "--episodes", "2", "--greedy"]);
    assert_eq!(played.len(), 3);
    assert_eq!(played[2]["episodes"], 2);
    assert_eq!(
        played,
        lines(&["evaluate", "--weights", &weights, "--episodes", "2", "--greedy"])
    );
    for (options, expected) in [
        (
            ["--preset", "gymnasium"],
            "the weights are of input [28, 28, 4], not of [84, 84, 4]",
        ),
        (["--options", r#"{"moode": 2}"#], "--options: unknown field `moode`"),
    ] {
        let message = refusal(&[&["evaluate", "--weights", &weights][..], &options].concat());
        assert!(message.contains(expected), "{message}");
    }
    let seeded = ["evaluate", "--weights", &weights, "--episodes", "1"];
    assert_eq!(
        lines(&[&seeded[..], &["--options", r#"{"seed": 7}"#]].concat()),
        lines(&[&seeded[..], &["--seed", "7"]].concat())
    );
    for (file, advice) in [(&csv, ""), (&onnx, "safetensors are read")] {
        let message = refusal(&["evaluate", "--weights", file]);
        assert!(
            message.contains(&format!("{file}: ")) && message.contains(advice),
            "{message}"
        );
        assert!(refusal(&["train", "--resume", file]).contains(&format!("{file}: ")));
    }
}

#[test]
fn the_log_of_a_resumed_run_goes_on_at_its_end() {
    let folder = folder("resumed-log");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (checkpoint, json, csv) = (path("run"), path("log.jsonl"), path("log.csv"));
    let logs = ["--log", &json, "--log", &csv];
    train(&[&logs[..], &["--steps", "256", "--checkpoint", &checkpoint]].concat());
    let resume = ["train", "--no-save", "--json", "--resume", &checkpoint];
    let until = |steps| lines(&[&resume[..], &["--steps", steps], &logs].concat());
    until("512");
    let first_words = |path: &str| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| line.split(',').next().unwrap().to_owned())
            .filter(|word| !word.starts_with("{\"version"))
            .collect()
    };
    assert_eq!(first_words(&csv), ["update", "1", "2", "3", "4"]);
    let updates = [1, 2, 3, 4].map(|update| format!("{{\"update\":{update}"));
    assert_eq!(first_words(&json), updates);
    // A run that went on after the checkpoint, and was ended in a row, leaves rows that the next one writes again.
    for path in [&json, &csv] {
        let mut text = fs::read_to_string(path).unwrap();
        text.truncate(text.len() - 9);
        fs::write(path, text).unwrap();
    }
    until("512");
    assert_eq!(first_words(&csv), ["update", "1", "2", "3", "4"]);
    assert_eq!(first_words(&json), updates);
    // The files of a checkpoint without further updates end at it.
    assert!(until("256").is_empty());
    assert_eq!(first_words(&csv), ["update", "1", "2"]);
    assert_eq!(first_words(&json), updates[..2]);
}

#[test]
fn what_cannot_be_is_refused_with_the_value_at_fault() {
    for (arguments, expected) in [
        (&["--set", "gama=1"][..], "gama: there is no such hyper-parameter"),
        (&["--set", "gamma=2"], "gamma: 2 is not from 0 to 1"),
        (&["--envs", "6"], "--envs: 6 is no multiple of 4"),
        (&["--preset", "no"], "there is no preset \"no\""),
        (&["/no/rom.bin"], "cannot read /no/rom.bin"),
    ] {
        let message = refusal(&[&["train"], arguments].concat());
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_wrong_command_line_is_told_from_wrong_input_by_the_exit_code() {
    for (arguments, expected) in [
        (
            &["train", "--set", "gamma"][..],
            "'gamma' for '--set <KEY=VALUE>': expected KEY=VALUE",
        ),
        (&["train", "--algorithm", "dqn"], "dqn"),
        (&["train", "--log="], "--log"),
        (&["train", "--weights", ""], "--weights"),
        (&["evaluate", "--weights="], "--weights"),
    ] {
        let output = gym2600(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn results_follow_links_and_leave_pipes_where_they_are() {
    let folder = folder("links");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(at("target"), "before").unwrap();
    std::os::unix::fs::symlink(at("target"), at("link")).unwrap();
    std::os::unix::fs::symlink(at("new"), at("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let read = fs::File::create(at("read")).unwrap();
    let mut reader = Command::new("cat")
        .arg(at("pipe"))
        .stdout(read)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let files = [at("plain"), at("link"), at("dangling"), at("pipe")];
    let weights = files.iter().flat_map(|path| ["--weights", path]);
    let arguments: Vec<&str> = ["--force", "--steps", "128"].into_iter().chain(weights).collect();
    train(&arguments);
    let written = fs::read(at("plain")).unwrap();
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    for name in ["target", "new"] {
        assert!(fs::read(at(name)).unwrap() == written, "{name}");
    }
    assert!(reader.wait().unwrap().success());
    assert!(fs::read(at("read")).unwrap() == written);
}
