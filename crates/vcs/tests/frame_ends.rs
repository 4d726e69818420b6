//! The last pixels of a frame that ends within a line. Expected values were measured with ale-py.

mod tiny;

use gym2600_vcs::{Drawing, Input, WIDTH};
use tiny::console;

/// The CPU cycle of a line at which its frame ends, at this pixel, and the end of the group of four pixels that it is in.
const CYCLE: usize = 39;
const END: usize = 49;
const GROUP_END: usize = 52;

/// Pixels drawn in the last line of a frame that `setup` prepares and that ends at `cycle`, right after `late`, which takes as many
/// cycles as given.
fn drawn(setup: &str, (late, cycles): (&str, usize), cycle: usize) -> [usize; 2] {
    let nops = (cycle - 3 - cycles) / 2;
    let source = format!(
        "LDX #$28
        wait:
        STA $02
        DEX
        BNE wait
        LDA #$0E
        STA $06
        STA $07
        STA $08
        STA $09
        {setup}
        LDA #$02
        STA $00
        LDY #$00
        .repeat 3 STA $02
        .repeat {nops} NOP
        {late}
        STY $00
        stop:
        JMP stop"
    );
    [Drawing::Immediate, Drawing::OnDemand].map(|drawing| {
        let mut console = console(&source);
        console.run_frame(&Input::default(), drawing);
        assert!(console.frame_has_ended());
        let mut rows = console.screen().chunks_exact(WIDTH);
        let last = rows.rfind(|row| row[0] != 0).expect("a line that is drawn");
        last.iter().rposition(|&pixel| pixel != 0).map_or(0, |last| last + 1)
    })
}

#[test]
fn a_frame_that_ends_between_four_pixels_ends_after_them_for_some_sets_of_objects() {
    // The players, missiles and the ball are at pixel 2 or 3.
    let playfield = "LDA #$FF\nSTA $0F";
    let [player0, player1] = ["LDA #$FF\nSTA $1B", "LDA #$FF\nSTA $1C"];
    let [missile0, missile1, ball] = ["LDA #$02\nSTA $1D", "LDA #$02\nSTA $1E", "LDA #$02\nSTA $1F"];
    let score = "LDA #$02\nSTA $0A";
    // Player 0 at pixel 42, eight pixels wide or more.
    let near = "STA $02\n.repeat 16 NOP\nSTA $10\nLDA #$01\nSTA $1B";
    let wide = "LDA #$07\nSTA $04\nLDA #$01\nSTA $1B\nSTA $02\n.repeat 16 NOP\nSTA $10";
    for (name, objects, end) in [
        ("none", vec![], END),
        ("playfield", vec![playfield], GROUP_END),
        ("playfield, score", vec![playfield, score], GROUP_END),
        ("player 0", vec![player0], GROUP_END),
        ("missile 1", vec![missile1], GROUP_END),
        ("ball", vec![ball], GROUP_END),
        ("players", vec![player0, player1], GROUP_END),
        ("missiles", vec![missile0, missile1], GROUP_END),
        ("player 0, missile 0", vec![player0, missile0], END),
        ("player 0, ball", vec![player0, ball], END),
        ("player 1, ball", vec![player1, ball], GROUP_END),
        ("missile 0, ball", vec![missile0, ball], GROUP_END),
        ("playfield, player 0", vec![playfield, player0], GROUP_END),
        ("playfield, player 0, score", vec![playfield, player0, score], END),
        ("playfield, missile 0", vec![playfield, missile0], END),
        ("playfield, ball", vec![playfield, ball], GROUP_END),
        ("three", vec![player0, player1, playfield], END),
        ("player 0 in the group, without a pixel", vec![near], END),
        ("wide player 0 around the group, without a pixel", vec![wide], END),
    ] {
        assert_eq!(drawn(&objects.join("\n"), ("NOP", 2), CYCLE), [end; 2], "{name}");
    }
}

#[test]
fn a_change_within_the_last_four_pixels_does_not_change_how_they_are_drawn() {
    // NUSIZ0 changes at pixel 54, and with it the second copy of player 0 at pixel 52.
    let player0 = "STA $02\n.repeat 15 NOP\nSTA $10\nLDA #$FF\nSTA $1B";
    let setup = |nusiz: u8, late: u8| format!("{player0}\nLDA #${nusiz:02X}\nSTA $04\nLDX #${late:02X}");
    for (nusiz, late, end) in [(0, 0, 56), (0, 1, 56), (1, 0, 55), (1, 1, 55)] {
        assert_eq!(
            drawn(&setup(nusiz, late), ("LDA $80\nSTX $04", 6), 41),
            [end; 2],
            "{nusiz} {late}"
        );
    }
}
