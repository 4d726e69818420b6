//! The same program twice: interpreted, and compiled.
#![allow(dead_code, reason = "not every test uses all of it")]

use gym2600_native::{CompileThread, TierUpThreshold, install};
use gym2600_vcs::{
    Console, ConsoleConfig, Controller, Drawing, FrameGeometry, HmoveBlanks, Input, Joystick, Mapper, Paddle, Switches,
    TvFormat, Wiring,
};
use programs::Random;

#[path = "../../../vcs/tests/programs/mod.rs"]
pub mod programs;

/// So low that most frames of a short play run compiled code.
pub const THRESHOLD: TierUpThreshold = TierUpThreshold {
    interpreted: 3,
    profiled: 12,
};

/// Joystick and switches of a frame.
pub fn input(random: &mut Random) -> Input {
    let mut bit = || random.below(4) == 0;
    let joystick = Joystick {
        up: bit(),
        down: bit(),
        left: bit(),
        right: bit(),
        fire: bit(),
    };
    let switches = Switches {
        reset: random.below(60) == 0,
        select: random.below(200) == 0,
        ..Switches::default()
    };
    Input {
        joysticks: [joystick, Joystick::default()],
        switches,
        ..Input::default()
    }
}

/// Any television and controllers.
pub fn any_config(mapper: Mapper, random: &mut Random) -> ConsoleConfig {
    let mut controller = || [Controller::Joystick, Controller::Joystick, Controller::Paddles][random.below(3)];
    let (left, right) = (controller(), controller());
    let mut bit = || random.below(2) == 0;
    ConsoleConfig {
        mapper,
        wiring: Wiring {
            left,
            right,
            swap_ports: bit(),
            swap_paddles: bit(),
        },
        hmove_blanks: if bit() { HmoveBlanks::Shown } else { HmoveBlanks::Hidden },
        geometry: FrameGeometry {
            tv: if bit() { TvFormat::Ntsc } else { TvFormat::Pal },
            first_line: random.below(60) as u16,
            height: 200 + random.below(57) as u16,
        },
    }
}

/// Joystick, switches and paddles of a frame.
pub fn any_input(random: &mut Random) -> Input {
    let mut input = input(random);
    for paddle in &mut input.paddles {
        *paddle = Paddle {
            resistance: [0, 27_450, 408_823, 790_196, u32::MAX][random.below(5)],
            fire: random.below(3) == 0,
        };
    }
    input
}

/// A console, reset, whose memory powers up with copies of a number.
pub fn console(rom: &[u8], random: u32) -> Console {
    let mapper = Mapper::detect(rom).expect("a cartridge");
    let mut console = Console::new(rom, &ConsoleConfig::new(mapper)).expect("a cartridge");
    console.reset(&mut || random);
    console
}

/// The complete saved state.
pub fn saved(console: &mut Console) -> Vec<u8> {
    let mut bytes = Vec::new();
    console.save(&mut bytes);
    bytes
}

/// Plays every ROM interpreted and compiled, and asserts that they are the same, until `ends` accepts the number of frames and the
/// console with the compiler. Returns how many programs have been compiled. It can be called once in a process, because a
/// compiler cannot be removed.
pub fn play_both(
    roms: &[(String, Vec<u8>)],
    thread: CompileThread,
    mut ends: impl FnMut(u32, &Console) -> bool,
) -> usize {
    let numbers = |index: usize| index as u32 * 7 + 1;
    let interpreted: Vec<Console> = roms
        .iter()
        .enumerate()
        .map(|(index, (_, rom))| console(rom, numbers(index)))
        .collect();
    install(THRESHOLD, thread);
    let mut compiled = 0;
    for (index, ((name, rom), mut plain)) in roms.iter().zip(interpreted).enumerate() {
        let mut other = console(rom, numbers(index));
        let mut random = Random(index as u64);
        let mut frame = 0;
        while !ends(frame, &other) {
            let input = input(&mut random);
            // Pictures are read now and then, whether or not they were wanted.
            let drawing = if random.below(2) == 0 {
                Drawing::Immediate
            } else {
                Drawing::OnDemand
            };
            let is_seen = random.below(5) == 0;
            for console in [&mut plain, &mut other] {
                console.run_frame(&input, drawing);
            }
            assert_eq!(plain.ram(), other.ram(), "{name}: RAM after frame {frame}");
            assert_eq!(
                plain.cartridge_ram(),
                other.cartridge_ram(),
                "{name}: the cartridge's RAM after frame {frame}"
            );
            assert_eq!(plain.scanlines(), other.scanlines(), "{name}: lines of frame {frame}");
            if is_seen {
                assert!(plain.screen() == other.screen(), "{name}: picture of frame {frame}");
            }
            if random.below(4) == 0 {
                assert!(
                    saved(&mut plain) == saved(&mut other),
                    "{name}: state after frame {frame}"
                );
            }
            // A console is copied, or continues from its saved state, at any time.
            if random.below(50) == 0 {
                other = other.clone();
            }
            if random.below(50) == 0 {
                let bytes = saved(&mut other);
                other.load(&mut bytes.as_slice()).expect("its own state");
            }
            frame += 1;
        }
        assert!(!plain.is_compiled());
        compiled += usize::from(other.is_compiled());
    }
    compiled
}
