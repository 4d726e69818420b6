//! The classes in a dedicated worker of a browser, on our own game.
//!
//! `scripts/test-wasm` runs them in three headless browsers.

#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_sign_loss, reason = "tests")]

use gym2600_gym::StepRecord;
use gym2600_wasm::{WasmArcade, WasmGame, describe};
use js_sys::{Array, Float64Array, Function, JSON, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

/// The object that `json` says.
fn object(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

fn code_of(error: &JsValue) -> String {
    assert!(error.is_instance_of::<js_sys::Error>());
    get(error, "code").as_string().unwrap()
}

fn labml(seed: u32) -> WasmGame {
    WasmGame::new(WALLOP, object(&format!("{{\"preset\":\"labml\",\"seed\":{seed}}}"))).unwrap()
}

/// A game with the record of its last step or reset.
struct Played {
    game: WasmGame,
    record: Float64Array,
}

impl Played {
    /// A game after its first reset.
    fn labml(seed: u32) -> Self {
        let mut played = Self {
            game: labml(seed),
            record: Float64Array::new_with_length(StepRecord::FIELDS.len() as u32),
        };
        played.game.reset(None, &played.record, 0).unwrap();
        played
    }

    fn step(&mut self, action: u32) -> Vec<f64> {
        self.game.step(action, 1.0, &self.record, 0).unwrap();
        self.record.to_vec()
    }

    fn observation(&mut self) -> Vec<u8> {
        let bytes = Uint8Array::new_with_length(4 * 84 * 84);
        self.game.observe(&bytes);
        bytes.to_vec()
    }
}

#[wasm_bindgen_test]
fn the_tests_run_in_a_dedicated_worker() {
    let scope = get(&js_sys::global(), "DedicatedWorkerGlobalScope");
    assert!(scope.is_instance_of::<Function>());
}

#[wasm_bindgen_test]
fn a_game_describes_itself_as_a_plain_object() {
    let description = labml(0).description().unwrap();
    assert_eq!(get(&description, "rom"), "wallop");
    assert_eq!(get(&description, "resetsItself"), true);
    let actions: Array = get(&description, "actions").unchecked_into();
    assert_eq!(actions.get(0), "NOOP");
    let space = get(&description, "observation");
    assert_eq!(
        JSON::stringify(&space).unwrap(),
        "{\"shape\":[4,84,84],\"dtype\":\"uint8\"}"
    );
    assert!(get(&get(&description, "spec"), "wrappers").is_instance_of::<Array>());
    assert_eq!(
        Object::get_prototype_of(&description),
        Object::get_prototype_of(&Object::new())
    );
}

#[wasm_bindgen_test]
fn a_description_needs_no_game() {
    let options = object("{\"preset\":\"labml\",\"seed\":0}");
    let text = |value: &JsValue| String::from(JSON::stringify(value).unwrap());
    assert_eq!(
        text(&describe(WALLOP, options).unwrap()),
        text(&labml(0).description().unwrap())
    );
}

#[wasm_bindgen_test]
fn games_of_one_seed_give_the_same_records_and_observations() {
    let (mut first, mut second) = (Played::labml(3), Played::labml(3));
    let start = first.observation();
    for step in 0..200 {
        assert_eq!(first.step(step % 3), second.step(step % 3));
        assert_eq!(first.observation(), second.observation());
    }
    assert_ne!(first.observation(), start);
}

#[wasm_bindgen_test]
fn records_are_rows_of_the_callers_array() {
    let (mut alone, mut first, mut second) = (Played::labml(3), labml(3), labml(4));
    let width = StepRecord::FIELDS.len();
    let records = Float64Array::new_with_length(2 * width as u32);
    let observation = Uint8Array::new_with_length(4 * 84 * 84);
    second.reset(None, &records, 0).unwrap();
    first.reset(None, &records, 1).unwrap();
    first.step(1, 1.0, &records, 1).unwrap();
    first.observe(&observation);
    assert_eq!(alone.step(1), records.to_vec()[width..]);
    assert_eq!(alone.observation(), observation.to_vec());
}

#[wasm_bindgen_test]
fn an_episode_ends_with_its_reward_and_length() {
    let mut game = Played::labml(0);
    assert_eq!(game.record.to_vec()[..4], [0.0, 0.0, 0.0, 5.0]);
    let last = Uint8Array::new_with_length(4 * 84 * 84);
    let mut total = 0.0;
    for length in 1..20_000_u32 {
        let [
            reward,
            raw,
            flags,
            _,
            frame,
            episode_frame,
            sum,
            steps,
            frames,
            _,
            last_frame,
            _,
        ] = game.step(length % 3)[..]
        else {
            panic!("twelve numbers")
        };
        assert_eq!(reward, raw);
        total += reward;
        assert!(frame >= f64::from(length));
        if flags == 0.0 {
            assert!(episode_frame > 0.0);
            assert!(!game.game.final_observation(&last));
            continue;
        }
        // Terminated, the game itself, with a summary, and replaced by the next episode's start.
        assert_eq!(flags, f64::from(1 | 4 | 8 | 16));
        assert!(last_frame >= f64::from(length) && last_frame < frame + 1.0);
        assert!(game.game.final_observation(&last));
        assert_eq!((sum, steps), (total, f64::from(length)));
        assert!(frames > steps);
        return;
    }
    panic!("no episode ended");
}

#[wasm_bindgen_test]
fn the_picture_is_opaque() {
    let mut game = Played::labml(0).game;
    let screen = get(&game.description().unwrap(), "screen");
    let pixels = 160 * get(&screen, "height").as_f64().unwrap() as u32;
    let picture = Uint8Array::new_with_length(pixels * 4);
    game.draw(4, &picture);
    assert!(picture.to_vec().chunks(4).all(|pixel| pixel[3] == 255));
}

#[wasm_bindgen_test]
fn failures_are_errors_with_codes() {
    let refused = |rom: &[u8], options: &str| code_of(&WasmGame::new(rom, object(options)).err().unwrap());
    assert_eq!(refused(&[], "{}"), "bad-rom-size");
    assert_eq!(refused(&[0; 3072], "{}"), "bad-rom-size");
    assert_eq!(refused(&[0; 4096], "{}"), "unknown-rom");
    assert_eq!(refused(WALLOP, "{\"preset\":\"nope\"}"), "bad-option");
    assert_eq!(refused(WALLOP, "{\"sed\":1}"), "bad-option");
    assert_eq!(refused(WALLOP, "{\"mode\":99}"), "bad-option");
    assert_eq!(refused(WALLOP, "{\"game\":{\"title\":\"a\"}}"), "bad-game");
    let mut game = labml(0);
    let record = Float64Array::new_with_length(StepRecord::FIELDS.len() as u32);
    assert_eq!(code_of(&game.step(0, 1.0, &record, 0).err().unwrap()), "bad-state");
    game.reset(None, &record, 0).unwrap();
    assert_eq!(code_of(&game.step(99, 1.0, &record, 0).err().unwrap()), "bad-action");
    assert_eq!(code_of(&game.step(0, 2.0, &record, 0).err().unwrap()), "bad-action");
}

#[wasm_bindgen_test]
fn a_refused_option_is_named_by_its_path() {
    let message = |options: &str| {
        let error = WasmGame::new(WALLOP, object(options)).err().unwrap();
        get(&error, "message").as_string().unwrap()
    };
    for (options, path, reason) in [
        (r#"{"sed": 1}"#, "sed", "unknown"),
        (r#"{"seed": -1}"#, "seed", "-1"),
        (r#"{"seed": 1.5}"#, "seed", "1.5"),
        (r#"{"mode": 4294967296}"#, "mode", "4294967296"),
        (r#"{"soundObs": 1}"#, "soundObs", "a boolean"),
        (r#"{"preset": 5}"#, "preset", "a string"),
        (r#"{"seeding": "numpy"}"#, "seeding", "`numpy`"),
        (r#"{"wrappers": 7}"#, "wrappers", "a sequence"),
        (r#"{"wrappers": [7]}"#, "wrappers[0]", "a wrapper"),
        (r#"{"wrappers": ["SkipFrame"]}"#, "wrappers[0]", "`SkipFrame`"),
        (r#"{"wrappers": [{"n": 4}]}"#, "wrappers[0]", "`type`"),
        (
            r#"{"wrappers": ["ClipReward", {"type": "SkipFrames", "frames": 4}]}"#,
            "wrappers[1].frames",
            "`frames`",
        ),
        (
            r#"{"wrappers": ["ClipReward", {"n": "4", "type": "SkipFrames"}]}"#,
            "wrappers[1].n",
            "\"4\"",
        ),
        (
            r#"{"wrappers": [{"type": "ScaledFloat", "by": 4}]}"#,
            "wrappers[0].by",
            "unknown",
        ),
    ] {
        let message = message(options);
        assert!(message.starts_with(&format!("option {path}: ")), "{message}");
        assert!(message.contains(reason), "{message}");
    }
    let endless = Object::new();
    Reflect::set(&endless, &"type".into(), &"SkipFrames".into()).unwrap();
    Reflect::set(&endless, &"n".into(), &endless).unwrap();
    let options = Object::new();
    Reflect::set(&options, &"wrappers".into(), &Array::of1(&endless)).unwrap();
    let error = WasmGame::new(WALLOP, options.into()).err().unwrap();
    assert_eq!(code_of(&error), "bad-option");
}

#[wasm_bindgen_test]
fn a_bare_console_plays_and_repeats_itself() {
    let play = || {
        let mut console = WasmArcade::new(WALLOP, object("{}")).unwrap();
        console.reset_game().unwrap();
        let rewards: Vec<i32> = (0..600_u32)
            .map(|frame| console.act(frame / 8 % 18, 1.0, 0, 1.0).unwrap())
            .collect();
        let height = get(&get(&console.description().unwrap(), "screen"), "height");
        let screen = Uint8Array::new_with_length(160 * height.as_f64().unwrap() as u32);
        console.draw(1, &screen);
        let ram = Uint8Array::new_with_length(128);
        console.ram(&ram);
        (rewards, console.lives(), ram.to_vec(), screen.to_vec())
    };
    let first = play();
    assert_eq!(first, play());
    assert_eq!(first.3.len() % 160, 0);
    let mut console = WasmArcade::new(WALLOP, object("{\"repeatActionProbability\":0}")).unwrap();
    assert_eq!(code_of(&console.act(18, 1.0, 0, 1.0).err().unwrap()), "bad-action");
    assert_eq!(code_of(&console.act(0, 1.0, 18, 1.0).err().unwrap()), "bad-action");
    assert_eq!(code_of(&console.set_mode(99).err().unwrap()), "bad-option");
}

/// Options for a cartridge of zeros.
fn options_of_nothing() -> JsValue {
    object(r#"{"game":{"rom":"nothing"}}"#)
}

#[wasm_bindgen_test]
fn a_program_is_compiled_when_it_has_run_for_a_while() {
    // The code of the last program outlives its console, and another test may have compiled WALLOP. Another program drops it.
    drop(WasmArcade::new(&[0; 4096], options_of_nothing()).unwrap());
    let mut arcade = WasmArcade::new(WALLOP, object("{\"seed\":0}")).unwrap();
    arcade.reset_game().unwrap();
    assert!(!arcade.is_compiled());
    for _ in 0..700 {
        arcade.act(1, 1.0, 0, 1.0).unwrap();
    }
    assert!(arcade.is_compiled());
}
