//! Benchmarks of the machine's parts, with tiny programs and with WALLOP.

#[path = "../tests/assembler/mod.rs"]
mod assembler;

use assembler::assemble;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gym2600_vcs::{Console, ConsoleConfig, Drawing, Input, Mapper};

const WALLOP: &[u8] = include_bytes!("../../arcade/games/wallop.bin");

/// Lines that a frame shows.
const LINES: u16 = 210;

/// The start of a frame: VSYNC and 37 lines that are not shown.
const HEAD: &str = "
frame:
    LDA #$02
    STA $00
    .repeat 3 STA $02
    LDA #$00
    STA $00
    LDX #$25
blank:
    STA $02
    DEX
    BNE blank
";

/// The code of a line besides the wait for its end, and the number of such lines in a frame.
const KERNELS: [(&str, &str); 4] = [
    ("nothing written", ""),
    ("playfield and background written", "STX $09\nSTX $0E\nSTX $0F"),
    (
        "players and missiles written",
        "STX $1B\nSTX $1C\nSTX $1D\nSTX $1E\nSTX $06\nSTX $07",
    ),
    (
        "playfield written twice and moved",
        "STX $2A\nSTX $0D\nSTX $0E\nNOP\nNOP\nNOP\nNOP\nSTX $0D\nSTX $0E",
    ),
];

/// A program that only computes. The limit of instructions ends its frames.
const COMPUTING: &str = "
loop:
    LDA $80
    ADC #$11
    STA $80
    LDA $F000,X
    EOR #$81
    STA $81
    INX
    BNE loop
    INC $82
    JMP loop
";

fn console(rom: &[u8]) -> Console {
    let mut console = Console::new(rom, &ConsoleConfig::new(Mapper::Rom4K)).expect("a cartridge of 4 KB");
    console.reset(&mut || 0);
    for _ in 0..120 {
        console.run_frame(&Input::default(), Drawing::Immediate);
    }
    console
}

fn cpu(criterion: &mut Criterion) {
    let mut console = console(&assemble(COMPUTING));
    let mut group = criterion.benchmark_group("cpu");
    assert!(!console.frame_has_ended(), "the limit of instructions ends the frame");
    group.throughput(Throughput::Elements(25_000));
    group.bench_function("25,000 instructions", |bencher| {
        bencher.iter(|| console.run_frame(&Input::default(), Drawing::OnDemand));
    });
    group.finish();
}

/// The cost of a line is the difference between a drawn and a hidden frame, divided by the lines.
fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lines");
    group.throughput(Throughput::Elements(u64::from(LINES)));
    for (name, kernel) in KERNELS {
        let program =
            format!("LDA #$35\nSTA $04\nSTA $1F\n{HEAD}LDX #$DC\nline:\nSTA $02\n{kernel}\nDEX\nBNE line\nJMP frame");
        let mut console = console(&assemble(&program));
        for (how, drawing) in [("drawn", Drawing::Immediate), ("hidden", Drawing::OnDemand)] {
            group.bench_function(format!("{name}, {how}"), |bencher| {
                bencher.iter(|| console.run_frame(&Input::default(), drawing));
            });
        }
    }
    group.finish();
}

fn wallop(criterion: &mut Criterion) {
    let mut console = console(WALLOP);
    let mut group = criterion.benchmark_group("frame of WALLOP");
    for (how, drawing) in [("drawn", Drawing::Immediate), ("hidden", Drawing::OnDemand)] {
        group.bench_function(how, |bencher| {
            bencher.iter(|| console.run_frame(&Input::default(), drawing));
        });
    }
    group.finish();
}

criterion_group!(benches, cpu, lines, wallop);
criterion_main!(benches);
