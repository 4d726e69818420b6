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
fn a_frame_with_many_changes_of_the_tia_is_more_work() {
    let mut console = console(&format!("start:\n{}JMP start", "STA $2A\n".repeat(1000)));
    // The executor interprets at first. Then it compiles.
    for call in 0..20 {
        let work = console.run_frame(&Input::default(), Drawing::OnDemand);
        // One in three of some 22,000 cycles writes, until there are too many lines: that fills the log three times.
        assert!(
            (60_000 + 22_000..60_000 + 22_300).contains(&work),
            "call {call}: {work}"
        );
    }
}

#[test]
fn a_frame_that_goes_on_is_charged_its_changes_once() {
    // 6,000 writes of RESP0 fill the log twice. Then the frame goes on without an end.
    let mut console = console(&format!(
        "LDX #$06\nfill:\n{}DEX\nBNE next\nwait:\nJMP wait\nnext:\nJMP fill",
        "STA $10\n".repeat(1000)
    ));
    let calls = [(); 4].map(|()| console.run_frame(&Input::default(), Drawing::OnDemand));
    // 25,000 instructions, most of them of three cycles.
    assert!((114_900..115_000).contains(&calls[0]), "{calls:?}");
    assert_eq!(calls[1..], [75_000; 3], "{calls:?}");
}
