//! Compiled programs end their longest frames as interpreted ones do: frames with more writes than the TIA's log holds, too many
//! lines, or too many instructions.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

#[path = "../../vcs/tests/assembler/mod.rs"]
mod assembler;
mod pair;

use assembler::assemble;
use gym2600_native::CompileThread;

/// Frames of 2,600 writes that are logged, and a counter.
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

/// A program that never ends a frame, so each has too many lines. It moves objects between its writes.
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

/// A program that writes only RAM, so the limit of instructions ends its frames. NOP with an operand is never compiled.
const MANY_INSTRUCTIONS: &str = "
loop:
    INX
    NOP $83
    INX
    STX $83
    INY
    BNE loop
    .repeat 7 INX
    INC $84
    JMP loop
";

/// A loop of 100 instructions, which comes to its end when exactly as many as a frame may have are done.
const WHOLE_LOOPS: &str = "
loop:
    .repeat 98 INX
    STX $83
    JMP loop
";

/// A frame whose last writes are an HMOVE and a colour in a line that is shown, long before the limit of instructions.
const LONG_AFTER_WRITES: &str = "
loop:
    LDY #$2D
lines:
    STA $02
    DEY
    BNE lines
    INX
    STX $2A
    STX $09
    LDY #$34
wait:
    DEX
    BNE wait
    DEY
    BNE wait
    JMP loop
";

#[test]
fn the_longest_frames_are_the_same_compiled() {
    // After each HMOVE, an instruction that reads and writes: both are logged.
    let many_moves = format!("loop:\n{}JMP loop", "STA $2A\nINC $04\n".repeat(60));
    let programs = [
        ("writes", MANY_WRITES),
        ("moves", &many_moves),
        ("lines", MANY_LINES),
        ("instructions", MANY_INSTRUCTIONS),
        ("whole loops", WHOLE_LOOPS),
        ("after writes", LONG_AFTER_WRITES),
    ];
    let roms = programs.map(|(name, program)| (name.to_owned(), assemble(program)));
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 120);
    assert_eq!(compiled, roms.len());
}
