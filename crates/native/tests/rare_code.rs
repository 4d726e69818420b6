//! Compiled programs do what interpreted ones do where games seldom go: stacks outside of RAM, the ends of the ROM, code in the TIA, a slice of ROM
//! at two addresses, and reads that look like others.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

#[path = "../../vcs/tests/assembler/mod.rs"]
mod assembler;
mod pair;

use assembler::assemble;
use gym2600_native::CompileThread;

/// Where every program continues after a frame. RAM at 0xC0 has the number of the frame.
const FRAME: &str = "
start:
    CLD
    LDX #$FF
    TXS
    LDA #$02
    STA $00
    .repeat 3 STA $02
    LDA #$00
    STA $00
    INC $C0
    LDY #$60
    lines:
    STA $02
    DEY
    BNE lines
";

/// Folds what a part has read into RAM.
const FOLD: &str = "EOR $C1\nSTA $C1\nINC $C1\n";

/// Pulls, pushes, calls and a return with any stack pointer. A routine does not return, as its return address may be lost.
fn stack() -> Vec<u8> {
    assemble(&format!(
        "JMP start
        ; RTS comes here.
        .repeat 46 NOP
        JMP start
        {FRAME}
        LDX #$00
        LDY #$00
        pull:
        TXS
        PLA
        STA $C1
        TYA
        EOR $C1
        TAY
        INY
        PLP
        PHP
        TXS
        JSR routine
        routine:
        CLD
        DEX
        BNE pull
        LDX #$7F
        push:
        TXS
        PHA
        PHP
        DEX
        CPX #$03
        BNE push
        ; The high byte of the return address is what the TIA leaves of the low one.
        LDA #$30
        STA $FF
        LDA #$00
        STA $80
        STY $C2
        LDX #$FE
        TXS
        RTS"
    ))
}

/// Jumps, a branch and a return into the TIA. They leave 0x09 on the bus, an operation with an operand, and so does the TIA until RAM begins. There
/// is a jump to the address in 0x82. Then instructions and operands at both ends of the ROM.
fn ends() -> Vec<u8> {
    let source = format!(
        "JMP start
        JMP jumped
        JMP pointed
        JMP returned
        JMP branched
        JMP ended
        JMP wrapped
        .repeat 27 NOP
        JMP mixed
        {FRAME}
        LDX #$03
        code:
        LDA bytes,X
        STA $80,X
        DEX
        BPL code
        JMP $0970
        bytes:
        .byte $EA $4C $03 $F0
        jumped:
        {FOLD}
        LDA #$06
        STA $82
        LDA #$70
        STA $90
        LDA #$09
        STA $91
        JMP ($0090)
        pointed:
        {FOLD}
        LDA #$09
        STA $82
        LDA #$FF
        PHA
        PHA
        RTS
        returned:
        {FOLD}
        LDA #$0C
        STA $82
        JMP $FFFA
        branched:
        {FOLD}
        LDX #$FF
        LDA $FF00,X
        {FOLD}
        LDA $FF01,X
        {FOLD}
        LDY #$FF
        LDX $FF01,Y
        STX $C2
        LDX #$01
        LDA $0000,X
        {FOLD}
        JMP ($FEFF)
        wrapped:
        LDA #$30
        STA $FF
        JMP ($00FF)
        mixed:
        LDA #$00
        JMP $FFFD
        ended:
        JMP start"
    );
    let mut rom = assemble(&source);
    let mut put = |at: usize, bytes: &[u8]| rom[at..at + bytes.len()].copy_from_slice(bytes);
    // BNE, and the reset vector, whose high byte is BEQ. The last byte is what RTS reads before it comes to the TIA.
    put(0xFFA, &[0xD0, 0x09, 0x00, 0xF0, 0xE0, 0x09]);
    // Where that BEQ goes: JMP.
    put(0xFDF, &[0x4C, 0x0F, 0xF0]);
    // A pointer at the end of its page, with its high byte at the page's beginning. The one at 0xFF has the TIA's 0x30 there.
    put(0xEFF, &[0x12]);
    put(0xE00, &[0xF0]);
    rom
}

/// Reads hot spots of F8, through an index too. A jump begins a block in the other bank.
fn hot_spots() -> Vec<u8> {
    let source = format!(
        "{FRAME}
        LDA $FFF9
        LDA $F800
        {FOLD}
        JMP x
        x:
        LDX #$FF
        LDA $FEF9,X
        LDA $F800
        {FOLD}
        LDY #$FF
        LDA $FFF9
        JMP y
        y:
        LDA $FEF9,Y
        LDA $F801
        {FOLD}
        JMP start"
    );
    let bank = |number: u8| {
        let mut bank = assemble(&source);
        bank[0x800..0x802].fill(number);
        bank
    };
    [bank(0x11), bank(0x22)].concat()
}

/// Shows one slice of an E0 cartridge at two addresses, and calls it at both. RAM keeps the return addresses that it leaves on the stack.
fn slices() -> Vec<u8> {
    // The last slice, which stays at 0xFC00.
    let last = assemble(&format!(
        ".repeat 1024 NOP
        .repeat 1024 NOP
        .repeat 1024 NOP
        RTS
        {FRAME}
        STA $FFE3
        STA $FFE9
        STA $FFEB
        JSR $F000
        {FOLD}
        JSR $F400
        {FOLD}
        LDA #$F1
        STA $91
        LDA #$FB
        STA $90
        LDY #$0A
        LDA ($90),Y
        {FOLD}
        LDA $F3FE,Y
        {FOLD}
        JMP start"
    ));
    let slice = assemble("LDX #$03\nagain:\nDEX\nBNE again\nJSR $FC00\nRTS");
    let mut rom: Vec<u8> = (0..8192_u32).map(|at| (at % 251) as u8).collect();
    rom[3 * 1024..][..16].copy_from_slice(&slice[..16]);
    rom[7 * 1024..].copy_from_slice(&last[3 * 1024..]);
    rom[0x1FFC..].copy_from_slice(&[0x01, 0xFC, 0x00, 0xFC]);
    rom
}

/// Waits for the timer in loops of each kind, and polls it where it looks like one.
fn timer() -> Vec<u8> {
    assemble(&format!(
        "{FRAME}
        LDA #$05
        STA $0296
        accumulator:
        LDA $0284
        BNE accumulator
        LDA #$03
        STA $0296
        index:
        LDX $0284
        BPL index
        LDA #$04
        STA $0295
        other:
        LDY $0284
        BNE other
        LDA #$05
        STA $0295
        poll:
        LDA $0284
        BNE busy
        STY $C3
        JMP start
        busy:
        INC $C2
        LDA #$01
        BNE poll"
    ))
}

/// Reads the addresses of the DPC's registers, and the one after the last of those that are read.
fn chip() -> Vec<u8> {
    let reads: String = [0xF000, 0xF004, 0xF008, 0xF012, 0xF03F, 0xF040, 0xF041]
        .map(|address| format!("LDA ${address:04X}\n{FOLD}"))
        .concat();
    let bank = assemble(&format!(
        ".repeat 128 NOP\n{FRAME}\nLDA $FFF9\nJMP one\none:\n{reads}LDA $FFF8\nJMP zero\nzero:\n{reads}JMP start"
    ));
    let mut rom = [bank.clone(), bank, (0..2303_u32).map(|at| (at % 251) as u8).collect()].concat();
    for bank in 0..2 {
        rom[4096 * bank + 0xFFC] = 0x80;
        rom[4096 * bank..][..128].copy_from_slice(&[0x40 + bank as u8; 128]);
    }
    rom
}

#[test]
fn rare_code_runs_the_same_compiled() {
    let programs = [
        ("stack", stack()),
        ("ends", ends()),
        ("hot spots", hot_spots()),
        ("slices", slices()),
        ("timer", timer()),
        ("chip", chip()),
    ];
    let roms = programs.map(|(name, rom)| (name.to_owned(), rom));
    let compiled = pair::play_both(&roms, CompileThread::Console, |frames, _| frames == 60);
    assert_eq!(compiled, roms.len());
}
