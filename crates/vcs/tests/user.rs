//! The crate as a program of a user sees it: errors, clones, threads, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::error::Error;
use std::thread;

use gym2600_vcs::{
    CartridgeError, CompileJob, Console, ConsoleConfig, Drawing, FrameGeometry, Input, InvalidState, Mapper, Snapshot,
};

/// A cartridge of 8 KB that counts from `first`, in a cell and in the background's colour.
fn rom(first: u8) -> Vec<u8> {
    let mut bank = vec![0; 4096];
    // LDA #first; STA $80; INC $80; LDA $80; STA COLUBK; JMP to the INC.
    let program = [
        0xA9, first, 0x85, 0x80, 0xE6, 0x80, 0xA5, 0x80, 0x85, 0x09, 0x4C, 0x04, 0xF0,
    ];
    bank[..program.len()].copy_from_slice(&program);
    bank[0xFFC..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    bank.repeat(2)
}

fn console(rom: Vec<u8>, config: &ConsoleConfig) -> Result<Console, CartridgeError> {
    let mut console = Console::new(rom, config)?;
    console.reset(&mut || 0);
    console.run_frame(&Input::default(), Drawing::OnDemand);
    Ok(console)
}

fn snapshot(console: &mut Console) -> Snapshot {
    let mark = console.mark();
    console.run_frame(&Input::default(), Drawing::OnDemand);
    console.snapshot(mark)
}

#[test]
fn errors_pass_through_a_question_mark_and_say_what_is_wrong() {
    fn load(rom: Vec<u8>, mapper: &str, state: &[u8]) -> Result<Console, Box<dyn Error>> {
        let mapper = match mapper {
            "" => Mapper::detect(&rom)?,
            name => name.parse()?,
        };
        let mut console = Console::new(rom, &ConsoleConfig::new(mapper))?;
        console.load(&mut &state[..])?;
        Ok(console)
    }
    let refusal = |rom, mapper, state: &[u8]| load(rom, mapper, state).unwrap_err().to_string();
    assert!(refusal(vec![0; 3], "", &[]).contains("3 bytes"));
    assert!(refusal(rom(0xEA), "F9", &[]).contains("F9"));
    assert!(refusal(rom(0xEA), "4K", &[]).contains("does not fit mapper 4K"));
    assert!(refusal(rom(0xEA), "F8", &[1, 2, 3]).contains("no state"));
}

#[test]
fn a_clone_in_another_thread_plays_as_its_original() {
    let mut console = console(rom(0xEA), &ConsoleConfig::new(Mapper::F8)).unwrap();
    let mut clone = console.clone();
    let played = |console: &mut Console| {
        console.run_frame(&Input::default(), Drawing::OnDemand);
        let mut state = Vec::new();
        console.save(&mut state);
        (console.screen().to_vec(), state)
    };
    let theirs = thread::spawn(move || played(&mut clone));
    let (screen, state) = played(&mut console);
    assert!(screen.iter().any(|pixel| *pixel != screen[0]));
    assert!((screen, state) == theirs.join().unwrap());
}

#[test]
fn a_snapshot_of_another_cartridge_is_refused_and_nothing_changes() {
    let config = ConsoleConfig::new(Mapper::F8);
    let other_height = ConsoleConfig {
        geometry: FrameGeometry {
            height: 250,
            ..config.geometry
        },
        ..config
    };
    let mut ours = console(rom(0xEA), &config).unwrap();
    let mut before = Vec::new();
    ours.save(&mut before);
    for (opcode, config) in [
        (0x8A, config),
        (0xEA, ConsoleConfig::new(Mapper::E0)),
        (0xEA, other_height),
    ] {
        let mut theirs = console(rom(opcode), &config).unwrap();
        assert_eq!(ours.continue_from(&snapshot(&mut theirs)), Err(InvalidState));
        let mut after = Vec::new();
        ours.save(&mut after);
        assert!(before == after);
    }
    // Neither of these has quiet addresses.
    let mut paged = console(rom(0xEA), &ConsoleConfig::new(Mapper::ThreeF)).unwrap();
    let mut theirs = console(rom(0xEA), &ConsoleConfig::new(Mapper::Ua)).unwrap();
    assert_eq!(paged.continue_from(&snapshot(&mut theirs)), Err(InvalidState));
    // The same bytes in another allocation.
    let mut theirs = console(rom(0xEA), &config).unwrap();
    assert_eq!(ours.continue_from(&snapshot(&mut theirs)), Ok(()));
}

#[test]
fn jobs_and_snapshots_can_be_sent() {
    fn sent<T: Send>() {}
    sent::<CompileJob>();
    sent::<Snapshot>();
}
