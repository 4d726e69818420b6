//! The language of the rules, and the programs that select modes.

mod bounds;
mod limits;

use super::*;
use crate::action::Action;

/// Memory whose RAM is given from 0x80 on, and whose cartridge RAM holds the index times two.
struct Bytes<'a>(&'a [u8]);

impl ReadRam for Bytes<'_> {
    fn ram(&self, address: u8) -> u8 {
        self.0.get((address & 0x7F) as usize).copied().unwrap_or(0)
    }

    fn cart_ram(&self, index: u8) -> u8 {
        index * 2
    }
}

fn frame_rules(frame: &str) -> Result<Rules, RuleError> {
    Rules::compile(&Sources {
        start: "old = 7",
        frame,
        ..Sources::default()
    })
    .map(|(rules, _)| rules)
}

fn variable(rules: &Rules, variables: &Variables, name: &str) -> i64 {
    let index = rules.variable_names().iter().position(|known| known == name).unwrap();
    variables.as_slice()[index]
}

/// The value of an expression on a RAM that starts with 0x12, 0x34, 0xFF.
fn value(expression: &str) -> i64 {
    let rules = frame_rules(&format!("result = {expression}")).unwrap();
    let mut variables = rules.initial();
    rules.update(&mut variables, &Bytes(&[0x12, 0x34, 0xFF]));
    variable(&rules, &variables, "result")
}

/// The offset and the message of the mistake in a frame text.
fn mistake(frame: &str) -> (usize, String) {
    let error = frame_rules(frame).unwrap_err();
    assert_eq!(error.part, Part::Frame);
    (error.offset, error.to_string())
}

#[test]
fn operators_have_the_precedence_that_they_have_in_python() {
    assert_eq!(value("1 + 2 * 3"), 7);
    assert_eq!(value("(1 + 2) * 3"), 9);
    assert_eq!(value("1 | 2 ^ 3 & 2"), 1);
    assert_eq!(value("1 << 2 + 1"), 8);
    assert_eq!(value("6 & 3 == 2"), 1);
    assert_eq!(value("(old - 8) & 255 == 255"), 1);
    assert_eq!(value("-2 ** 2"), -4);
    assert_eq!(value("2 ** -old"), 0);
    assert_eq!(value("not 1 == 2 and 3 == 3"), 1);
    assert_eq!(value("1 if 0 else 2 if 0 else 3"), 3);
    assert_eq!(value("10 - 3 - 2"), 5);
    assert_eq!(value("~old"), -8);
}

#[test]
fn division_rounds_down_and_the_remainder_has_the_sign_of_the_divisor() {
    assert_eq!((value("-old // 2"), value("-old % 2")), (-4, 1));
    assert_eq!((value("old // -2"), value("old % -2")), (-4, -1));
    assert_eq!((value("-old // -2"), value("-old % -2")), (3, -1));
    assert_eq!((value("old // (old - 7)"), value("old % (old - 7)")), (0, 7));
}

#[test]
fn arithmetic_wraps_and_shifts_of_any_distance_have_a_value() {
    assert_eq!(value("0x7FFFFFFFFFFFFFFF + old - 6"), i64::MIN);
    assert_eq!(value("1 << 64"), 0);
    assert_eq!(value("1 << -1"), 0);
    assert_eq!(value("-1 >> 100"), -1);
    assert_eq!(value("-8 >> 1"), -4);
}

#[test]
fn and_and_or_give_the_value_that_decides() {
    assert_eq!(value("0 or old"), 7);
    assert_eq!(value("3 or old"), 3);
    assert_eq!(value("3 and old"), 7);
    assert_eq!(value("0 and old"), 0);
    assert_eq!(value("not old"), 0);
}

#[test]
fn memory_is_read_at_addresses_as_programs_see_them() {
    assert_eq!(value("ram[0x80]"), 0x12);
    assert_eq!(value("ram[0x01]"), 0x34);
    assert_eq!(value("ram[0x80 + (old == 7)]"), 0x34);
    assert_eq!(value("cart_ram[0x10]"), 0x20);
    assert_eq!(value("cart_ram[old]"), 14);
}

#[test]
fn decimal_digits_are_read_from_the_lowest_byte_on() {
    assert_eq!(value("bcd(0x80)"), 12);
    assert_eq!(value("bcd(0x80, 0x81)"), 3412);
    assert_eq!(value("bcd(0x80, 0x81, 0x80)"), 123_412);
    assert_eq!(value("bcd(0x80, 0x81, 0x80, 0x81)"), 34_123_412);
    assert_eq!(value("bcd(0x79 + old, 0x81)"), 3412);
    assert_eq!(value("cart_bcd(0x10, 0x11)"), 2220);
}

#[test]
fn a_half_byte_above_nine_counts_as_it_is() {
    assert_eq!(value("bcd(0x82)"), 165);
    assert_eq!(value("bcd(0x82, 0x80)"), 1365);
}

#[test]
fn functions_of_the_language_compute() {
    assert_eq!(value("signed(ram[0x82])"), -1);
    assert_eq!(value("signed(127)"), 127);
    assert_eq!(value("abs(-old)"), 7);
    assert_eq!(value("min(old, 3, 5)"), 3);
    assert_eq!(value("max(old, 3, 50)"), 50);
}

#[test]
fn membership_looks_for_a_value_among_others() {
    assert_eq!(value("old in (1, 7)"), 1);
    assert_eq!(value("old not in (1, 7)"), 0);
    assert_eq!(value("old in ()"), 0);
}

#[test]
fn a_list_has_no_value_beyond_its_ends() {
    assert_eq!(value("[4, old, 6][1]"), 7);
    assert_eq!(value("[4, 5, 6][old]"), 0);
    assert_eq!(value("[4, 5, 6][-1]"), 0);
}

#[test]
fn loops_go_over_ranges_and_do_not_reach_their_ends() {
    assert_eq!(value("sum(i * 10 ** (i - 1) for i in range(1, 4))"), 321);
    assert_eq!(value("sum(i for i in range(0, 3) + range(10, 12))"), 24);
    assert_eq!(value("count(ram[0x80 + i] for i in range(0, 128))"), 3);
    assert_eq!(value("all(ram[a] != 0 for a in range(0x80, 0x83))"), 1);
    assert_eq!(value("any(ram[a] == 0xFE for a in range(0x80, 0x83))"), 0);
    assert_eq!(value("sum(sum(i * j for j in range(0, i)) for i in range(0, 4))"), 11);
    assert_eq!(value("sum(1 for i in range(5, 5))"), 0);
}

#[test]
fn a_function_of_the_text_sees_its_parameters_and_the_variables() {
    let rules = frame_rules("twice(x) = x + x + old\nresult = sum(twice(i) for i in range(1, 3))").unwrap();
    let mut variables = rules.initial();
    rules.update(&mut variables, &Bytes(&[]));
    assert_eq!(variable(&rules, &variables, "result"), 20);
    let (_, message) = mistake("f(x) = x + i\nresult = sum(f(i) for i in range(1, 3))");
    assert_eq!(message, "unknown variable \"i\"");
}

#[test]
fn assignments_take_effect_in_their_order_and_last_until_the_next_frame() {
    let sources = Sources {
        load: "frames = 100",
        start: "reward = 5\nlives = 3 # three\n\nscore = 0",
        frame: "frames = frames + 1; new = ram[0x80]\nreward = new - score\nscore = new\nlives = lives - 1",
        lives: Some("lives if lives > 0 else 0"),
        ..Sources::default()
    };
    let (rules, program) = Rules::compile(&sources).unwrap();
    assert_eq!(program, None);
    let mut variables = rules.initial();
    assert_eq!(
        (
            rules.reward(&variables),
            rules.lives(&variables),
            rules.terminal(&variables)
        ),
        (5, 3, false)
    );
    rules.update(&mut variables, &Bytes(&[10]));
    rules.update(&mut variables, &Bytes(&[12]));
    assert_eq!((rules.reward(&variables), rules.lives(&variables)), (2, 1));
    rules.reset(&mut variables);
    assert_eq!((rules.reward(&variables), rules.lives(&variables)), (5, 3));
    assert_eq!(variable(&rules, &variables, "frames"), 102);
}

#[test]
fn variables_are_saved_and_restored_as_numbers() {
    let rules = frame_rules("sum_of_all = old + ram[0x80]\nold = sum_of_all").unwrap();
    let mut variables = rules.initial();
    rules.update(&mut variables, &Bytes(&[1]));
    let saved = variables.as_slice().to_vec();
    let mut other = rules.initial();
    other.restore(&saved).unwrap();
    assert_eq!(other, variables);
    assert_eq!(other.restore(&[1]), Err(WrongVariableCount { expected: 2, given: 1 }));
    assert_eq!(other, variables);
}

#[test]
fn a_statement_may_go_on_over_lines_inside_brackets() {
    assert_eq!(value("(1 +\n 2 # two\n + 3)"), 6);
}

#[test]
fn a_mistake_is_found_where_it_is() {
    let expected = [
        ("a = 1\nb = c", 10, "unknown variable \"c\""),
        ("a = b\nb = 1", 4, "unknown variable \"b\""),
        ("a = mode", 4, "unknown variable \"mode\""),
        ("a = f(1)", 4, "unknown function \"f\""),
        ("a = 1 + $", 8, "unexpected character '$'"),
        ("a = 12ab", 4, "12ab is not a number"),
        ("a = 1 2", 6, "expected the end of the line, found 2"),
        ("a = (1", 6, "expected ), found the end of the text"),
        ("a = ", 4, "expected a value, found the end of the text"),
        ("a = 1 if 2", 10, "expected else, found the end of the text"),
        (
            "ram = 1",
            0,
            "\"ram\" is a word of the language and cannot be given a value",
        ),
        (
            "a = 1 < 2 < 3",
            10,
            "comparisons do not chain: join two of them with `and`",
        ),
        ("a = ram[0x180]", 8, "0x180 is not an address of this memory"),
        ("a = cart_ram[0x80]", 13, "0x80 is not an address of this memory"),
        ("a = bcd(0x80, 0x100)", 14, "0x100 is not an address of this memory"),
        ("a = old // 0", 4, "division by zero"),
        ("a = bcd()", 4, "bcd takes one or more, 0 given"),
        ("a = abs(1, 2)", 4, "abs takes 1, 2 given"),
        ("f(x) = x\na = f()", 13, "f takes 1, 0 given"),
        ("f(x) = x\nf(y) = y", 9, "the function \"f\" is defined already"),
        ("a = sum(i for i in range(0, old))", 28, "this must be a constant"),
        ("a = sum(1)", 9, "expected for, found `)`"),
        (
            "select 2",
            0,
            "\"select\" is a word of the language and cannot be given a value",
        ),
    ];
    for (text, offset, message) in expected {
        assert_eq!(mistake(text), (offset, message.to_owned()), "in {text:?}");
    }
}

#[test]
fn a_start_value_must_be_a_constant() {
    let error = Rules::compile(&Sources {
        start: "a = 1\nb = a",
        ..Sources::default()
    })
    .unwrap_err();
    assert_eq!((error.part, error.offset), (Part::Start, 10));
    let error = Rules::compile(&Sources {
        load: "a = ram[0x80]",
        ..Sources::default()
    })
    .unwrap_err();
    assert_eq!((error.part, error.problem), (Part::Load, RuleProblem::NoMemory));
}

#[test]
fn the_outcome_of_a_frame_is_told_without_memory() {
    let error = Rules::compile(&Sources {
        lives: Some("ram[0x80]"),
        ..Sources::default()
    })
    .unwrap_err();
    assert_eq!((error.part, error.problem), (Part::Lives, RuleProblem::NoMemory));
}

/// A console whose memory shows how often SELECT was pressed, and that writes down what is done to it.
struct Recorder {
    rules: Rules,
    variables: Variables,
    presses: u8,
    held: u32,
    frames: u64,
    random: u32,
    log: Vec<String>,
}

impl ReadRam for Recorder {
    fn ram(&self, address: u8) -> u8 {
        if address == 0x80 { self.presses } else { 0 }
    }

    fn cart_ram(&self, _index: u8) -> u8 {
        0
    }
}

impl ModeHost for Recorder {
    fn hold_select(&mut self) {
        self.frames += 1;
        self.held += 1;
    }

    fn release_select(&mut self) {
        self.presses = self.presses.wrapping_add(1);
        self.frames += 1;
        self.log.push(format!("select {}", std::mem::take(&mut self.held)));
        let presses = self.presses;
        self.rules.update(&mut self.variables, &Bytes(&[presses]));
    }

    fn soft_reset(&mut self) {
        self.frames += 4;
        self.log.push("reset".to_owned());
    }

    fn act(&mut self, action: Action) {
        self.frames += 1;
        self.log.push(action.name().to_owned());
    }

    fn frames_of_act(&self) -> u32 {
        1
    }

    fn random(&mut self) -> u32 {
        self.random += 1000;
        self.random
    }

    fn variables(&self) -> &Variables {
        &self.variables
    }

    fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }
}

fn select(text: &str, mode: u32) -> (Result<(), ModeError>, Recorder) {
    let sources = Sources {
        start: "old = 7",
        frame: "seen = ram[0x80]",
        select: Some(text),
        ..Sources::default()
    };
    let (rules, program) = Rules::compile(&sources).unwrap();
    let mut recorder = Recorder {
        variables: rules.initial(),
        rules,
        presses: 0,
        held: 0,
        frames: 0,
        random: 0,
        log: Vec::new(),
    };
    let mut budget = Budget::new(recorder.rules.steps_of_frame());
    let result = program.unwrap().run(&mut recorder, mode, &mut budget);
    (result, recorder)
}

fn log(text: &str, mode: u32) -> Vec<String> {
    let (result, recorder) = select(text, mode);
    result.unwrap();
    recorder.log
}

#[test]
fn a_mode_is_selected_by_pressing_until_the_memory_shows_it() {
    assert_eq!(
        log("until ram[0x80] == mode { select 2 }\nreset", 3),
        ["select 2", "select 2", "select 2", "reset"]
    );
    assert_eq!(log("until ram[0x80] == mode { select }\nreset", 0), ["reset"]);
}

#[test]
fn the_variables_of_the_rules_follow_the_frames_of_mode_selection() {
    assert_eq!(
        log("until seen == mode { select }\nact FIRE seen", 2),
        ["select 1", "select 1", "FIRE", "FIRE"]
    );
}

#[test]
fn a_choice_runs_one_of_its_blocks() {
    let text = "if mode > 1 { act UP } else { act DOWN }\nif mode == 0 { reset }\nact NOOP";
    assert_eq!(log(text, 2), ["UP", "NOOP"]);
    assert_eq!(log(text, 0), ["DOWN", "reset", "NOOP"]);
}

#[test]
fn a_random_number_is_drawn_from_the_host() {
    assert_eq!(
        log("draw hold 256\nselect 2 + hold\ndraw hold 256\nselect 2 + hold", 0),
        ["select 234", "select 210"]
    );
}

#[test]
fn blocks_nest() {
    let text =
        "row = 0\nuntil row == 2 {\n  n = 0\n  until n == mode { act LEFT; n = n + 1 }\n  row = row + 1\n  reset\n}";
    assert_eq!(log(text, 2), ["LEFT", "LEFT", "reset", "LEFT", "LEFT", "reset"]);
}

#[test]
fn a_program_that_spends_the_budget_is_ended() {
    let long = format!("until sum(old for i in range(0, {})) == 1 {{ }}", 4000);
    for (text, spent) in [
        ("until false { select 2 }", BudgetSpent::Frames),
        ("until false { act NOOP }", BudgetSpent::Frames),
        ("until false { reset }", BudgetSpent::Frames),
        ("act NOOP 1000000", BudgetSpent::Frames),
        ("select 4294967295", BudgetSpent::Frames),
        ("until false { }", BudgetSpent::Steps),
        (&long, BudgetSpent::Steps),
    ] {
        let error = ModeError::Unreachable { mode: 5, spent };
        let (result, recorder) = select(text, 5);
        assert_eq!(result, Err(error), "{text}");
        assert!(recorder.frames <= Budget::FRAMES.into(), "{text}: {}", recorder.frames);
    }
}

#[test]
fn mistakes_in_mode_selection_are_found_where_they_are() {
    let expected = [
        ("act JUMP", 4, "unknown action \"JUMP\""),
        ("until ram[0x80] == mode select", 24, "expected {, found \"select\""),
        (
            "until true { select",
            19,
            "expected the end of the line, found the end of the text",
        ),
        ("reset 4", 6, "expected the end of the line, found 4"),
        ("draw 5 6", 5, "expected a variable, found 5"),
        (
            "mode = 5",
            0,
            "\"mode\" is a word of the language and cannot be given a value",
        ),
        ("select frames", 7, "unknown variable \"frames\""),
    ];
    for (text, offset, message) in expected {
        let error = Rules::compile(&Sources {
            select: Some(text),
            ..Sources::default()
        })
        .unwrap_err();
        assert_eq!(
            (error.part, error.offset, error.to_string()),
            (Part::Select, offset, message.to_owned()),
            "in {text:?}"
        );
    }
}
