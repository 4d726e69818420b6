//! Requests as `scripts/bench` sends them.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

const WALLOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/arcade/games/wallop.bin");

/// The answers to requests. `WALLOP` in a request stands for the file of the ROM.
fn answers(requests: &[&str]) -> Vec<Value> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_gym2600-bench"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    for request in requests {
        writeln!(input, "{}", request.replace("WALLOP", WALLOP)).unwrap();
    }
    drop(input);
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_measurement_in_slices_is_the_measurement_in_one() {
    let steps = |count: u32| format!(r#"{{"measure":"steps","rom":"WALLOP","count":{count}}}"#);
    let [whole] = &answers(&[&steps(900)])[..] else {
        panic!()
    };
    let slices = answers(&[&steps(400), &steps(500)]);
    for key in ["done", "reward", "episodes"] {
        let sum: f64 = slices.iter().map(|slice| slice[key].as_f64().unwrap()).sum();
        assert_eq!(whole[key].as_f64().unwrap().to_bits(), sum.to_bits(), "{key}");
    }
}

#[test]
fn looking_at_frames_changes_nothing_that_happens_in_them() {
    let frames =
        |measure: &str| format!(r#"{{"measure":"{measure}","rom":"WALLOP","actions":[0,1,3,4],"count":3000}}"#);
    let played = answers(&[&frames("frames"), &frames("hidden")]);
    for key in ["done", "reward", "episodes"] {
        assert_eq!(played[0][key], played[1][key], "{key}");
    }
    assert!(played[0]["reward"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_run_is_measured_in_steps_and_does_not_depend_on_threads() {
    let run = |threads: u32| {
        format!(r#"{{"measure":"train","rom":"WALLOP","algorithm":"a2c","threads":{threads},"count":320}}"#)
    };
    let runs = answers(&[&run(1), &run(2)]);
    for key in ["done", "reward", "episodes"] {
        assert_eq!(runs[0][key], runs[1][key], "{key}");
    }
    assert_eq!(runs[0]["done"], 320);
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_reason_and_the_rest_goes_on() {
    let answers = answers(&[
        "frames",
        r#"{"measure":"luck","rom":"WALLOP"}"#,
        r#"{"measure":"steps","rom":"nowhere.bin"}"#,
        r#"{"measure":"frames","rom":"WALLOP","actions":[0,18]}"#,
        r#"{"measure":"vector","rom":"WALLOP"}"#,
        r#"{"measure":"vector","rom":"WALLOP","envs":3,"count":5}"#,
    ]);
    let reasons: Vec<&str> = answers.iter().filter_map(|answer| answer["error"].as_str()).collect();
    assert_eq!(reasons.len(), 5, "{reasons:?}");
    assert!(
        reasons[0].starts_with("\"frames\" is no measurement: "),
        "{}",
        reasons[0]
    );
    assert!(reasons[1].contains("unknown variant `luck`"), "{}", reasons[1]);
    assert!(reasons[2].starts_with("cannot read nowhere.bin"), "{}", reasons[2]);
    assert!(reasons[3].contains("not with [0, 18]"), "{}", reasons[3]);
    assert!(reasons[4].contains("numEnvs"), "{}", reasons[4]);
    assert_eq!(answers[5]["done"], 6);
}
