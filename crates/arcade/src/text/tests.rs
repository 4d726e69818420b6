//! Definitions as text: what is accepted, and how mistakes are reported.

#[path = "../../tests/support/limits.rs"]
mod limits;

use super::*;
use crate::action::Action;
use crate::definition::StartingInput;
use gym2600_vcs::Controller;
use std::time::{Duration, Instant};

#[test]
fn a_definition_may_say_no_more_than_a_name() {
    let game = GameDefinition::from_toml("rom = \"mine\"", "mine.toml").unwrap();
    assert_eq!((game.rom.as_str(), game.title.as_str()), ("mine", "mine"));
    assert_eq!(
        (game.env_id, game.md5, game.size, game.mapper, game.tv),
        (None, None, None, None, None)
    );
    assert_eq!((game.left, game.right), (Controller::Joystick, Controller::Joystick));
    assert_eq!((game.first_line, game.height, game.hmove_blanks), (34, 210, true));
    assert_eq!((game.minimal_actions.len(), game.legal_actions.len()), (18, 18));
    assert_eq!(
        (
            game.modes,
            game.default_mode,
            game.difficulties,
            game.default_difficulty
        ),
        (vec![0], 0, vec![0], 0)
    );
    assert_eq!((game.starting_actions, game.mode_select), (vec![], None));
    assert_eq!(game.rules, crate::rules::Rules::none());
}

#[test]
fn the_reset_switch_can_start_a_game() {
    let text =
        "rom = \"mine\"\n[actions]\nstarting = [{ press = \"RESET\", frames = 1 }, { press = \"LEFT\", frames = 2 }]";
    let game = GameDefinition::from_toml(text, "mine.toml").unwrap();
    assert_eq!(
        game.starting_actions,
        [(StartingInput::Reset, 1), (StartingInput::Action(Action::Left), 2)]
    );
}

#[test]
fn a_wrong_definition_is_refused_with_file_line_column_and_reason() {
    let expected = [
        ("title = \"x\"", "1:1: missing field `rom`"),
        (
            "rom = \"x\"\nromm = 1",
            "2:1: unknown field `romm`, expected one of `rom`, `title`, ",
        ),
        ("rom = \"x\"\n\n[rule]\nframe = \"\"", "3:2: unknown field `rule`"),
        ("rom = \"x\"\n[picture]\nhight = 210", "3:1: unknown field `hight`"),
        ("rom = 5", "1:7: invalid type: integer `5`, expected a string"),
        ("rom = \"x\"\nmd5 = \"ABC\"", "2:7: \"ABC\" is not an MD5"),
        (
            "rom = \"x\"\nmapper = \"F9\"",
            "2:10: unknown variant `F9`, expected one of `2K`, `4K`, `F8`, `F8SC`, `F6`, `F6SC`, `E0`, `FE`, `DPC`, `F4`, `F4SC`, `FA`, `MB`, `UA`, `3F`, `3E`, `CV`, `E7`",
        ),
        (
            "rom = \"x\"\nsize = 2048.0",
            "2:8: invalid type: floating point `2048.0`, expected i64",
        ),
        (
            "rom = \"x\"\n[picture]\ntv = \"SECAM\"",
            "3:6: unknown variant `SECAM`, expected `NTSC` or `PAL`",
        ),
        (
            "rom = \"x\"\n[picture]\nheight = 300",
            "3:10: \"height\" takes 200 to 256, not 300",
        ),
        (
            "rom = \"x\"\n[picture]\nhmove_blanks = 1",
            "3:16: invalid type: integer `1`, expected a boolean",
        ),
        (
            "rom = \"x\"\n[controllers]\nleft = \"mouse\"",
            "3:8: unknown variant `mouse`, expected `joystick` or `paddles`",
        ),
        (
            "rom = \"x\"\n[actions]\nminimal = [\"NOOP\", \"JUMP\"]",
            "3:20: unknown variant `JUMP`, expected one of `NOOP`, `FIRE`, ",
        ),
        (
            "rom = \"x\"\n[actions]\nminimal = []",
            "3:11: \"minimal\" must not be empty",
        ),
        (
            "rom = \"x\"\n[actions]\nlegal = [\"NOOP\", \"NOOP\"]",
            "3:18: NOOP is twice in \"legal\"",
        ),
        (
            "rom = \"x\"\n[actions]\nstarting = [{ press = \"FIRE\" }]",
            "3:13: missing field `frames`",
        ),
        (
            "rom = \"x\"\n[actions]\nstarting = [{ press = \"GO\", frames = 1 }]",
            "3:23: unknown variant `GO`",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = []",
            "3:13: \"available\" must not be empty",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [1, 2]\ndefault = 0",
            "4:11: 0 is not in \"available\"",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [1, 0x1]",
            "3:17: 1 is twice in \"available\"",
        ),
        (
            "rom = \"x\"\n[modes]\ndifficulties = [4]",
            "3:17: \"difficulties\" takes 0 to 3, not 4",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [-1]",
            "3:14: \"available\" takes 0 to 1000000, not -1",
        ),
        ("rom = \"x\"\nrom = \"y\"", "2:1: duplicate key"),
        ("rom = \"x\nsize = 1", "1:"),
        (
            "rom = \"x\"\nrules = 5",
            "2:9: invalid type: integer `5`, expected a table",
        ),
    ];
    for (text, message) in expected {
        let error = GameDefinition::from_toml(text, "mine.toml").unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("mine.toml:{message}")),
            "{error:?} for {text:?}"
        );
    }
}

#[test]
fn a_mistake_in_the_rules_is_found_in_the_file() {
    let expected = [
        (
            "rom = \"x\"\n[rules]\nframe = \"\"\"\nscore = 1\nreward = scor\n\"\"\"",
            "5:10: unknown variable \"scor\"",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = '''reward = 1 +'''",
            "3:24: expected a value, found the end of the text",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = \"reward = ram[0x1FF]\"",
            "3:23: 0x1ff is not an address of this memory",
        ),
        (
            "rom = \"x\"\n[rules]\nlives = 'livse'",
            "3:10: unknown variable \"livse\"",
        ),
        (
            "rom = \"x\"\n[rules]\nstart = \"\"\"\n  # höhö\n  a = 1 ö\n\"\"\"",
            "5:9: unexpected character 'ö'",
        ),
        (
            "rom = \"x\"\n[modes]\nselect = \"\"\"\nreset\nact JUMP\n\"\"\"",
            "5:5: unknown action \"JUMP\"",
        ),
        (
            "rom = \"x\"\r\n[rules]\r\nframe = \"\"\"\r\na = 1\r\nb = c\r\n\"\"\"",
            "5:5: unknown variable \"c\"",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = \"a = 1\\nb = c\"",
            "3:9: unknown variable \"c\"",
        ),
    ];
    for (text, message) in expected {
        let error = GameDefinition::from_toml(text, "mine.toml").unwrap_err().to_string();
        assert_eq!(error, format!("mine.toml:{message}"), "for {text:?}");
    }
}

#[test]
fn texts_that_are_hostile_are_refused_soon() {
    let many = |entry: &dyn Fn(usize) -> String| (0..30_000).map(entry).collect::<String>();
    let hostile = [
        ("a dotted header", format!("rom = \"a\"\n[{}a]\n", "a.".repeat(100_000))),
        ("a dotted key", format!("{}a = 1\n", "a.".repeat(100_000))),
        ("quoted dots", format!("{}a = 1\n", "\"a\" . ".repeat(20_000))),
        ("dots in a table", format!("a = {{ {}a = 1 }}\n", "a.".repeat(100_000))),
        ("lists in lists", format!("a = {}", "[".repeat(200_000))),
        ("tables in tables", format!("a = {}", "{a=".repeat(60_000))),
        ("many keys", many(&|index| format!("k{index}=1\n"))),
        ("many tables", many(&|index| format!("[t{index}]\n"))),
        ("many tables of one name", many(&|_| "[[a]]\n".to_owned())),
        ("many dotted keys", many(&|index| format!("a.k{index}=1\n"))),
        (
            "many modes",
            format!(
                "rom = \"a\"\nmodes.available = [{}]",
                many(&|index| format!("{index},"))
            ),
        ),
        ("a long text", " ".repeat(MAX_TEXT + 1)),
        (
            "long rules",
            format!("rom = \"a\"\nrules.frame = \"\"\"\n{}\"\"\"", "a = 1\n".repeat(20_000)),
        ),
        ("a long name", format!("rom = \"{}\"", "a".repeat(1000))),
    ];
    let start = Instant::now();
    for (what, text) in hostile {
        let error = GameDefinition::from_toml(&text, "hostile").unwrap_err().to_string();
        assert!(error.starts_with("hostile:") && error.len() < 200, "{what}: {error}");
    }
    // Each takes milliseconds; an algorithm that is quadratic in the text takes minutes.
    let limit = limits::hang(Duration::from_mins(1));
    assert!(start.elapsed() < limit, "{:?}", start.elapsed());
}

#[test]
fn the_limits_of_a_text_are_the_last_that_are_taken() {
    let refused = |text: &str| check_limits(text).err().map(|(_, problem)| problem.to_string());
    let dots = |count: usize| ".".repeat(count);
    let most = format!("a{0}a = {{ b{0}b = 1, c = 2 }}\n[d{0}d]\ne{0}e = 3", dots(MAX_DOTS));
    for text in [
        " ".repeat(MAX_TEXT),
        "a=1\n".repeat(MAX_KEYS),
        "\n".repeat(MAX_KEYS + 1),
        most,
    ] {
        assert_eq!(refused(&text), None);
    }
    for (text, message) in [
        (" ".repeat(MAX_TEXT + 1), "too many bytes: 262144 is the limit"),
        (
            "=[{\n".repeat(MAX_KEYS / 3 + 1),
            "too many keys, lists and tables: 5000 is the limit",
        ),
        (
            "a=1\n".repeat(MAX_KEYS + 1),
            "too many keys, lists and tables: 5000 is the limit",
        ),
        (
            format!("a{}a = 1", dots(MAX_DOTS + 1)),
            "too many dots in one key: 8 is the limit",
        ),
    ] {
        assert_eq!(refused(&text).as_deref(), Some(message));
    }
}

#[test]
fn a_key_has_a_position_in_its_text() {
    let text = "rom = \"mine\"\n\n[modes]\navailable = [0]\nselect = \"\"\n";
    let line = |path: &[&str]| RawDefinition::position_of(text, path).line;
    assert_eq!(line(&["modes", "select"]), 5);
    assert_eq!(line(&["modes", "default"]), 3);
    assert_eq!(line(&["rules", "reward"]), 1);
}

#[test]
fn every_offset_has_a_position() {
    let at = |offset| Position::of("\u{e4}b", offset);
    assert_eq!(
        [at(0), at(1), at(2), at(99)].map(|position| position.column),
        [1, 1, 2, 3]
    );
}
