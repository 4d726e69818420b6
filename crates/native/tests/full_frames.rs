//! Translated programs end their frames as interpreted ones do where a frame is as long as it can be: with more writes than the TIA's
//! log has room for, too many lines, or too many instructions.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

#[path = "../../vcs/tests/assembler/mod.rs"]
mod assembler;
mod pair;

use assembler::assemble;
use gym2600_native::Compiling;

/// Frames of 2,600 writes, all of which are logged, and of what they leave in a counter.
const MANY_WRITES: &str = "
frame:
    LDA #$02
    STA $00
    .repeat 3 STA $02
    LDA #$00
    STA $00
    LDY #$34
lines:
    .repeat 25 STX $09
    INX
    .repeat 25 STX $1B
    INX
    INC $80
    DEY
    BNE lines
    JMP frame
";

/// The same without an end to its frames: they have too many lines. Between its writes it moves objects.
const MANY_LINES: &str = "
loop:
    STX $20
    STX $2A
    STX $0E
    STX $10
    STX $2C
    INX
    INC $81
    BNE loop
    INC $82
    JMP loop
";

/// Nothing is written but RAM, so that only instructions are counted.
const MANY_INSTRUCTIONS: &str = "
loop:
    INX
    INX
    STX $83
    INY
    BNE loop
    .repeat 7 INX
    INC $84
    JMP loop
";

#[test]
fn the_longest_frames_are_the_same_translated() {
    let programs = [MANY_WRITES, MANY_LINES, MANY_INSTRUCTIONS];
    let roms: Vec<_> = programs
        .iter()
        .zip(["writes", "lines", "instructions"])
        .map(|(program, name)| (name.to_owned(), assemble(program)))
        .collect();
    let translated = pair::play_both(&roms, Compiling::AtOnce, |frames, _| frames == 120);
    assert_eq!(translated, roms.len());
}
