//! The plain forms are those of JSON, and decimals those of the standard library.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::{Decimal, Plain, Record, Value, fill_field};
use crate::random::Pcg64;
use crate::spec::Wrapper;
use crate::{GameOptions, PRESETS};
use serde_json::json;

/// A value of JSON as the same plain data.
fn plain(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(number) => Value::Whole(number),
            None => Value::Real(number.as_f64().unwrap()),
        },
        serde_json::Value::String(text) => Value::Text(text.clone().into()),
        serde_json::Value::Array(values) => Value::List(values.iter().map(plain).collect()),
        serde_json::Value::Object(fields) => {
            let field = |(name, value): (&String, _)| (name.clone().into(), plain(value));
            Value::Object(fields.iter().map(field).collect())
        }
    }
}

/// The same, with the fields of objects by name, which is the order in which `serde_json` has them.
fn sorted(value: Value) -> Value {
    match value {
        Value::List(values) => Value::List(values.into_iter().map(sorted).collect()),
        Value::Object(mut fields) => {
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(fields.into_iter().map(|(name, value)| (name, sorted(value))).collect())
        }
        value => value,
    }
}

/// The options as they are read from plain data.
fn read(json: &serde_json::Value) -> Result<GameOptions, String> {
    let mut options = GameOptions::default();
    for (name, value) in json.as_object().unwrap() {
        fill_field(&mut options.fields(), name, &plain(value))?;
    }
    Ok(options)
}

/// Every wrapper with every value of every option that is a word or a switch.
fn wrappers() -> Vec<serde_json::Value> {
    let words: [(&str, &str, &[&str]); 19] = [
        ("EpisodicLife", "compare", &["previousStep", "episodeStart"]),
        ("EpisodicLife", "ends", &["livesLeft", "any"]),
        ("EpisodicLife", "restart", &["noopStep", "continue", "fullReset"]),
        ("FireReset", "plays", &["fire", "fireAndSecond"]),
        ("FireReset", "withoutFire", &["refuse", "passOn"]),
        ("NoopReset", "draw", &["numpy", "aleVector", "envpool"]),
        (
            "SkipFrames",
            "shows",
            &["last", "brighterOfLastTwo", "brighterOfTwoBuffers"],
        ),
        (
            "SkipFrames",
            "shows",
            &["brighterWithoutEndingFrame", "brighterOrFirstBuffer"],
        ),
        ("SkipFrames", "stopsAt", &["episodeEnd", "lostLife"]),
        ("ImagePreprocessing", "grey", &["opencv", "ale"]),
        ("ImagePreprocessing", "interpolation", &["area", "linear"]),
        ("QueueFrames", "axis", &["first", "last"]),
        ("QueueFrames", "padding", &["reset", "zero", "gameReset"]),
        ("ClipReward", "to", &["sign", "range"]),
        ("TimeLimit", "atLimit", &["truncated", "truncatedOnly"]),
        ("AutoReset", "mode", &["next-step", "same-step"]),
        ("FrameBlending", "type", &["FrameBlending", "MaxBetweenFrames"]),
        ("ScaledFloat", "type", &["ScaledFloat", "EpisodeStatistics"]),
        (
            "StartWithRandomActions",
            "type",
            &["StartWithRandomActions", "NoopReset"],
        ),
    ];
    let mut wrappers = vec![
        json!({"type": "StickyActions", "probability": 0.5}),
        json!({"type": "NoopReset", "max": 3}),
        json!({"type": "StartWithRandomActions", "max": 4}),
        json!({"type": "SkipFrames", "n": 5}),
        json!({"type": "ImagePreprocessing", "width": null, "height": 7, "grey": null, "rows": 8}),
        json!({"type": "QueueFrames", "n": 6, "concat": true}),
        json!({"type": "TimeLimit", "steps": 9}),
        json!("ClipReward"),
    ];
    for (wrapper, option, words) in words {
        wrappers.extend(words.iter().map(|word| {
            let mut value = json!({"type": wrapper});
            value[option] = json!(word);
            value
        }));
    }
    wrappers
}

#[test]
fn wrappers_are_read_and_written_as_in_json() {
    for json in wrappers() {
        let wrapper: Wrapper = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(Wrapper::read(&plain(&json)).as_ref(), Ok(&wrapper), "{json}");
        assert_eq!(
            sorted(wrapper.write()),
            plain(&serde_json::to_value(&wrapper).unwrap()),
            "{json}"
        );
    }
    for preset in PRESETS {
        let json = serde_json::to_value(preset.wrappers()).unwrap();
        assert_eq!(sorted(preset.wrappers().write()), plain(&json));
    }
}

#[test]
fn options_are_read_as_in_json() {
    let json = json!({
        "preset": "labml", "wrappers": wrappers(), "seed": 1_u64 << 53, "mode": 2, "difficulty": 3,
        "repeatActionProbability": 1, "fullActionSpace": true, "maxFramesPerEpisode": 4, "truncateOnLossOfLife": false,
        "soundObs": true, "observation": "ram", "seeding": "native", "autoreset": "disabled", "game": "rom = 'x'",
    });
    let options: GameOptions = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read(&json).as_ref(), Ok(&options));
    assert_eq!(
        sorted(options.object()),
        sorted(plain(&serde_json::to_value(&options).unwrap()))
    );
    for (option, words) in [
        ("observation", vec!["rgb", "grey"]),
        ("seeding", vec!["gymnasium", "gym"]),
        ("autoreset", vec!["next-step", "same-step"]),
    ] {
        for word in words {
            let mut json = json!({});
            json[option] = json!(word);
            assert_eq!(read(&json), Ok(serde_json::from_value(json).unwrap()));
        }
    }
}

#[test]
fn what_is_refused_is_refused_with_the_words_of_json() {
    let wrong = [
        json!({"sed": 1}),
        json!({"seed": -1}),
        json!({"seed": 1.5}),
        json!({"mode": 1_u64 << 32}),
        json!({"soundObs": 1}),
        json!({"preset": 5}),
        json!({"repeatActionProbability": "x"}),
        json!({"seeding": "numpy"}),
        json!({"wrappers": "SkipFrames"}),
        json!({"wrappers": [7]}),
        json!({"wrappers": ["SkipFrame"]}),
        json!({"wrappers": [{"n": 4}]}),
        json!({"wrappers": [{"type": "SkipFrames", "frames": 4}]}),
        json!({"wrappers": [{"type": "SkipFrames", "n": "4"}]}),
        json!({"wrappers": [{"type": "SkipFrames", "n": -4}]}),
        json!({"wrappers": [{"type": "NoopReset", "maximum": 4}]}),
        json!({"wrappers": [{"type": "NoopReset", "draw": 4}]}),
        json!({"wrappers": [{"type": "ClipReward", "by": 4}]}),
        json!({"wrappers": [{"type": "ClipReward", "to": true}]}),
        json!({"wrappers": [{"type": "QueueFrames", "concat": []}]}),
        json!({"wrappers": [{"type": "QueueFrames", "axis": "second"}]}),
    ];
    for json in wrong {
        let message = serde_json::from_value::<GameOptions>(json.clone())
            .unwrap_err()
            .to_string();
        assert_eq!(read(&json), Err(message), "{json}");
    }
}

#[test]
fn decimals_have_the_digits_of_the_standard_library() {
    for number in [
        0.0,
        -0.1,
        1.5,
        2.0,
        -1.0,
        1e-7,
        123_456.79,
        1e10,
        f32::INFINITY,
        f32::NAN,
    ] {
        assert_eq!(Decimal::from(number).to_string(), number.to_string());
    }
    for number in [
        0.0,
        -0.1,
        1.5,
        1e17,
        1e22,
        4_294_967_296.5,
        0.1 + 0.2,
        f64::NEG_INFINITY,
    ] {
        assert_eq!(Decimal::from(number).to_string(), number.to_string());
    }
    let mut random = Pcg64::new(2600);
    for exponent in -8..8 {
        for _ in 0..2000 {
            let number = f64::from(random.integers(0, u32::MAX)) / f64::from(u32::MAX) * 10_f64.powi(exponent);
            let number = number as f32;
            assert_eq!(Decimal::from(number).to_string(), number.to_string());
            assert_eq!(format!("{:?}", Decimal::from(number)), format!("{number:?}"));
        }
    }
    for thousandths in 0..1_000_000 {
        let number = f64::from(thousandths) / 1000.0;
        assert_eq!(Decimal::from(number).to_string(), number.to_string());
    }
}
