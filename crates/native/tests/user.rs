//! The crate as a program of a user sees it: one call before the first console.

use std::thread;

use gym2600_native::{CompileThread, TierUpThreshold, finish_jobs, install};
use gym2600_vcs::{Console, ConsoleConfig, Drawing, Input, Mapper};

#[test]
fn a_program_is_compiled_for_the_consoles_of_all_threads() {
    let threshold = TierUpThreshold {
        interpreted: 2,
        profiled: 2,
    };
    install(threshold, CompileThread::Background);
    install(TierUpThreshold::default(), CompileThread::Console); // only the first call has an effect
    let mut rom = vec![0xEA; 4096];
    rom[0xFF0..0xFF3].copy_from_slice(&[0x4C, 0x00, 0xF0]); // JMP $F000
    rom[0xFFC..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    let mut console = Console::new(rom, &ConsoleConfig::new(Mapper::Rom4K)).expect("a cartridge of 4 KB");
    console.reset(&mut || 0);
    let play = move || {
        for _ in 0..10 {
            console.run_frame(&Input::default(), Drawing::OnDemand);
        }
        finish_jobs();
        console.run_frame(&Input::default(), Drawing::OnDemand);
        (console.is_compiled(), console)
    };
    let (is_compiled, console) = thread::spawn(play).join().expect("a thread that ends");
    assert!(is_compiled, "{:?}", console.jit_statistics());
}
