//! The bounds of variables.

use super::*;

/// The bounds of the variable `result` of rules for each frame.
fn bounds(frame: &str, select: Option<&str>) -> (i64, i64) {
    let sources = Sources {
        start: "result = 0; old = 0",
        frame,
        select,
        ..Sources::default()
    };
    let (rules, program) = Rules::compile(&sources).unwrap();
    let Bounds { least, greatest } = rules.variable_bounds(program.as_ref())[0];
    (least, greatest)
}

const ANY: (i64, i64) = (i64::MIN, i64::MAX);

#[test]
fn bounds_follow_from_the_expressions() {
    for (value, expected) in [
        ("ram[0x80]", (0, 255)),
        ("-7", (-7, 0)),
        ("ram[0x80] == 3", (0, 1)),
        ("bcd(0x80)", (0, 165)),
        ("bcd(0x82, 0x81, 0x80)", (0, 1_666_665)),
        ("ram[0x80] & 0x0F", (0, 15)),
        ("(ram[0x80] & 0x0F) << 4 | 3", (0, 255)),
        ("ram[0x80] >> 4", (0, 15)),
        ("(ram[0x80] + ram[0x81] * 256) // 2", (0, 32_767)),
        ("signed(ram[0x80]) - 1", (-129, 126)),
        ("-ram[0x80]", (-255, 0)),
        ("~ram[0x80]", (-256, 0)),
        ("abs(ram[0x80] - 100)", (0, 155)),
        ("min(ram[0x80], 5)", (0, 5)),
        ("7 if ram[0x80] else -2", (-2, 7)),
        ("ram[0x80] and 9", (0, 9)),
        ("[3, 900, -1][ram[0x80]]", (-1, 900)),
        ("sum(ram[0x80 + i] for i in range(0, 4))", (0, 1_020)),
        ("ram[0x80] % 10", (0, 9)),
        ("2 ** ram[0x80]", ANY),
        ("ram[0x80] // ram[0x81]", ANY),
        ("ram[0x80] * 9223372036854775807", ANY),
    ] {
        assert_eq!(bounds(&format!("result = {value}"), None), expected, "{value}");
    }
}

#[test]
fn bounds_hold_for_what_variables_keep_from_frame_to_frame() {
    assert_eq!(bounds("result = ram[0x80] - old; old = ram[0x80]", None), (-255, 255));
    assert_eq!(bounds("result = result % 10 + 1", None), (0, 10));
    // A counter, and what depends on one.
    assert_eq!(bounds("result = result + 1", None), ANY);
    assert_eq!(bounds("result = old; old = old - 1", None), ANY);
    // What selects the mode sets variables too.
    assert_eq!(bounds("", Some("result = ram[0x80]")), ANY);
}
