//! The classes in a dedicated worker of a browser, on our own game.
//!
//! `scripts/test-wasm` runs them in headless Chromium and in headless Firefox.

#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_sign_loss, reason = "tests")]

use gym2600_wasm::{WasmArcade, WasmGame};
use js_sys::{Array, Function, JSON, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// The definition of a cartridge of zeros.
const NOTHING: &str = r#"
rom = "nothing"
title = "Nothing"
md5 = "620f0b67a91f7f74151bc5be745b7110"
size = 4096
mapper = "4K"

[picture]
expected_tv = "NTSC"
first_line = 34
height = 210

[controllers]
left = "joystick"
right = "joystick"

[actions]
minimal = ["NOOP"]

[modes]
available = [0]
default = 0
difficulties = [0]
default_difficulty = 0

[rules]
start = """
reward = 0
score = 0
lives = 0
terminal = false
"""
frame = """
reward = 0
"""
"#;
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

/// What JavaScript sees at an address.
fn bytes_at(address: u32, length: u32) -> Vec<u8> {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let view = Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), address, length);
    // A copy outside of the memory first: the vector's allocation may grow the memory, which detaches the view.
    view.slice(0, length).to_vec()
}

/// Reward, flags, lives, frame number, episode frame number, an ended episode's reward and length, and the lives, frame number and
/// episode frame number of an end that a reset replaced.
fn outcome(game: &WasmGame) -> Vec<f64> {
    let bytes = bytes_at(game.outcome_address(), 10 * 8);
    bytes
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
        .collect()
}

fn observation(game: &mut WasmGame) -> Vec<u8> {
    let mut bytes = bytes_at(game.observe(), game.observation_length());
    bytes.rotate_left(game.observation_start() as usize);
    bytes
}

#[wasm_bindgen_test]
fn the_tests_run_in_a_dedicated_worker() {
    let scope = get(&js_sys::global(), "DedicatedWorkerGlobalScope");
    assert!(scope.is_instance_of::<Function>());
}

#[wasm_bindgen_test]
fn a_game_describes_itself_as_a_plain_object() {
    let description = labml(0).description();
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
fn a_step_leaves_its_observation_where_javascript_reads_it() {
    let (mut first, mut second) = (labml(3), labml(3));
    first.reset(None).unwrap();
    second.reset(None).unwrap();
    let start = observation(&mut first);
    assert_eq!(start.len(), 4 * 84 * 84);
    for step in 0..200 {
        let action = step % 3;
        first.step(action).unwrap();
        second.step(action).unwrap();
        assert_eq!(outcome(&first), outcome(&second));
        assert_eq!(observation(&mut first), observation(&mut second));
    }
    assert_ne!(observation(&mut first), start);
}

#[wasm_bindgen_test]
fn an_episode_ends_with_its_reward_and_length() {
    let mut game = labml(0);
    game.reset(None).unwrap();
    let start = outcome(&game);
    assert_eq!(start[..3], [0.0, 0.0, 5.0]);
    let mut total = 0.0;
    for length in 1..20_000_u32 {
        game.step(length % 3).unwrap();
        let [reward, flags, _, frame, episode_frame, sum, steps, _, last_frame, _] = outcome(&game)[..] else {
            panic!("ten numbers")
        };
        total += reward;
        assert!(frame >= f64::from(length));
        if flags == 0.0 {
            assert!(episode_frame > 0.0);
            continue;
        }
        // Terminated, with a summary, the game itself, and replaced by the next episode's start.
        assert_eq!(flags, f64::from(1 | 4 | 8 | 16));
        assert!(last_frame >= f64::from(length) && last_frame < frame + 1.0);
        assert_ne!(game.final_observation_address(), 0);
        assert_eq!((sum, steps), (total, f64::from(length)));
        return;
    }
    panic!("no episode ended");
}

#[wasm_bindgen_test]
fn the_picture_is_opaque() {
    let mut game = labml(0);
    game.reset(None).unwrap();
    let screen = get(&game.description(), "screen");
    let pixels = 160 * get(&screen, "height").as_f64().unwrap() as u32;
    let address = game.draw(4);
    assert!(bytes_at(address, pixels * 4).chunks(4).all(|pixel| pixel[3] == 255));
    assert_eq!(game.draw(4), address);
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
    assert_eq!(refused(WALLOP, "{\"game\":\"title =\"}"), "bad-game");
    let mut game = labml(0);
    assert_eq!(code_of(&game.step(0).err().unwrap()), "bad-state");
    game.reset(None).unwrap();
    assert_eq!(code_of(&game.step(99).err().unwrap()), "bad-action");
}

#[wasm_bindgen_test]
fn a_bare_console_plays_and_repeats_itself() {
    let play = || {
        let mut console = WasmArcade::new(WALLOP, object("{}")).unwrap();
        console.reset_game().unwrap();
        let rewards: Vec<i32> = (0..600_u32)
            .map(|frame| console.act(frame / 8 % 18, 1.0).unwrap())
            .collect();
        let height = get(&get(&console.description(), "screen"), "height");
        let screen = (console.draw(1), 160 * height.as_f64().unwrap() as u32);
        (
            rewards,
            console.lives(),
            bytes_at(console.ram_address(), 128),
            bytes_at(screen.0, screen.1),
        )
    };
    let first = play();
    assert_eq!(first, play());
    assert_eq!(first.3.len() % 160, 0);
    let mut console = WasmArcade::new(WALLOP, object("{\"repeatActionProbability\":0}")).unwrap();
    assert_eq!(code_of(&console.act(18, 1.0).err().unwrap()), "bad-action");
    assert_eq!(code_of(&console.set_mode(99).err().unwrap()), "bad-option");
}

/// Options for a cartridge of zeros.
fn options_of_nothing() -> JsValue {
    let options = Object::new();
    Reflect::set(&options, &"game".into(), &NOTHING.into()).unwrap();
    options.into()
}

#[wasm_bindgen_test]
fn a_program_is_compiled_when_it_has_run_for_a_while() {
    // What the last program's console knew is known longer than that console, here another test's. So another program is the last.
    drop(WasmArcade::new(&[0; 4096], options_of_nothing()).unwrap());
    let mut arcade = WasmArcade::new(WALLOP, object("{\"seed\":0}")).unwrap();
    arcade.reset_game().unwrap();
    assert!(!arcade.is_compiled());
    for _ in 0..700 {
        arcade.act(1, 1.0).unwrap();
    }
    assert!(arcade.is_compiled());
}
