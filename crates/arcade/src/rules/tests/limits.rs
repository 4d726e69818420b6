//! Texts that would take too long, to compile or to run.

use super::*;

const EXPANDED: &str = "operations in all texts, with functions and loops expanded";

#[test]
fn texts_that_would_take_too_long_are_refused() {
    let refused = |text: &str| match frame_rules(text).unwrap_err().problem {
        RuleProblem::TooMany { what, .. } => what,
        problem => panic!("{problem}"),
    };
    assert_eq!(
        refused("a = sum(old for i in range(0, 1000000000000))"),
        "steps in one expression"
    );
    assert_eq!(
        refused(&format!("a = {}1{}", "(".repeat(1000), ")".repeat(1000))),
        "levels of nesting"
    );
    assert_eq!(refused(&format!("a = {}1", "not ".repeat(1000))), "levels of nesting");
    assert_eq!(
        refused(&format!("a = old{}", " + old".repeat(900))),
        "levels of nesting"
    );
    assert_eq!(
        refused(&format!("a = old{}", " + old".repeat(5000))),
        "operations in one text"
    );
    let doubling = format!("f(x) = x + x\na = {}old{}", "f(".repeat(40), ")".repeat(40));
    assert_eq!(refused(&doubling), "steps in one expression");
    let heavy = "f(x) = x + x\n".to_owned() + &format!("a = {}old{}\n", "f(".repeat(12), ")".repeat(12)).repeat(7);
    assert_eq!(refused(&heavy), "steps after one frame");
    let many: Vec<String> = (0..40).map(|i| format!("v{i} = 1")).collect();
    assert_eq!(refused(&many.join("; ")), "variables");
}

#[test]
fn functions_that_leave_no_node_behind_are_counted() {
    let mut lines = vec!["f0(x) = x".to_owned()];
    lines.extend((1..=60).map(|i| format!("f{i}(x) = f{}(f{}(x))", i - 1, i - 1)));
    lines.push("a = f60(ram[0x80])".to_owned());
    let limit = 200_000;
    let problem = frame_rules(&lines.join("\n")).unwrap_err().problem;
    assert_eq!(problem, RuleProblem::TooMany { what: EXPANDED, limit });
}

#[test]
fn all_texts_of_a_definition_share_one_limit() {
    let loops = |count: usize| "a = sum(old for i in range(0, 400))\n".repeat(count);
    let long = "a = sum(old for i in range(0, 4000))\n".repeat(80);
    let compile = |frame: &str, select: &str| {
        Rules::compile(&Sources {
            start: "old = 7",
            frame,
            select: Some(select),
            ..Sources::default()
        })
    };
    let most = (1..2000)
        .take_while(|&count| compile("", &loops(count)).is_ok())
        .count();
    compile(&loops(2), &loops(most - 4)).unwrap();
    for (frame, select, part) in [
        (long, "reset".to_owned(), Part::Frame),
        (String::new(), loops(most + 1), Part::Select),
        (loops(2), loops(most), Part::Select),
    ] {
        let error = compile(&frame, &select).unwrap_err();
        assert_eq!(error.part, part);
        assert!(error.to_string().contains(EXPANDED), "{error}");
    }
}

#[test]
fn the_rules_after_a_frame_have_a_limit_of_steps() {
    let line = |count: usize| format!("a = sum(ram[0x80] for i in range(0, {count}))\n");
    frame_rules(&line(2900)).unwrap();
    let problem = frame_rules(&line(1600).repeat(2)).unwrap_err().problem;
    let what = "steps after one frame";
    assert_eq!(problem, RuleProblem::TooMany { what, limit: 3000 });
}

#[test]
fn the_limits_of_rules_are_the_last_that_are_taken() {
    let refused = |text: &str| match frame_rules(text).err().map(|error| error.problem) {
        Some(RuleProblem::TooMany { what, .. }) => what,
        problem => panic!("{problem:?}"),
    };
    let numbers = |count: usize| "a = 1\n".repeat(count);
    frame_rules(&numbers(2000)).unwrap();
    assert_eq!(refused(&numbers(2001)), "operations in one text");
    let chain = |count: usize| format!("a = old{}", " + old".repeat(count));
    frame_rules(&chain(199)).unwrap();
    assert_eq!(refused(&chain(200)), "levels of nesting");
    let steps = |count: usize| format!("a = sum(old for i in range(0, 2000))\n{}", numbers(count));
    let most = (1..2000)
        .take_while(|&count| frame_rules(&steps(count)).is_ok())
        .count();
    assert_eq!(frame_rules(&steps(most)).unwrap().steps_of_frame(), 3000);
}
