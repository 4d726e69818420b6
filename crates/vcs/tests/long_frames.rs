//! Frames that the program never ends.

mod tiny;

use gym2600_vcs::{Console, Drawing, Input};
use tiny::console;

/// Calls after which clocks that were never set back would have overflowed.
const CALLS: u32 = 12_000;

fn saved(console: &mut Console) -> Vec<u8> {
    let mut bytes = Vec::new();
    console.save(&mut bytes);
    bytes
}

#[test]
fn the_clocks_of_a_frame_without_end_do_not_overflow() {
    // Reads of the timer and of the TIA are accesses with a clock; nothing is written until location $80 is set.
    let mut console = console(
        "LDA #$02
        STA $97
        wait:
        LDA $0284
        LDA $0C
        LDA $80
        BEQ wait
        STA $1B
        LDA #$00
        STA $80
        LDA #$02
        STA $00
        STA $02
        LDA #$00
        STA $00
        JMP wait",
    );
    console.ram_mut()[0] = 0;
    for _ in 0..CALLS {
        console.run_frame(&Input::default(), Drawing::OnDemand);
        assert!(!console.frame_has_ended());
        assert!(console.scanlines() >= 0);
    }
    let state = saved(&mut console);
    assert_eq!(console.load(&mut state.as_slice()), Ok(()));
    assert!(saved(&mut console) == state);
    // The next write finds that there are too many lines.
    console.ram_mut()[0] = 1;
    console.run_frame(&Input::default(), Drawing::Immediate);
    assert!(console.frame_has_ended());
}

#[test]
fn a_program_in_the_addresses_of_the_tia_goes_on_from_its_state() {
    // It executes what the TIA leaves of the byte before on the bus, 0x09: ORA with an operand. RAM follows.
    let mut console = console(
        "LDX #$04
        code:
        LDA bytes,X
        STA $80,X
        DEX
        BPL code
        LDA #$00
        INC $C0
        JMP $0900
        bytes:
        .byte $E6 $C0 $4C $00
        .byte $09",
    );
    let mut restored = console.clone();
    for _ in 0..4 {
        console.run_frame(&Input::default(), Drawing::OnDemand);
        restored
            .load(&mut saved(&mut console).as_slice())
            .expect("its own state");
        console.run_frame(&Input::default(), Drawing::OnDemand);
        restored.run_frame(&Input::default(), Drawing::OnDemand);
        assert_eq!(restored.ram(), console.ram());
    }
    assert!(console.ram()[0x40] > 0 && console.ram()[0x7F] == 0);
}
