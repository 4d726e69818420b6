//! Verifies the code of all ROMs of ale-py and of random programs.

use super::super::compiler::{CompileJob, CompiledCode, CompiledFunction, Compiler, TierUpThreshold, install_compiler};
use super::verify;
use crate::cartridge::Cartridge;
use crate::{Console, ConsoleConfig, Drawing, Input, Mapper};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[path = "../../../tests/programs/mod.rs"]
pub(super) mod random;
#[path = "../../../../arcade/tests/support/mod.rs"]
mod support;

/// So low that a short play begins several jobs.
const THRESHOLD: TierUpThreshold = TierUpThreshold {
    interpreted: 2,
    profiled: 30,
};
/// Random programs, unless a time is given.
const PROGRAMS: usize = 300;

/// Counts of the code that was verified.
#[derive(Default)]
struct Findings {
    functions: usize,
    operations: usize,
    refusals: Vec<String>,
}

static FINDINGS: Mutex<Option<Findings>> = Mutex::new(None);

thread_local! {
    /// The size of the ROM under test in its cartridge, where 2 KB are mirrored to 4 KB. None in the threads of other tests, whose code is
    /// not verified.
    static ROM_LENGTH: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Verifies every job, and answers it with code that leaves all instructions to the interpreter.
struct VerifyingCompiler;

struct Interpreted(Vec<CompiledFunction>);

impl CompiledCode for Interpreted {
    fn functions(&self) -> &[CompiledFunction] {
        &self.0
    }
}

extern "C" fn interpret(_machine: *mut c_void, _rom: *const u8, _block: u32) -> u32 {
    super::super::ir::exit::INTERPRET as u32
}

impl Compiler for VerifyingCompiler {
    fn compile(&self, job: CompileJob) {
        if let Some(length) = ROM_LENGTH.get() {
            let mut findings = FINDINGS.lock().expect("no panic before");
            let findings = findings.get_or_insert_default();
            for function in job.functions() {
                findings.functions += 1;
                findings.operations += function.len();
                if let Err(refusal) = verify(function, length) {
                    findings.refusals.push(format!("{refusal:?}"));
                }
            }
        }
        let code = vec![interpret as CompiledFunction; job.functions().len()];
        job.finish(Box::new(Interpreted(code)));
    }
}

/// Returns the number of functions that were verified.
fn play(name: &str, rom: &[u8], frames: u32) -> usize {
    let functions = || {
        FINDINGS
            .lock()
            .expect("no panic before")
            .as_ref()
            .map_or(0, |findings| findings.functions)
    };
    let before = functions();
    let mapper = Mapper::detect(rom).expect("a cartridge");
    ROM_LENGTH.set(Some(Cartridge::new(rom.into(), mapper).rom().len()));
    let mut console = Console::new(rom, &ConsoleConfig::new(mapper)).expect("a cartridge");
    console.reset(&mut || 1);
    for frame in 0..frames {
        let mut input = Input::default();
        input.switches.reset = frame % 50 == 10;
        input.joysticks[0].fire = frame % 7 < 3;
        input.joysticks[0].left = frame % 40 < 20;
        console.run_frame(&input, Drawing::OnDemand);
    }
    let findings = FINDINGS.lock().expect("no panic before");
    let refusals = findings
        .iter()
        .flat_map(|findings| &findings.refusals)
        .collect::<Vec<_>>();
    assert!(refusals.is_empty(), "{name}: {refusals:?}");
    drop(findings);
    functions() - before
}

/// `GYM2600_FUZZ_SECONDS` and `GYM2600_FUZZ_SEED` make the run longer and different: see `scripts/fuzz`.
#[test]
fn the_code_of_all_programs_keeps_its_rules() {
    install_compiler(Box::new(VerifyingCompiler), THRESHOLD);
    let end = Instant::now() + Duration::from_secs(random::number("GYM2600_FUZZ_SECONDS", 0));
    let roms = support::all_roms();
    for (name, rom) in &roms {
        assert!(play(name, rom, 200) > 0, "{name} has no code");
    }
    let mut source = random::Random(random::number("GYM2600_FUZZ_SEED", 2600));
    let mut programs = 0;
    while programs < PROGRAMS || Instant::now() < end {
        play(&format!("random program {programs}"), &random::program(&mut source), 40);
        let (name, rom) = &roms[source.below(roms.len())];
        let mut rom = rom.clone();
        random::mutate(&mut rom, &mut source);
        play(&format!("{name} changed as program {programs}"), &rom, 60);
        programs += 1;
    }
    let findings = FINDINGS.lock().expect("no panic before");
    let Findings {
        functions, operations, ..
    } = findings.as_ref().expect("jobs");
    println!(
        "{functions} functions with {operations} operations of {} ROMs and {programs} programs",
        roms.len()
    );
    assert!(*functions > 2000);
}
