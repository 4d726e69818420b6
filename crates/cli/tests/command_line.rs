//! The program as its users run it: its output, and its errors for wrong input.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const WALLOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../arcade/games/wallop.bin");

/// A folder for a test's files.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn gym2600(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gym2600"))
        .args(arguments)
        .output()
        .unwrap()
}

/// The lines of a successful run.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = gym2600(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The standard error of a run that fails and prints nothing.
fn refusal(arguments: &[&str]) -> String {
    let output = gym2600(arguments);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_trace_has_a_line_for_the_reset_and_one_for_each_action() {
    let folder = folder("trace");
    let actions = file(&folder, "actions", "0\n1\n3\n");
    let lines = lines(&["trace", WALLOP, &actions]);
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("{\"frame\":0,\"reward\":0,\"lives\":5,\"over\":false,\"ram\":\""),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with("\",\"reset\":true}"), "{}", lines[0]);
    for (frame, line) in lines.iter().enumerate().skip(1) {
        assert!(
            line.starts_with(&format!("{{\"frame\":{frame},\"reward\":0,")),
            "{line}"
        );
        assert!(!line.contains("reset"), "{line}");
    }
}

#[test]
fn a_dump_is_the_state_of_the_line_it_names() {
    let folder = folder("dump");
    let actions = file(&folder, "actions", "1\n".repeat(50));
    let dump = folder.join("dump");
    let printed = lines(&[
        "trace",
        WALLOP,
        &actions,
        "--dump-line",
        "31",
        "--dump-to",
        dump.to_str().unwrap(),
    ]);
    assert_eq!(printed.len(), 31);
    let state = fs::read(&dump).unwrap();
    let (ram, screen) = state.split_at(128);
    assert_eq!(screen.len() % 160, 0);
    let checksums = format!(
        "\"ram\":\"{:08x}\",\"screen\":\"{:08x}\"",
        crc32fast::hash(ram),
        crc32fast::hash(screen)
    );
    assert!(printed[30].contains(&checksums), "{} lacks {checksums}", printed[30]);
}

#[test]
fn a_rollout_has_a_line_for_the_reset_and_one_for_each_step() {
    let folder = folder("rollout");
    let actions = file(&folder, "actions", "0\n1\n0\n");
    let lines = lines(&["rollout", WALLOP, &actions, "--preset", "labml"]);
    assert_eq!(lines.len(), 4);
    for (step, line) in lines.iter().enumerate() {
        let start =
            format!("{{\"step\":{step},\"reward\":0.0,\"terminated\":false,\"truncated\":false,\"lives\":5,\"obs\":\"");
        assert!(line.starts_with(&start), "{line}");
        assert!(line.ends_with("\",\"episode\":null}"), "{line}");
    }
}

#[test]
fn the_actions_are_dealt_to_several_environments_in_turn() {
    let folder = folder("deal");
    let all = file(&folder, "all", "0\n1\n2\n3\n");
    let first = file(&folder, "first", "0\n2\n");
    let alone = lines(&["rollout", WALLOP, &first, "--preset", "ale-vector", "--seed", "5"]);
    let together = lines(&[
        "rollout",
        WALLOP,
        &all,
        "--preset",
        "ale-vector",
        "--seed",
        "5",
        "--envs",
        "2",
    ]);
    assert_eq!(together.len(), 3);
    for (line, alone) in together.iter().zip(alone) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let alone: serde_json::Value = serde_json::from_str(&alone).unwrap();
        for (key, values) in line.as_object().unwrap() {
            assert_eq!(values.as_array().unwrap().len(), 2, "{key}");
            assert_eq!(values[0], alone[key], "{key}");
        }
    }
}

#[test]
fn a_definition_of_ones_own_runs_any_rom() {
    let folder = folder("definition");
    let mut rom = fs::read(WALLOP).unwrap();
    // A change of the unused interrupt vector: another MD5, the same game.
    let unused = rom.len() - 6;
    rom[unused] ^= 1;
    let rom = file(&folder, "mine.bin", rom);
    let actions = file(&folder, "actions", "0\n".repeat(20));
    let definition: String = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../arcade/games/wallop.toml"))
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("md5"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let definition = file(&folder, "mine.toml", definition);
    assert!(refusal(&["trace", &rom, &actions]).contains("--game FILE"));
    assert_eq!(
        lines(&["trace", &rom, &actions, "--game", &definition]),
        lines(&["trace", WALLOP, &actions])
    );
    lines(&[
        "rollout",
        &rom,
        &actions,
        "--preset",
        "gymnasium",
        "--game",
        &definition,
    ]);
}

#[test]
fn the_catalogue_lists_every_game() {
    let table = lines(&["games"]);
    assert!(
        table
            .iter()
            .any(|line| line.starts_with("breakout") && line.contains("ALE/Breakout-v5"))
    );
    let json = lines(&["games", "--json"]);
    assert_eq!(json.len() + 1, table.len());
    assert!(json.len() >= 108);
    for line in json {
        let game: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(game["md5"].as_str().unwrap().len(), 32);
    }
}

#[test]
fn a_picture_is_a_png_of_the_screen() {
    let folder = folder("picture");
    let png = folder.join("picture.png");
    lines(&["frame", WALLOP, "--frames", "10", "--png", png.to_str().unwrap()]);
    let file = std::io::BufReader::new(fs::File::open(png).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(
        (info.width, info.height, info.color_type),
        (160, 210, png::ColorType::Rgb)
    );
    assert!(pixels.iter().any(|&byte| byte != 0));
}

#[test]
fn a_rom_that_is_none_is_refused_with_the_reason() {
    let folder = folder("roms");
    let actions = file(&folder, "actions", "0\n");
    let missing = folder.join("missing.bin");
    let missing = missing.to_str().unwrap();
    let empty = file(&folder, "empty.bin", "");
    let odd = file(&folder, "odd.bin", [0; 3072]);
    let unknown = file(&folder, "unknown.bin", [0xEA; 4096]);
    for command in [&["trace"][..], &["rollout", "--preset", "labml"]] {
        let with = |rom: &str| refusal(&[command, &[rom, &actions]].concat());
        assert!(with(missing).contains(missing));
        assert!(with(&empty).contains(&format!("{empty} is empty")));
        assert!(with(&odd).contains("3072 bytes"));
        assert!(with(&unknown).contains("unknown ROM of 4096 bytes with MD5 a6b3f7b8b68c3d71670886249a87be80"));
    }
}

#[test]
fn a_refusal_that_a_definition_may_mend_names_the_option() {
    let folder = folder("definitions");
    let actions = file(&folder, "actions", "0\n");
    let unknown = file(&folder, "unknown.bin", [0xEA; 4096]);
    let advice = "describe the game in a definition of your own (--game FILE; docs/games.md says what is in it)\n";
    for command in [
        &["trace", &unknown, &actions][..],
        &["rollout", &unknown, &actions, "--preset", "labml"],
        &["rollout", &unknown, &actions, "--preset", "labml", "--envs", "2"],
        &["train", &unknown],
    ] {
        let message = refusal(command);
        assert!(message.ends_with(advice), "{command:?}: {message}");
    }
    let silent = file(&folder, "silent.toml", "rom = \"silent\"\n");
    let message = refusal(&["train", &unknown, "--game", &silent]);
    assert!(
        message.contains("silent.toml:1:1: silent has no rule for rewards"),
        "{message}"
    );
    assert!(message.ends_with("as docs/games.md says\n"), "{message}");
}

#[test]
fn one_update_is_counted_as_one() {
    let few = [
        "--envs",
        "4",
        "--set",
        "rollout=8",
        "--set",
        "minibatches=2",
        "--set",
        "epochs=1",
    ];
    let small = r#"{"wrappers": [{"type": "ImagePreprocessing", "width": 28, "height": 28}]}"#;
    let trained = gym2600(&[&["train", "--no-save", "--options", small, "--steps", "32"][..], &few].concat());
    let message = String::from_utf8(trained.stderr).unwrap();
    assert!(message.starts_with("1 update, 32 steps, weights "), "{message}");
}

#[test]
fn an_action_out_of_range_is_refused_with_its_line() {
    let folder = folder("actions");
    let actions = file(&folder, "actions", "0\n17\n18\n");
    assert!(
        refusal(&["trace", WALLOP, &actions]).contains(", line 3: \"18\" is no action: expected a number from 0 to 17")
    );
    assert!(refusal(&["rollout", WALLOP, &actions, "--preset", "labml"]).contains(", line 2: \"17\" is no action"));
    let words = file(&folder, "words", "NOOP\n");
    assert!(refusal(&["trace", WALLOP, &words]).contains(", line 1: \"NOOP\" is no action"));
    let missing = folder.join("missing");
    assert!(refusal(&["trace", WALLOP, missing.to_str().unwrap()]).contains("cannot read"));
}

#[test]
fn an_option_that_the_game_lacks_is_refused_with_those_it_has() {
    let folder = folder("options");
    let actions = file(&folder, "actions", "0\n");
    assert!(refusal(&["trace", WALLOP, &actions, "--mode", "99"]).contains("unknown mode 99 of wallop"));
    assert!(refusal(&["trace", WALLOP, &actions, "--difficulty", "9"]).contains("unknown difficulty 9 of wallop"));
    assert!(refusal(&["trace", WALLOP, &actions, "--seed", "-1"]).contains("seed -1"));
    let preset = refusal(&["rollout", WALLOP, &actions, "--preset", "nature"]);
    assert!(
        preset.contains("\"nature\"") && preset.contains("nature-dqn"),
        "{preset}"
    );
    assert!(refusal(&["rollout", WALLOP, &actions, "--preset", "labml", "--envs", "3"]).contains("3 environments"));
    let last = ["--preset", "gymnasium", "--seed", "9007199254740991", "--envs", "2"];
    assert!(refusal(&[&["rollout", WALLOP, &actions][..], &last].concat()).contains("9007199254740992"));
    let wrong = file(&folder, "wrong.toml", "rom = \n");
    assert!(refusal(&["trace", WALLOP, &actions, "--game", &wrong]).contains("wrong.toml:1:"));
    assert!(refusal(&["rollout", WALLOP, &actions, "--preset", "labml", "--game", &wrong]).contains("wrong.toml:1:"));
    let rules = file(&folder, "rules.toml", "rom = \"a\"\n[rules]\nlives = \"scor\"\n");
    assert!(refusal(&["trace", WALLOP, &actions, "--game", &rules]).contains("rules.toml:3:"));
    let missing = folder.join("missing.toml").to_str().unwrap().to_owned();
    assert!(refusal(&["trace", WALLOP, &actions, "--game", &missing]).contains(&missing));
}

#[test]
fn without_a_rom_wallop_is_played() {
    let folder = folder("no-rom");
    let actions = file(&folder, "actions", "1\n".repeat(60));
    for (command, options) in [("trace", &[][..]), ("rollout", &["--preset", "labml"])] {
        let named = lines(&[&[command, WALLOP, &actions][..], options].concat());
        assert_eq!(lines(&[&[command, &actions][..], options].concat()), named);
    }
}

#[test]
fn bytes_that_are_no_state_are_refused_with_their_file() {
    let folder = folder("states");
    let actions = file(&folder, "actions", "0\n");
    let none = file(&folder, "none", "no state");
    assert!(refusal(&["rollout", WALLOP, &actions, "--preset", "labml", "--restore", &none]).contains(&none));
}

#[test]
fn a_line_that_the_output_lacks_is_an_error_after_the_output() {
    let folder = folder("lacking");
    let actions = file(&folder, "actions", "0\n0\n");
    let dump = folder.join("dump");
    let path = dump.to_str().unwrap();
    let output = gym2600(&["trace", WALLOP, &actions, "--dump-line", "9", "--dump-to", path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("line 9 was asked for, but the output has 3 lines"),
        "{message}"
    );
    assert!(!dump.exists());
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_first_line() {
    let folder = folder("outputs");
    let actions = file(&folder, "actions", "0\n");
    let kept = file(&folder, "kept", "before");
    let missing = folder.join("none/out").to_str().unwrap().to_owned();
    let taken = folder.to_str().unwrap().to_owned();
    for path in [&missing, &taken] {
        for arguments in [
            vec!["rollout", WALLOP, &actions, "--preset", "labml", "--save", path],
            vec!["trace", WALLOP, &actions, "--dump-line", "1", "--dump-to", path],
            vec!["train", "--json", "--force", "--weights", &kept, "--weights", path],
            vec!["train", "--json", "--checkpoint", path],
        ] {
            let message = refusal(&arguments);
            assert!(
                message.contains(&format!("cannot write {path}")),
                "{arguments:?}: {message}"
            );
        }
    }
    assert_eq!(fs::read_to_string(&kept).unwrap(), "before");
    assert!(!folder.join("kept.part").exists());
}

#[test]
fn a_file_of_options_may_begin_with_a_byte_order_mark() {
    let folder = folder("mark");
    let actions = file(&folder, "actions", "0\n");
    let options = file(&folder, "options.json", "\u{feff}{\"preset\":\"labml\"}");
    let played = lines(&["rollout", WALLOP, &actions, "--options", &options]);
    assert_eq!(played, lines(&["rollout", WALLOP, &actions, "--preset", "labml"]));
}

#[test]
fn a_command_line_that_makes_no_sense_ends_with_code_2() {
    for arguments in [
        &[][..],
        &["play"],
        &["trace"],
        &["trace", WALLOP, "actions", "--sticky", "1.5"],
        &["trace", WALLOP, "actions", "--dance"],
        &["trace", WALLOP, "actions", "--dump-line", "3"],
        &["trace", WALLOP, "actions", "--dump-to", "dump"],
        &["trace", WALLOP, "actions", "--dump-line", "0", "--dump-to", "dump"],
        &["trace", WALLOP, "actions", "--sound=1"],
        &["rollout", WALLOP, "actions"],
        &["rollout", WALLOP, "actions", "--preset", "labml", "--envs", "0"],
        &["rollout", WALLOP, "actions", "--preset", "labml", "--envs", "10001"],
        &["rollout", WALLOP, "actions", "--preset", "labml", "--options", "{}"],
        &["rollout", WALLOP, "actions", "--preset", "labml", "--preset", "gym2600"],
        &[
            "rollout", WALLOP, "actions", "--preset", "labml", "--envs", "1", "--save", "state",
        ],
    ] {
        let output = gym2600(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.starts_with("gym2600: ")
                && message.contains("gym2600 COMMAND --help")
                && message.lines().count() < 6,
            "{message}"
        );
    }
}
