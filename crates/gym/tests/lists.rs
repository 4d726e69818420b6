//! Lists of wrappers: their JSON, and errors that are found before a game is loaded.

#![allow(
    clippy::unwrap_used,
    clippy::doc_markdown,
    reason = "a test may panic; NumPy is a name"
)]

use gym2600_gym::spec::{QueueFrames, SkipFrames, Wrapper};
use gym2600_gym::{Game, GameOptions, PRESETS};

fn options(json: &str) -> GameOptions {
    serde_json::from_str(json).unwrap()
}

/// The error of a list.
fn refusal(json: &str) -> String {
    Game::new(&[], &options(json)).unwrap_err().to_string()
}

#[test]
fn a_wrapper_is_written_as_its_name_or_as_an_object_with_a_type() {
    let options = options(r#"{"wrappers": ["MaxBetweenFrames", "SkipFrames", {"type": "SkipFrames", "n": 3}]}"#);
    assert_eq!(
        options.wrappers,
        Some(vec![
            Wrapper::MaxBetweenFrames,
            Wrapper::SkipFrames(SkipFrames::default()),
            Wrapper::SkipFrames(SkipFrames {
                n: 3,
                ..SkipFrames::default()
            }),
        ])
    );
}

#[test]
fn a_wrapper_without_options_refuses_unknown_keys() {
    let wrapper: Wrapper = serde_json::from_str(r#"{"type": "ScaledFloat"}"#).unwrap();
    assert_eq!(wrapper, Wrapper::ScaledFloat);
    let error = serde_json::from_str::<Wrapper>(r#"{"type": "ScaledFloat", "by": 4}"#).unwrap_err();
    assert!(error.to_string().contains("unknown field `by`"), "{error}");
}

#[test]
fn every_preset_survives_being_written_and_read() {
    for preset in PRESETS {
        let written = serde_json::to_string(&preset.wrappers()).unwrap();
        let read: Vec<Wrapper> = serde_json::from_str(&written).unwrap();
        assert_eq!(read, preset.wrappers(), "{}", preset.name);
    }
}

#[test]
fn a_misspelt_wrapper_or_option_is_refused_by_name() {
    let parse = |json| serde_json::from_str::<Wrapper>(json).unwrap_err().to_string();
    assert!(parse(r#""SkipFrame""#).contains("unknown variant `SkipFrame`"));
    assert!(parse(r#"{"type": "SkipFrames", "frames": 4}"#).contains("unknown field `frames`"));
    assert!(parse("7").contains("a wrapper: its name, or an object with its name as \"type\""));
}

#[test]
fn options_are_written_in_camel_case_and_misspelt_ones_are_refused() {
    let options =
        options(r#"{"preset": "labml", "seed": 3, "repeatActionProbability": 0.25, "fullActionSpace": true}"#);
    assert_eq!(options.repeat_action_probability, Some(0.25));
    assert!(serde_json::from_str::<GameOptions>(r#"{"presets": "labml"}"#).is_err());
}

#[test]
fn an_unknown_preset_is_refused_with_the_names_there_are() {
    let message = refusal(r#"{"preset": "atari"}"#);
    assert_eq!(
        message,
        "there is no preset \"atari\"; there are gym2600, labml, nature-dqn, gymnasium, ale-vector, envpool, baselines"
    );
}

#[test]
fn a_preset_and_a_list_together_are_refused() {
    assert!(refusal(r#"{"preset": "labml", "wrappers": []}"#).contains("were both given"));
}

#[test]
fn impossible_orders_are_refused_with_the_reason() {
    let cases = [
        (
            r#"["SkipFrames", "StickyActions"]"#,
            "wrapper 2, StickyActions: it is a setting of the console",
        ),
        (
            r#"["SkipFrames", "FrameBlending"]"#,
            "wrapper 2, FrameBlending: it is a setting of the console",
        ),
        (
            r#"["EpisodicLife", "EpisodicLife"]"#,
            "wrapper 2, EpisodicLife: it stands in the list twice",
        ),
        (
            r#"["FireReset", "FireReset"]"#,
            "wrapper 2, FireReset: it stands in the list twice",
        ),
        (
            r#"["AutoReset", "ClipReward"]"#,
            "wrapper 1, AutoReset: it has to come last, but ClipReward follows",
        ),
        (r#"[{"type": "SkipFrames", "n": 0}]"#, "wrapper 1, SkipFrames: n is 0"),
        (
            r#"[{"type": "SkipFrames", "n": 4, "below": 4}]"#,
            "wrapper 1, SkipFrames: below is 4",
        ),
        (
            r#"[{"type": "SkipFrames", "n": 2, "below": 10002}]"#,
            "wrapper 1, SkipFrames: a step would have 10001 frames",
        ),
        (
            r#"[{"type": "SkipFrames", "n": 2, "below": 5, "shows": "maxOfLastTwo"}]"#,
            "wrapper 1, SkipFrames: with below",
        ),
        (
            r#"[{"type": "NoopReset", "max": 1501}]"#,
            "wrapper 1, NoopReset: max is 1501; the steps before an episode would have 1501 frames, they have at most 1500",
        ),
        (
            r#"[{"type": "SkipFrames", "n": 7}, {"type": "NoopReset", "max": 9000}]"#,
            "wrapper 2, NoopReset: max is 9000; the steps before an episode would have 63000 frames, they have at most 1500",
        ),
        (
            r#"[{"type": "NoopReset", "max": 1000}, {"type": "SkipFrames", "n": 10000},
                {"type": "StartWithRandomActions", "max": 6}]"#,
            "wrapper 3, StartWithRandomActions: max is 6; the steps before an episode would have 61000 frames",
        ),
        (r#"[{"type": "QueueFrames", "n": 0}]"#, "wrapper 1, QueueFrames: n is 0"),
        (
            r#"[{"type": "TimeLimit", "steps": 0}]"#,
            "wrapper 1, TimeLimit: steps is 0",
        ),
        (
            r#"[{"type": "StickyActions", "probability": 1.5}]"#,
            "wrapper 1, StickyActions: probability 1.5 is not",
        ),
    ];
    for (list, message) in cases {
        let refused = refusal(&format!("{{\"wrappers\": {list}}}"));
        assert!(refused.starts_with(message), "{list}: {refused}");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    assert!(refusal(r#"{"repeatActionProbability": -0.1}"#).contains("repeatActionProbability"));
    assert!(refusal(r#"{"preset": "nature-dqn", "seed": 4294967296}"#).contains("4294967296 is above 4294967295"));
    assert!(refusal(r#"{"preset": "envpool", "seed": 2147483648}"#).contains("option seed"));
}

#[test]
fn defaults_are_those_of_the_wrapper_that_bears_the_name() {
    let Wrapper::QueueFrames(queue) = serde_json::from_str(r#""QueueFrames""#).unwrap() else {
        panic!()
    };
    assert_eq!(queue, QueueFrames::default());
    assert_eq!((queue.n, queue.concat), (4, false));
}
