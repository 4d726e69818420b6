//! Collision latches have the same values for every order of reads and drawing.

mod tiny;

use gym2600_vcs::{Console, Drawing, Input};
use tiny::console;

/// Read registers.
const REGISTERS: usize = 8;
/// Where the index of each access is in RAM: of the reads at the frame's beginning and end, and of the CXCLRs at its
/// beginning, middle and end.
const READS: [usize; 2] = [0xA0, 0xA8];
const CLEARS: usize = 0xB0;
/// The address where the program stores the values it reads.
const RESULTS: usize = 0x80;
/// With this index the access is to unused RAM instead of the TIA.
const ELSEWHERE: u8 = 0xC0;

/// All objects move, each on other lines, so that collisions differ between frames. Frames have about 255 lines.
fn program() -> String {
    let clear = |number: usize| format!("LDX ${:02X}\nSTA $2C,X\n", CLEARS + number);
    let read = |site: usize| -> String {
        let each = |register| {
            let (index, result) = (READS[site] + register, RESULTS + REGISTERS * site + register);
            format!("LDX ${index:02X}\nLDA ${register:02X},X\nSTA ${result:02X}\n")
        };
        (0..REGISTERS).map(each).collect()
    };
    let (read_first, read_last) = (read(0), read(1));
    let (clear_first, clear_middle, clear_last) = (clear(0), clear(1), clear(2));
    format!(
        "frame:
        LDA #$02
        STA $01
        STA $00
        .repeat 3 STA $02
        LDA #$00
        STA $00
        {read_first}
        {clear_first}
        LDX #$20
        blank:
        STA $02
        DEX
        BNE blank
        LDA #$00
        STA $01
        INC $90
        LDA $90
        STA $20
        STA $23
        AND #$3F
        STA $91
        LDA #$20
        STA $0E
        LDY #$60
        first:
        STA $02
        STA $2A
        CPY $91
        BNE still
        STA $10
        STA $13
        still:
        TYA
        AND #$20
        STA $1B
        TYA
        AND #$18
        STA $1E
        STA $1D
        DEY
        BNE first
        {clear_middle}
        LDY #$78
        second:
        STA $02
        CPY $91
        BNE quiet
        STA $11
        STA $14
        quiet:
        TYA
        AND #$02
        STA $1F
        STY $1C
        STY $0F
        TYA
        AND #$10
        STA $1B
        DEY
        BNE second
        LDA #$00
        STA $1B
        STA $1C
        {read_last}
        {clear_last}
        JMP frame"
    )
}

/// Pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

fn byte(console: &Console, address: usize) -> u8 {
    console.ram()[address - 0x80]
}

fn set(console: &mut Console, address: usize, value: u8) {
    console.ram_mut()[address - 0x80] = value;
}

#[test]
fn latches_do_not_depend_on_how_often_they_are_read_or_when_frames_are_drawn() {
    let mut numbers = Numbers(1);
    let (mut always, mut seldom) = (console(&program()), console(&program()));
    let (mut compared, mut ones) = (0, 0);
    for frame in 0..9000 {
        if frame % 150 == 0 {
            // The program has not read any register since the reset.
            always.reset(&mut || 0);
            seldom.reset(&mut || 0);
        }
        let rarity = [20, 150, 600][frame / 150 % 3];
        // Some frames do not clear the latches.
        let clears = (!numbers.once_in(20)).then(|| numbers.below(3));
        let mut reads = Vec::new();
        for console in [&mut always, &mut seldom] {
            for register in 0..2 * REGISTERS {
                set(console, READS[0] + register, 0);
            }
        }
        for register in 0..2 * REGISTERS {
            if numbers.once_in(rarity) {
                reads.push(register);
            } else {
                set(&mut seldom, READS[0] + register, ELSEWHERE);
            }
        }
        for site in 0..3 {
            for console in [&mut always, &mut seldom] {
                let index = if clears == Some(site) { 0 } else { ELSEWHERE };
                set(console, CLEARS + site, index);
            }
        }
        always.run_frame(&Input::default(), Drawing::Immediate);
        let drawing = if numbers.once_in(2) {
            Drawing::Immediate
        } else {
            Drawing::OnDemand
        };
        seldom.run_frame(&Input::default(), drawing);
        if frame % 150 == 0 {
            // The first frame ends before the program reads anything.
            continue;
        }
        for register in reads {
            let address = RESULTS + register;
            let (expected, found) = (byte(&always, address), byte(&seldom, address));
            assert_eq!(found, expected, "register {register}, frame {frame}");
            compared += 1;
            ones += expected.count_ones();
        }
        if numbers.once_in(50) {
            assert!(seldom.screen() == always.screen(), "picture of frame {frame}");
        }
        if numbers.once_in(100) {
            let mut state = Vec::new();
            seldom.save(&mut state);
            seldom.load(&mut state.as_slice()).expect("its own state");
        }
    }
    assert!(
        compared > 2000 && ones > compared / 4,
        "{ones} latches of {compared} registers"
    );
}
