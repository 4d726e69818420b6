//! The same program twice: interpreted, and translated.

use gym2600_native::{Compiling, Patience, install};
use gym2600_vcs::{
    Config, Console, FrameGeometry, HmoveBlanks, Input, Joystick, Mapper, Picture, Switches, TvFormat, Wiring,
};

/// Soon enough that short plays are nearly all translated.
pub const PATIENCE: Patience = Patience { idle: 3, watching: 12 };

/// A fixed row of numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// Joystick and switches of a frame.
    fn input(&mut self) -> Input {
        let mut bit = || self.below(4) == 0;
        let joystick = Joystick {
            up: bit(),
            down: bit(),
            left: bit(),
            right: bit(),
            fire: bit(),
        };
        let switches = Switches {
            reset: self.below(60) == 0,
            select: self.below(200) == 0,
            ..Switches::default()
        };
        Input {
            joysticks: [joystick, Joystick::default()],
            switches,
            ..Input::default()
        }
    }
}

/// A console, reset, whose memory powers up with copies of a number.
pub fn console(rom: &[u8], random: u32) -> Console {
    let config = Config {
        mapper: Mapper::detect(rom).expect("a cartridge"),
        wiring: Wiring::default(),
        geometry: FrameGeometry {
            tv: TvFormat::Ntsc,
            ystart: 34,
            height: 210,
        },
        hmove_blanks: HmoveBlanks::Shown,
    };
    let mut console = Console::new(rom, &config).expect("a cartridge");
    console.reset(&mut || random);
    console
}

/// Plays every ROM interpreted and translated, and asserts that they are the same, until `ends` says so of the number of frames
/// and of the console that may be translated. Gives how many have been. Once in a process: there is no way back from [`install`].
pub fn play_both(
    roms: &[(String, Vec<u8>)],
    compiling: Compiling,
    mut ends: impl FnMut(u32, &Console) -> bool,
) -> usize {
    let numbers = |index: usize| index as u32 * 7 + 1;
    let interpreted: Vec<Console> = roms
        .iter()
        .enumerate()
        .map(|(index, (_, rom))| console(rom, numbers(index)))
        .collect();
    install(PATIENCE, compiling);
    let mut translated = 0;
    for (index, ((name, rom), mut plain)) in roms.iter().zip(interpreted).enumerate() {
        let mut other = console(rom, numbers(index));
        let mut random = Random(index as u64);
        let mut frame = 0;
        while !ends(frame, &other) {
            let input = random.input();
            // Pictures are looked at now and then, asked for before and after.
            let picture = if random.below(2) == 0 {
                Picture::Wanted
            } else {
                Picture::OnDemand
            };
            let is_seen = random.below(5) == 0;
            for console in [&mut plain, &mut other] {
                console.run_frame(&input, picture);
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
            // A console is copied with all that goes on in it.
            if random.below(50) == 0 {
                other = other.clone();
            }
            frame += 1;
        }
        assert!(!plain.is_translated());
        translated += usize::from(other.is_translated());
    }
    translated
}
