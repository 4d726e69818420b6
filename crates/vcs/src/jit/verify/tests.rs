//! Code that the verifier refuses.

use super::super::lower;
use super::super::rom_view::{Block, RomView};
use super::*;

#[test]
fn code_that_breaks_a_rule_is_refused() {
    use Local::{A, Address, Exit, Machine, Rom};
    let ram = layout::RAM;
    let end = [Op::Get(Exit)];
    let cases: [(&str, Vec<Op>); 8] = [
        (
            "RAM beyond its end",
            vec![Op::Get(Machine), Op::Const(128), Op::Add, Op::Load8(ram), Op::Set(A)],
        ),
        (
            "a word at RAM's last byte",
            vec![Op::Get(Machine), Op::Load16(ram + 127), Op::Set(A)],
        ),
        (
            "the ROM at any index",
            vec![
                Op::Get(Rom),
                Op::Get(Address),
                Op::Get(A),
                Op::Add,
                Op::Add,
                Op::Load8(4096),
                Op::Set(A),
            ],
        ),
        (
            "a boolean of 2",
            vec![Op::Get(Machine), Op::Const(2), Op::Store8(layout::HMOVE_PENDING)],
        ),
        ("no field", vec![Op::Get(Machine), Op::Load32(ram), Op::Set(A)]),
        (
            "a log without room",
            vec![
                Op::Get(Machine),
                Op::Get(Machine),
                Op::Load32(layout::LOG_LENGTH),
                Op::Const(1),
                Op::Add,
                Op::Store32(layout::LOG_LENGTH),
            ],
        ),
        ("another exit", vec![Op::Const(2), Op::Set(Exit)]),
        ("a value left in a block", vec![Op::Block, Op::Const(1), Op::End]),
    ];
    for (name, code) in cases {
        let code = [code.as_slice(), &end].concat();
        assert!(verify(&code, 4096).is_err(), "{name}");
    }
    let good = [
        Op::Get(Machine),
        Op::Get(A),
        Op::Const(0x7F),
        Op::And,
        Op::Add,
        Op::Load8(ram),
        Op::Set(A),
        Op::Get(Exit),
    ];
    assert_eq!(verify(&good, 4096), Ok(()));
}

#[test]
fn code_behind_a_condition_that_never_holds_is_not_checked() {
    use Local::{A, Address, Exit, Machine};
    // The pointer of an instruction such as LDA ($00,X), where X was found to be below 0x80.
    let pointer_below = |limit: i32| {
        [
            Op::Get(Machine),
            Op::Load8(layout::RAM),
            Op::Const(limit - 1),
            Op::And,
            Op::Tee(Address),
            Op::Const(0x80),
            Op::Sub,
            Op::Const(0x80),
            Op::Less,
            Op::If,
            Op::Get(Machine),
            Op::Get(Address),
            Op::Const(0x7F),
            Op::And,
            Op::Add,
            Op::Load16(layout::RAM),
            Op::Set(A),
            Op::End,
            Op::Get(Exit),
        ]
    };
    assert_eq!(verify(&pointer_below(0x80), 4096), Ok(()));
    assert!(verify(&pointer_below(0x100), 4096).is_err());
}

#[test]
fn a_jump_back_without_a_check_of_the_log_is_refused() {
    let bytes = [0x85, 0x1B, 0x4C, 0x00, 0xF0, 0, 0, 0];
    let view = RomView {
        first: 0xF000,
        offset: 0,
        bytes: &bytes,
        switches: false,
        chip: 0,
        sliced: None,
    };
    let blocks = [Block {
        at: 0,
        end: 5,
        length: 2,
    }];
    let code = lower::function(&view, &blocks);
    assert_eq!(verify(&code, bytes.len()), Ok(()));
    // Without its last check of the log's length.
    let check = code.iter().rposition(|&op| op == Op::Load32(layout::LOG_LENGTH));
    let last = code.iter().rposition(|op| matches!(op, Op::Restart { .. }));
    let (check, last) = (check.expect("a check"), last.expect("a jump back"));
    assert!(check < last);
    let mut unchecked = code.clone();
    unchecked[check + 1] = Op::Const(log::CAPACITY as i32 + 1);
    let refusal = verify(&unchecked, bytes.len()).expect_err("no room");
    assert_eq!(refusal.0, last, "{refusal:?}");
}
