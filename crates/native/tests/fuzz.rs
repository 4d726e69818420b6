//! Changed ROMs and random programs with any television and controllers do compiled what they do interpreted, through restores, copies and
//! resets: complete saved states are compared.
//!
//! `GYM2600_FUZZ_SECONDS` and `GYM2600_FUZZ_SEED` make the run longer and different: see `scripts/fuzz`.
#![allow(missing_docs, dead_code, clippy::cast_possible_truncation, reason = "tests")]

mod pair;
#[path = "../../arcade/tests/support/mod.rs"]
mod support;

use gym2600_native::{CompileThread, install};
use gym2600_vcs::{Console, Drawing, Mapper};
use pair::programs::{Random, mutate, number, program};
use pair::saved;
use std::collections::HashSet;
use std::process::Command;
use std::time::{Duration, Instant};

/// Programs of a batch. An interpreted console of each has to be made before the compiler is installed, which is once in a process.
const PROGRAMS: usize = 80;
/// Frames of each, at most.
const FRAMES: usize = 120;

/// The mappers of the ROMs.
const MAPPERS: [Mapper; 9] = [
    Mapper::Rom2K,
    Mapper::Rom4K,
    Mapper::F8,
    Mapper::F8Sc,
    Mapper::F6,
    Mapper::F6Sc,
    Mapper::E0,
    Mapper::Fe,
    Mapper::Dpc,
];

/// The mappers of random programs: no ROM has most of them.
const MADE_UP: [Mapper; 6] = [
    Mapper::Rom4K,
    Mapper::F4,
    Mapper::F4Sc,
    Mapper::Fa,
    Mapper::Mb,
    Mapper::Cv,
];

/// A program with the mapper that it is played with.
struct Program {
    name: String,
    bytes: Vec<u8>,
    mapper: Mapper,
}

/// The program of a number: a ROM, changed or as it is, or one that is made up. The first ones have each of [`MAPPERS`] twice: once unchanged, so that
/// it is compiled, because a changed program may jam before.
fn rom(files: &[(String, Vec<u8>)], number: usize, random: &mut Random) -> Program {
    let detect = |bytes: &[u8]| Mapper::detect(bytes).expect("a cartridge");
    let mut mappers = MAPPERS.iter().cycle().take(2 * MAPPERS.len());
    let first = mappers.nth(number).copied();
    let is_unchanged = number < MAPPERS.len();
    if first.is_none() && random.below(4) == 0 {
        let mapper = MADE_UP[random.below(MADE_UP.len())];
        let size = mapper.sizes().least();
        let bytes: Vec<u8> = (0..size.div_ceil(4096)).flat_map(|_| program(random)).collect();
        let name = format!("random program of {}", mapper.name());
        return Program { name, bytes, mapper };
    }
    let fit: Vec<_> = files
        .iter()
        .filter(|(_, bytes)| first.is_none_or(|mapper| detect(bytes) == mapper))
        .collect();
    let (name, bytes) = fit[random.below(fit.len())];
    let mut bytes = bytes.clone();
    if !is_unchanged && random.below(8) > 0 {
        mutate(&mut bytes, random);
    }
    Program {
        name: name.clone(),
        // A change may hide the bytes by which a mapper is detected.
        mapper: first.unwrap_or_else(|| detect(&bytes)),
        bytes,
    }
}

/// Plays both consoles, and returns the number of frames.
fn play(name: &str, plain: &mut Console, other: &mut Console, random: &mut Random) -> usize {
    let frames = FRAMES / 2 + random.below(FRAMES / 2);
    for frame in 0..frames {
        let input = pair::any_input(random);
        let drawing = [Drawing::Immediate, Drawing::OnDemand][random.below(2)];
        for console in [&mut *plain, &mut *other] {
            console.run_frame(&input, drawing);
        }
        match random.below(40) {
            0 => *other = other.clone(),
            1 => {
                let bytes = saved(plain);
                other.load(&mut bytes.as_slice()).expect("a state of the same program");
            }
            2 => {
                let bytes = saved(other);
                plain.load(&mut bytes.as_slice()).expect("a state of the same program");
            }
            3 => {
                let noise = random.below(1 << 30) as u32;
                plain.reset(&mut || noise);
                other.reset(&mut || noise);
            }
            4 => {
                let address = random.below(128);
                let value = random.below(256) as u8;
                plain.ram_mut()[address] = value;
                other.ram_mut()[address] = value;
            }
            5 => assert!(
                plain.play_sound() == other.play_sound(),
                "{name}: sound of frame {frame}"
            ),
            _ => {}
        }
        if random.below(3) == 0 {
            assert!(saved(plain) == saved(other), "{name}: state after frame {frame}");
        }
    }
    assert!(saved(plain) == saved(other), "{name}: state after {frames} frames");
    frames
}

fn batch(seed: u64) {
    let files = support::all_roms();
    let mut random = Random(seed);
    let mut programs = Vec::new();
    for number in 0..PROGRAMS {
        let Program { name, bytes, mapper } = rom(&files, number, &mut random);
        let config = pair::any_config(mapper, &mut random);
        let noise = random.below(1 << 30) as u32;
        let console = move |bytes: &[u8]| {
            let mut console = Console::new(bytes, &config).expect("a cartridge");
            console.reset(&mut || noise);
            console
        };
        let plain = console(&bytes);
        programs.push((
            format!("seed {seed}, {number}: {name}, {mapper:?}"),
            mapper,
            bytes,
            plain,
            console,
        ));
    }
    install(pair::THRESHOLD, CompileThread::Console);
    let (mut frames, mut compiled, mut mappers) = (0, 0, HashSet::new());
    for (number, (name, mapper, bytes, mut plain, console)) in programs.into_iter().enumerate() {
        let mut other = console(&bytes);
        frames += play(&name, &mut plain, &mut other, &mut Random(seed ^ number as u64));
        assert!(!plain.is_compiled());
        if other.is_compiled() {
            compiled += 1;
            mappers.insert(mapper);
        }
    }
    println!("batch: {PROGRAMS} programs, {compiled} compiled, {frames} frames");
    // Many changed programs jam.
    assert!(
        compiled > PROGRAMS / 2,
        "{compiled} of {PROGRAMS} programs were compiled"
    );
    let expected = MAPPERS.into_iter().chain(MADE_UP).collect();
    assert_eq!(mappers, expected, "mappers of compiled programs");
}

#[test]
fn changed_programs_play_the_same_compiled() {
    let seed = number("GYM2600_FUZZ_SEED", 2600);
    let seconds = number("GYM2600_FUZZ_SECONDS", 0);
    if seconds == 0 {
        batch(seed);
        return;
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut batches = 0;
    while Instant::now() < end {
        let output = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "changed_programs_play_the_same_compiled", "--nocapture"])
            .env_remove("GYM2600_FUZZ_SECONDS")
            .env("GYM2600_FUZZ_SEED", (seed + batches).to_string())
            .output()
            .expect("a process");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{}{}",
            text,
            String::from_utf8_lossy(&output.stderr)
        );
        if let Some(line) = text.lines().find(|line| line.starts_with("batch")) {
            println!("{line}");
        }
        batches += 1;
    }
    println!("{batches} batches of {PROGRAMS} programs");
}
