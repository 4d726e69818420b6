//! What a frame shows does not depend on when it is drawn: at once, when it is asked for, by a copy, after loading a state, or from a snapshot.

#[path = "assembler/mod.rs"]
mod assembler;
#[path = "programs/mod.rs"]
mod programs;

use assembler::assemble;
use gym2600_vcs::{
    Console, ConsoleConfig, Drawing, FrameGeometry, HmoveBlanks, Input, InvalidState, Joystick, Mapper, TvFormat, WIDTH,
};
use programs::Random;
use std::fmt::Write;

/// Frames after which the programs of snapshots are in the same state again.
const PERIOD: usize = 7;

/// Something within a line: an access to the TIA, or a wait.
fn piece(random: &mut Random) -> String {
    // VSYNC, WSYNC and RSYNC are left out.
    let register = 4 + random.below(0x29);
    match random.below(10) {
        0 => "NOP".into(),
        1 => format!("LDA ${:02X}\nSTA ${:02X}", random.below(14), 0x90 + random.below(8)),
        2 => format!("LDA $80\nSTA ${register:02X}"),
        3 => format!("TYA\nSTA ${register:02X}"),
        // Joysticks give colours.
        4 => format!("LDA $0280\nSTA ${:02X}", 6 + random.below(4)),
        5 => format!(
            "LDA $81\nSTA ${:02X}",
            [0x0A, 0x0D, 0x0E, 0x0F, 0x1B, 0x1C][random.below(6)]
        ),
        6 => "STA $2A".into(),
        _ => format!("LDA #${:02X}\nSTA ${register:02X}", random.below(256)),
    }
}

/// A program with frames of 10 to 250 lines or more. Its RAM has the number of the frame, the lines left, and latches.
fn program(random: &mut Random, after_a_frame: &str) -> Vec<u8> {
    let late = random.below(30);
    let mut source = format!(
        "frame:
        LDA #$02
        STA $00
        .repeat 3 STA $02
        LDA #$00
        .repeat {late} NOP
        STA $00
        LDA #$FF
        STA $0296
        INC $80
        LDX $80
        CPX #$07
        BNE lines
        LDX #$00
        STX $80
        lines:\n"
    );
    for frame in 0..PERIOD {
        let lines = [10, 40, 90, 150, 240, 240, 240, 240][random.below(8)] + random.below(5);
        write!(
            source,
            "CPX #${frame:02X}\nBNE not{frame}\nLDA #${lines:02X}\nSTA $81\nnot{frame}:\n"
        )
        .expect("a string");
    }
    source += "again:\n";
    for block in 0..4 {
        write!(source, "LDY #${:02X}\nline{block}:\n", 1 + random.below(9)).expect("a string");
        if random.below(4) > 0 {
            source += "STA $02\n";
        }
        for _ in 0..3 + random.below(6) {
            source += &(piece(random) + "\n");
        }
        write!(
            source,
            "DEC $81\nBNE on{block}\nJMP end\non{block}:\nDEY\nBEQ next{block}\nJMP line{block}\nnext{block}:\n"
        )
        .expect("a string");
    }
    assemble(&(source + "JMP again\nend:\n" + after_a_frame + "\nJMP frame"))
}

/// After one in four frames, 26,000 instructions that do not end it.
const SOMETIMES_LONG: &str = "
    LDA $80
    AND #$03
    BNE short
    LDX #$33
    long:
    DEY
    BNE long
    DEX
    BNE long
    STA $02
    short:";

/// Gives every register the value that it had after the frame before.
const CLEAR: &str = "
    STA $02
    LDA #$00
    TAY
    LDX #$2C
    register:
    STA $00,X
    DEX
    CPX #$03
    BNE register
    LDX #$07
    latch:
    STA $90,X
    DEX
    BPL latch";

fn console(rom: &[u8], random: &mut Random) -> Console {
    let mut bit = || random.below(2) == 0;
    let config = ConsoleConfig {
        hmove_blanks: if bit() { HmoveBlanks::Shown } else { HmoveBlanks::Hidden },
        geometry: FrameGeometry {
            tv: if bit() { TvFormat::Ntsc } else { TvFormat::Pal },
            first_line: random.below(30) as u16,
            height: 150 + random.below(60) as u16,
        },
        ..ConsoleConfig::new(Mapper::Rom4K)
    };
    let mut console = Console::new(rom, &config).expect("a cartridge of 4 KB");
    console.reset(&mut || 0);
    console
}

fn input(random: &mut Random) -> Input {
    let mut bit = || random.below(2) == 0;
    let joystick = Joystick {
        up: bit(),
        left: bit(),
        ..Joystick::default()
    };
    Input {
        joysticks: [joystick, Joystick::default()],
        ..Input::default()
    }
}

fn saved(console: &mut Console) -> Vec<u8> {
    let mut bytes = Vec::new();
    console.save(&mut bytes);
    bytes
}

fn saved_without_pictures(console: &mut Console) -> Vec<u8> {
    let mut bytes = Vec::new();
    console.save_without_pictures(&mut bytes);
    bytes
}

#[test]
fn a_frame_shows_the_same_whenever_it_is_drawn() {
    let mut random = Random(56);
    for number in 0..90 {
        let rom = match number % 3 {
            0 => program(&mut random, SOMETIMES_LONG),
            1 => program(&mut random, ""),
            // These run in the TIA's addresses too.
            _ => programs::program(&mut random),
        };
        let mut at_once = console(&rom, &mut random);
        let unused = at_once.clone();
        let mut later = at_once.clone();
        // Of the last frame, and of the last one that has ended before it.
        let mut pictures = [vec![0; at_once.screen().len()], at_once.screen().to_vec()];
        for frame in 0..60 {
            let input = input(&mut random);
            if at_once.frame_has_ended() {
                pictures.swap(0, 1);
            }
            at_once.run_frame(&input, Drawing::Immediate);
            pictures[0] = at_once.screen().to_vec();
            later.run_frame(&input, [Drawing::OnDemand, Drawing::Immediate][random.below(3) / 2]);
            let what = random.below(16);
            let is_equal = match what {
                0 => {
                    later = later.clone();
                    true
                }
                1 => {
                    let bytes = saved(&mut later);
                    later = unused.clone();
                    later.load(&mut bytes.as_slice()).is_ok()
                }
                2 => later.load(&mut saved(&mut at_once).as_slice()).is_ok(),
                3 => {
                    let bytes = saved_without_pictures(&mut later);
                    later.load_without_pictures(&mut bytes.as_slice()).is_ok()
                }
                4 if random.below(4) == 0 => {
                    at_once.reset(&mut || 7);
                    later.reset(&mut || 7);
                    for picture in &mut pictures {
                        picture.fill(0);
                    }
                    true
                }
                5 | 6 => later.screen() == pictures[0],
                7 => later.screens() == pictures.each_ref().map(Vec::as_slice),
                8 => saved(&mut later) == saved(&mut at_once),
                9 => saved_without_pictures(&mut later) == saved_without_pictures(&mut at_once),
                _ => later.ram() == at_once.ram() && later.scanlines() == at_once.scanlines(),
            };
            assert!(is_equal, "program {number}, frame {frame}, comparison {what}");
        }
    }
}

#[test]
fn a_console_goes_on_from_a_snapshot_with_the_pictures_that_it_would_have_drawn() {
    let mut random = Random(2600);
    let (mut covered, mut flipped) = (0, 0);
    for number in 0..400 {
        let rom = program(&mut random, CLEAR);
        let mut original = console(&rom, &mut random);
        let mut other = original.clone();
        // Both come to one state, with frames in other colours, and drawn to the same buffer or to the other one.
        let frames = 4 + random.below(2 * PERIOD);
        let more = PERIOD * random.below(2);
        for _ in 0..frames {
            original.run_frame(&input(&mut random), Drawing::OnDemand);
        }
        for _ in 0..frames + more {
            other.run_frame(&input(&mut random), Drawing::OnDemand);
        }
        let [state, others] = [&mut original, &mut other].map(saved_without_pictures);
        assert!(state == others, "program {number} has the same state");
        let mark = original.mark();
        let mut played = other.clone();
        for _ in 0..=random.below(6) {
            let input = input(&mut random);
            let drawing = [Drawing::OnDemand, Drawing::Immediate][random.below(2)];
            original.run_frame(&input, drawing);
            played.run_frame(&input, Drawing::Immediate);
        }
        let snapshot = original.snapshot(mark);
        if number == 0 {
            let geometry = other.geometry();
            let height = geometry.height + 1;
            let [mut program, mut picture] = [program(&mut random, CLEAR), rom].map(|rom| console(&rom, &mut random));
            program.set_geometry(geometry);
            picture.set_geometry(FrameGeometry { height, ..geometry });
            assert_eq!(picture.screen().len(), WIDTH * usize::from(height));
            for console in [&mut program, &mut picture] {
                let before = saved(console);
                assert_eq!(console.continue_from(&snapshot), Err(InvalidState));
                assert!(saved(console) == before, "a refused snapshot changes nothing");
            }
        }
        if !other.is_covered_by(&snapshot) {
            continue;
        }
        covered += 1;
        flipped += usize::from(more > 0);
        other.continue_from(&snapshot).expect("a snapshot of the same program");
        for frame in 0..8 {
            assert!(
                other.screens() == played.screens(),
                "program {number}, frame {frame} after a snapshot"
            );
            let [state, others] = [&mut played, &mut other].map(saved_without_pictures);
            assert!(state == others, "program {number}, state {frame} after a snapshot");
            let input = input(&mut random);
            other.run_frame(&input, Drawing::OnDemand);
            played.run_frame(&input, Drawing::Immediate);
        }
    }
    assert!(
        covered > 120 && flipped > 50,
        "{covered} snapshots, {flipped} of them in other buffers"
    );
}

#[test]
fn consoles_that_go_on_from_snapshots_give_snapshots_too() {
    let mut random = Random(2057);
    let (mut covered, mut not_covered) = (0, 0);
    for number in 0..400 {
        let rom = program(&mut random, CLEAR);
        let mut original = console(&rom, &mut random);
        // Of runs from the reset on, each of a frame more.
        let mut first = original.clone();
        let mark = first.mark();
        let firsts = [(); PERIOD].map(|()| {
            first.run_frame(&Input::default(), Drawing::OnDemand);
            first.snapshot(mark)
        });
        for _ in 0..4 {
            original.run_frame(&input(&mut random), Drawing::OnDemand);
        }
        let mut other = original.clone();
        for _ in 0..3 {
            // Both come to one state, and draw to the same buffer or to the other one.
            for _ in 0..random.below(3) {
                original.run_frame(&input(&mut random), Drawing::OnDemand);
                other.run_frame(&input(&mut random), Drawing::OnDemand);
            }
            for _ in 0..PERIOD * random.below(2) {
                original.run_frame(&input(&mut random), Drawing::OnDemand);
            }
            let [state, others] = [&mut original, &mut other].map(saved_without_pictures);
            assert!(state == others, "program {number} has the same state");
            let mark = original.mark();
            let mut played = other.clone();
            for _ in 0..=random.below(4) {
                let input = input(&mut random);
                original.run_frame(&input, Drawing::OnDemand);
                played.run_frame(&input, Drawing::OnDemand);
            }
            let snapshot = original.snapshot(mark);
            if other.is_covered_by(&snapshot) {
                covered += 1;
                other.continue_from(&snapshot).expect("a snapshot of the same program");
                assert!(other.screens() == played.screens(), "program {number} after a snapshot");
                let covered =
                    [&other, &played].map(|console| firsts.each_ref().map(|first| console.is_covered_by(first)));
                assert_eq!(covered[0], covered[1], "program {number}");
            } else {
                not_covered += 1;
                other = played;
            }
            if random.below(2) == 0 {
                std::mem::swap(&mut original, &mut other);
            }
        }
    }
    assert!(
        covered > 300 && not_covered > 300,
        "{covered} covered, {not_covered} not"
    );
}
