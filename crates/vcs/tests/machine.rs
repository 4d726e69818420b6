//! The whole machine with tiny programs. Expected values were measured with ale-py.

mod tiny;

use gym2600_vcs::{Controller, Drawing, Input, Joystick, Paddle, Switches, WIDTH, Wiring};
use tiny::{console, console_with};

/// Ends a frame, and starts the next one with 40 lines that are not shown. What follows it plays from the second `run_frame` on.
const FRAME: &str = "
frame:
    LDA #$02
    STA $01
    STA $00
    .repeat 3 STA $02
    LDA #$00
    STA $00
    LDX #$24
blank:
    STA $02
    DEX
    BNE blank
    LDA #$00
    STA $01
";

/// RAM from 0x80 after one frame of a program that ends in a loop.
fn ram_after(source: &str) -> [u8; 16] {
    let mut console = console(&format!("{source}\nstop:\nJMP stop"));
    console.run_frame(&Input::default(), Drawing::Immediate);
    *console.ram().first_chunk().expect("16 bytes")
}

/// The timer's count after `instruction`, which gives its cycles.
fn cycles_of(setup: &str, instruction: &str) -> u8 {
    let timed = |instruction: &str| {
        let [count, ..] = ram_after(&format!(
            "{setup}\nLDA #$80\nSTA $0294\n{instruction}\nLDA $0284\nSTA $80"
        ));
        count
    };
    timed("") - timed(instruction)
}

#[test]
fn instructions_take_the_measured_cycles() {
    for (instruction, cycles) in [
        ("LDA $80", 3),
        ("LAX $80", 4),
        ("NOP $80", 3),
        ("LAX $80,Y", 4),
        ("SLO $80", 5),
        ("STA $F180,X", 5),
        ("INC $F180,X", 7),
        ("NOP $F180,X", 4),
        ("NOP $F1FF,X", 5),
        ("LDA $F1FF,X", 5),
        ("LDA ($90),Y", 5),
        ("PHA", 3),
        ("PLA", 4),
    ] {
        assert_eq!(cycles_of("LDX #$01\nLDY #$00", instruction), cycles, "{instruction}");
    }
}

#[test]
fn a_taken_branch_takes_one_cycle_more() {
    // The timer was set from $80, which is neither zero nor positive.
    assert_eq!(cycles_of("", "BEQ next\nnext:"), 2);
    assert_eq!(cycles_of("", "BNE next\nnext:"), 3);
}

#[test]
fn undriven_bits_are_the_last_byte_on_the_bus() {
    let ram = ram_after("LDA $0130\nSTA $80\nLDA $0E\nSTA $81\nLDA $8E\nSTA $82");
    assert_eq!(ram[..2], [0x01, 0x0E]);
}

#[test]
fn a_pointer_at_the_end_of_page_zero_takes_its_high_byte_from_page_one() {
    let ram = ram_after(
        "LDA #$80\nSTA $FF\nLDA #$5A\nSTA $80\nLDY #$00\nLDA ($FF),Y\nSTA $81\nLDX #$00\nLDA ($FF,X)\nSTA $82",
    );
    assert_eq!(ram[1..3], [0x5A, 0x5A]);
}

#[test]
fn unstable_opcodes_give_what_was_measured() {
    let ram = ram_after("LDX #$FF\nLDA #$00\nANE #$5A\nSTA $80\nLDA #$00\nLXA #$5A\nSTA $81\nSTX $82");
    assert_eq!(ram[..3], [0x4A, 0x4A, 0x4A]);
}

#[test]
fn break_pushes_the_address_after_next_and_the_status() {
    // The vector of BRK is the start of the program, which counts how often it starts.
    let ram = ram_after(
        "INC $80\nLDA $80\nCMP #$02\nBEQ done\nLDX #$90\nTXS\nSED\nBRK\ndone:\nLDA $90\nSTA $81\nLDA $8F\nSTA $82\nLDA $8E\nSTA $83",
    );
    assert_eq!(ram[..4], [2, 0xF0, 0x0E, 0xB8]);
}

#[test]
fn the_interrupt_flag_appears_when_the_timer_runs_out_and_goes_when_it_is_read() {
    let read = |nops: usize| {
        let ram = ram_after(&format!(
            "LDA #$01\nSTA $0295\n.repeat {nops} NOP\nLDA $0285\nSTA $80\nLDA $0284\nSTA $81\nLDA $0284\nSTA $82\nLDA $0285\nSTA $83"
        ));
        [ram[0], ram[1], ram[2], ram[3]]
    };
    assert_eq!(read(3), [0x80, 0xF6, 0xF6, 0x00]);
    assert_eq!(read(4), [0x80, 0xF4, 0xF3, 0x00]);
    assert_eq!(read(5), [0x80, 0xF2, 0xF1, 0x00]);
    assert_eq!(read(0), [0x00, 0xFD, 0xFC, 0x00]);
}

#[test]
fn vsync_ends_a_frame_after_76_cycles() {
    // INC $80 counts the frames.
    let frames = |cycles: usize| {
        // STA zp takes effect three cycles after its fetch. NOP takes two cycles, a zero-page NOP three.
        let filler = cycles - 5;
        let odd = if filler % 2 == 1 { "NOP $80\n" } else { "" };
        let nops = (filler - 3 * (filler % 2)) / 2;
        let source = format!(
            "frame:\nINC $80\nLDA #$02\nSTA $00\n{odd}.repeat {nops} NOP\nLDA #$00\nSTA $00\nLDX #$80\nlines:\nSTA $02\nDEX\nBNE lines\nJMP frame"
        );
        let mut console = console(&source);
        console.run_frame(&Input::default(), Drawing::OnDemand);
        let before = console.ram()[0];
        console.run_frame(&Input::default(), Drawing::OnDemand);
        console.ram()[0] - before
    };
    assert_eq!(
        [74, 75, 76, 77].map(frames),
        [2, 2, 1, 1],
        "75 cycles are too short, 76 end the frame"
    );
}

#[test]
fn a_program_without_tia_writes_stops_after_25000_instructions() {
    let mut console = console("loop:\nINC $80\nBNE loop\nINC $81\nJMP loop");
    console.run_frame(&Input::default(), Drawing::Immediate);
    assert!(!console.frame_has_ended());
    let count = u32::from(console.ram()[0]) + 256 * u32::from(console.ram()[1]);
    // Two instructions per count, and two more every 256.
    assert_eq!(count, 12452);
}

#[test]
fn wsync_waits_for_the_next_line() {
    let mut console = console(&format!(
        "{FRAME}LDA #$1E\nSTA $09\nSTA $02\nLDA #$2C\nSTA $09\nSTA $02\nJMP frame"
    ));
    console.run_frame(&Input::default(), Drawing::Immediate);
    console.run_frame(&Input::default(), Drawing::Immediate);
    let screen = console.screen();
    // The first line shown after the blank starts in the first colour.
    let row = |row: usize| &screen[row * WIDTH..(row + 1) * WIDTH];
    let first = (0..210)
        .find(|&line| row(line).contains(&0x2C))
        .expect("a line of the second colour");
    assert!(row(first)[20..].iter().all(|&pixel| pixel == 0x2C));
    assert!(row(first - 1)[20..].iter().all(|&pixel| pixel == 0x1E));
}

/// A picture with all objects in motion, and the collisions that the program read, in 0x80 to 0x87.
fn busy_program() -> String {
    format!(
        "{FRAME}
        INC $90
        LDA $90
        STA $20
        STA $22
        LDA #$0F
        STA $08
        STA $0D
        LDA #$35
        STA $0A
        LDA #$5A
        STA $0E
        LDX #$50
        line:
        STX $1B
        STX $06
        STA $02
        STX $1C
        STX $10
        STA $2A
        STX $1D
        STX $1F
        STX $04
        .repeat 7 NOP
        STX $11
        STX $12
        STX $14
        STX $0F
        STX $05
        DEX
        BNE line
        LDA $00
        STA $80
        LDA $02
        STA $81
        LDA $07
        STA $82
        LDA $06
        STA $83
        STA $2C
        JMP frame"
    )
}

#[test]
fn frames_drawn_later_are_the_frames_drawn_at_once() {
    let mut at_once = console(&busy_program());
    let mut on_demand = console(&busy_program());
    for frame in 0..40 {
        at_once.run_frame(&Input::default(), Drawing::Immediate);
        on_demand.run_frame(&Input::default(), Drawing::OnDemand);
        assert_eq!(at_once.ram(), on_demand.ram(), "RAM of frame {frame}");
        if frame % 7 == 0 {
            assert!(at_once.screen() == on_demand.screen(), "picture of frame {frame}");
        }
    }
    assert!(at_once.screen().iter().any(|&pixel| pixel != 0));
}

#[test]
fn short_frames_leave_the_lines_of_the_frame_before_the_last() {
    // Frames of 250 lines in one colour alternate with frames of 90 lines in another.
    let source = format!(
        "{FRAME}
        INC $80
        LDA $80
        AND #$01
        BEQ short
        LDA #$1E
        STA $09
        LDX #$D2
        JMP lines
        short:
        LDA $80
        AND #$06
        ORA #$40
        STA $09
        LDX #$32
        lines:
        STA $02
        DEX
        BNE lines
        JMP frame"
    );
    for drawing in [Drawing::Immediate, Drawing::OnDemand] {
        let mut console = console(&source);
        for _ in 0..8 {
            console.run_frame(&Input::default(), drawing);
        }
        let mut bottoms = Vec::new();
        for _ in 0..4 {
            console.run_frame(&Input::default(), drawing);
            bottoms.push(console.screen()[200 * WIDTH + 80]);
        }
        assert!(bottoms.contains(&0x1E), "{bottoms:02X?}");
        assert!(
            bottoms.contains(&0x00),
            "a buffer that only short frames have drawn stays black below: {bottoms:02X?}"
        );
    }
}

#[test]
fn frames_of_any_length_are_drawn_on_demand_as_they_are_at_once() {
    // Frames of 40 to 290 lines in both buffers, each with another colour and playfield.
    let source = format!(
        "{FRAME}
        LDA $81
        CLC
        ADC #$0B
        STA $81
        STA $09
        STA $0E
        LDA #$36
        STA $08
        LDA $80
        CLC
        ADC #$45
        STA $80
        ORA #$01
        TAX
        lines:
        STA $02
        DEX
        BNE lines
        STX $09
        JMP frame"
    );
    for drawing in [Drawing::Immediate, Drawing::OnDemand] {
        let mut at_once = console(&source);
        let mut later = console(&source);
        for frame in 0..800 {
            at_once.run_frame(&Input::default(), Drawing::Immediate);
            at_once.screens();
            later.run_frame(&Input::default(), drawing);
            if frame % 3 == 1 {
                assert!(later.screens() == at_once.screens(), "pictures of frame {frame}");
            }
        }
    }
}

#[test]
fn a_hmove_blanks_the_first_eight_pixels() {
    let source = format!("{FRAME}LDA #$44\nSTA $09\nLDX #$40\nline:\nSTA $02\nSTA $2A\nDEX\nBNE line\nJMP frame");
    let mut console = console(&source);
    console.run_frame(&Input::default(), Drawing::Immediate);
    console.run_frame(&Input::default(), Drawing::Immediate);
    let row = &console.screen()[20 * WIDTH..21 * WIDTH];
    assert!(row[..8].iter().all(|&pixel| pixel == 0));
    assert!(row[8..].iter().all(|&pixel| pixel == 0x44));
}

#[test]
fn a_hmove_blanks_pixels_up_to_cycle_20_of_a_line_and_from_cycle_75_on() {
    for cycle in [3, 5, 18, 19, 20, 21, 22, 23, 40, 74, 75] {
        // The store takes three cycles, and is at their end.
        let wait = match cycle - 3 {
            cycles if cycles % 2 == 0 => format!(".repeat {} NOP", cycles / 2),
            cycles => format!("LDA $80\n.repeat {} NOP", (cycles - 3) / 2),
        };
        let source =
            format!("{FRAME}LDA #$44\nSTA $09\nLDX #$40\nline:\nSTA $02\n{wait}\nSTA $2A\nDEX\nBNE line\nJMP frame");
        let mut console = console(&source);
        console.run_frame(&Input::default(), Drawing::Immediate);
        console.run_frame(&Input::default(), Drawing::Immediate);
        // A strobe at the end of a line is for the next one.
        let mut rows = console.screen()[20 * WIDTH..22 * WIDTH].chunks(WIDTH);
        let is_blanked = rows.any(|row| row[..8] == [0; 8]);
        assert_eq!(is_blanked, cycle <= 20 || cycle == 75, "cycle {cycle}");
    }
}

#[test]
fn joysticks_switches_and_paddles_reach_their_pins() {
    // VBLANK bit 7 discharges the paddles' capacitors. Ten lines later the fastest is charged.
    let reads =
        ".repeat 10 STA $02\nLDA $0280\nSTA $80\nLDA $0282\nSTA $81\nLDA $0C\nSTA $82\nLDA $08\nSTA $83\nJMP frame";
    let source = format!("{FRAME}LDA #$80\nSTA $01\nLDA #$00\nSTA $01\n{reads}");
    let mut input = Input::default();
    input.joysticks[0] = Joystick {
        left: true,
        fire: true,
        ..Joystick::default()
    };
    input.switches = Switches {
        select: true,
        right_difficulty_a: true,
        black_and_white: true,
        ..Switches::default()
    };
    let mut console = console(&source);
    for _ in 0..3 {
        console.run_frame(&input, Drawing::OnDemand);
    }
    assert_eq!(console.ram()[..2], [0xBF, 0xB5]);
    assert_eq!([console.ram()[2] & 0x80, console.ram()[3] & 0x80], [0, 0]);
    let wiring = Wiring {
        left: Controller::Paddles,
        ..Wiring::default()
    };
    let mut console = console_with(&source, wiring);
    input.paddles[0] = Paddle {
        resistance: 27_450,
        fire: true,
    };
    for _ in 0..3 {
        console.run_frame(&input, Drawing::OnDemand);
    }
    assert_eq!(console.ram()[0], 0x7F);
    assert_eq!(console.ram()[3] & 0x80, 0x80);
}

#[test]
fn a_paddle_charges_on_over_the_end_of_a_frame_and_a_write_of_vblank() {
    // Discharged until four lines before the end of the frame. Charged after seven lines, in the third line of the next frame. The second
    // write of VBLANK does not discharge.
    let source = "
frame:
    LDA #$82
    STA $01
    .repeat 200 STA $02
    LDA #$02
    STA $01
    STA $02
    STA $00
    .repeat 3 STA $02
    LDA #$00
    STA $00
    STA $01
    STA $02
    LDA $08
    STA $80
    .repeat 3 STA $02
    LDA $08
    STA $81
    JMP frame
";
    let wiring = Wiring {
        left: Controller::Paddles,
        ..Wiring::default()
    };
    let mut console = console_with(source, wiring);
    let mut input = Input::default();
    input.paddles[0].resistance = 27_450;
    for _ in 0..3 {
        console.run_frame(&input, Drawing::OnDemand);
    }
    assert_eq!(
        console.ram()[..2].iter().map(|byte| byte & 0x80).collect::<Vec<_>>(),
        [0, 0x80]
    );
}

#[test]
fn a_jammed_cpu_stays_so_until_a_reset() {
    let mut console = console("INC $80\n.byte $02");
    for _ in 0..3 {
        console.run_frame(&Input::default(), Drawing::Immediate);
    }
    assert_eq!(console.ram()[0], 1);
    console.reset(&mut || 0);
    console.run_frame(&Input::default(), Drawing::Immediate);
    assert_eq!(console.ram()[0], 2);
}

#[test]
fn a_reset_keeps_how_the_last_frame_ended() {
    let mut console = console(&format!("{FRAME}JMP frame"));
    assert!(!console.frame_has_ended());
    console.run_frame(&Input::default(), Drawing::Immediate);
    assert!(console.frame_has_ended());
    console.reset(&mut || 0);
    assert!(console.frame_has_ended());
}

#[test]
fn a_reset_goes_on_with_a_frame_that_has_not_ended() {
    // The first call of such a frame turns the lines from the beam's on grey; later calls do not.
    let source = "LDA #$46\nSTA $09\nLDX #$64\nline:\nSTA $02\nDEX\nBNE line\n.repeat 15 NOP\nSTA $09\n.byte $02";
    let mut console = console(source);
    for colour in [0x03, 0x46] {
        console.run_frame(&Input::default(), Drawing::Immediate);
        assert!(!console.frame_has_ended());
        assert_eq!(console.screen()[(100 - 34) * WIDTH], colour);
        console.reset(&mut || 0);
    }
}

#[test]
fn a_state_without_pictures_has_the_registers_of_the_sound() {
    let tone = "LDA #$04\nSTA $15\nSTA $17\nLDA #$0F\nSTA $19\nstop:\nJMP stop";
    let mut original = console(tone);
    original.run_frame(&Input::default(), Drawing::Immediate);
    let mut bytes = Vec::new();
    original.save_without_pictures(&mut bytes);
    let mut restored = console(tone);
    assert_eq!(restored.load_without_pictures(&mut bytes.as_slice()), Ok(()));
    let samples = original.play_sound().to_vec();
    assert!(samples.iter().any(|sample| *sample != samples[0]));
    assert_eq!(restored.play_sound()[..], samples);
}

#[test]
fn a_restored_console_goes_on_as_if_it_had_never_stopped() {
    let source = busy_program();
    for drawing in [Drawing::Immediate, Drawing::OnDemand] {
        let mut original = console(&source);
        for _ in 0..13 {
            original.run_frame(&Input::default(), drawing);
        }
        let mut bytes = Vec::new();
        original.save(&mut bytes);
        let mut restored = console(&source);
        let mut rest = bytes.as_slice();
        restored.load(&mut rest).expect("the bytes of a state");
        assert!(rest.is_empty());
        assert!(restored.screen() == original.screen());
        for frame in 0..20 {
            original.run_frame(&Input::default(), drawing);
            restored.run_frame(&Input::default(), Drawing::OnDemand);
            assert!(restored.screen() == original.screen(), "picture of frame {frame}");
            assert_eq!(restored.ram(), original.ram(), "RAM of frame {frame}");
        }
        assert!(console(&source).load(&mut &bytes[..bytes.len() - 1]).is_err());
    }
}
