//! Resets that are remembered: what comes of them is what comes of playing them.

mod support;

use std::sync::atomic::{AtomicU32, Ordering};

use gym2600_arcade::{Action, Arcade, Generators, Picture, Settings, catalogue};
use support::rom;

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

/// ROMs with every mapper and both televisions; partial and short frames; modes that are selected, by acts and by draws; resets
/// that depend on nothing, on the timer, on what RAM holds.
const GAMES: [&str; 28] = [
    "adventure",
    "air_raid",
    "atlantis",
    "berzerk",
    "breakout",
    "crossbow",
    "double_dunk",
    "elevator_action",
    "entombed",
    "hangman",
    "haunted_house",
    "ice_hockey",
    "journey_escape",
    "klax",
    "kung_fu_master",
    "montezuma_revenge",
    "pitfall2",
    "pong",
    "private_eye",
    "qbert",
    "robotank",
    "seaquest",
    "space_war",
    "surround",
    "tetris",
    "tic_tac_toe_3d",
    "video_cube",
    "yars_revenge",
];

fn rom_or_wallop(name: &str) -> Vec<u8> {
    match name {
        "wallop" => WALLOP.to_vec(),
        name => rom(name),
    }
}

/// All of the state, both generators among it.
fn state(arcade: &mut Arcade) -> Vec<u8> {
    let mut bytes = Vec::new();
    arcade.save_to(&mut bytes, Generators::Included);
    bytes
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// Settings that nobody else has, and so a memory of one's own: episodes end after so many frames that none does.
fn settings_of_my_own() -> Settings {
    static NUMBER: AtomicU32 = AtomicU32::new(1_000_000_000);
    Settings {
        max_num_frames_per_episode: NUMBER.fetch_add(1, Ordering::Relaxed),
        ..Settings::default()
    }
}

/// A game, and another that remembers nothing and follows it.
struct Pair {
    name: &'static str,
    settings: Settings,
    arcade: Arcade,
    played: Arcade,
}

impl Pair {
    fn load(name: &'static str) -> Self {
        let rom = rom_or_wallop(name);
        let load = |settings| Arcade::load(&rom, &settings).expect("a game of the catalogue");
        let settings = settings_of_my_own();
        let forgetful = Settings {
            remember_resets: false,
            ..settings
        };
        Self {
            name,
            settings,
            arcade: load(settings),
            played: load(forgetful),
        }
    }

    /// Resets both from the state that the first is in. Gives whether the reset was remembered.
    fn reset(&mut self) -> bool {
        let Self {
            name, arcade, played, ..
        } = self;
        let start = state(arcade);
        played
            .load_from(&mut start.as_slice(), Generators::Included)
            .expect("the same game's state");
        let before = arcade.remembered_resets();
        arcade.reset_game();
        played.reset_game();
        assert_eq!((played.remembered_resets(), played.recorded_resets()), (0, 0));
        assert!(state(arcade) == state(played), "{name}: the reset ended otherwise");
        arcade.remembered_resets() > before
    }
}

#[test]
fn a_remembered_reset_ends_as_a_played_one() {
    for (seed, name) in (0..).zip(GAMES) {
        let mut numbers = Numbers(seed);
        let mut pair = Pair::load(name);
        let game = pair.arcade.game();
        let (modes, difficulties) = (game.modes.clone(), game.difficulties.clone());
        let mut kept = pair.arcade.save(Generators::Included);
        let mut remembered = 0;
        for round in 0..12 {
            let arcade = &mut pair.arcade;
            match round % 6 {
                1 => arcade
                    .set_mode(numbers.of(&modes[..modes.len().min(3)]))
                    .expect("one of its modes"),
                3 => arcade
                    .set_difficulty(numbers.of(&difficulties))
                    .expect("one of its difficulties"),
                4 => (0..3).for_each(|_| arcade.set_ram(numbers.below(128) as u8, numbers.below(256) as u8)),
                5 => arcade.restore(&kept, Generators::Included).expect("its own state"),
                _ => kept = arcade.save(Generators::Included),
            }
            remembered += u32::from(pair.reset());
            let Pair { arcade, played, .. } = &mut pair;
            for frame in 0..200 {
                let action = numbers.of(&Action::ALL);
                let picture = numbers.of(&[Picture::Wanted, Picture::OnDemand]);
                assert_eq!(arcade.act(action, picture), played.act(action, Picture::OnDemand));
                assert_eq!(arcade.ram(), played.ram(), "{name}: frame {frame} after reset {round}");
                if picture == Picture::Wanted {
                    let same = arcade.screen() == played.screen();
                    assert!(same, "{name}: frame {frame} after reset {round}");
                }
            }
            assert!(state(arcade) == state(played), "{name} went another way");
        }
        // Double Dunk's way to its modes depends on which actions stick.
        assert_eq!(
            remembered > 0,
            name != "double_dunk",
            "{name}: {remembered} resets were remembered"
        );
    }
}

#[test]
fn the_second_of_two_equal_resets_is_remembered() {
    for entry in catalogue::games() {
        let mut pair = Pair::load(entry.rom);
        let start = pair.arcade.save(Generators::Included);
        let hits = [(); 3].map(|()| {
            pair.arcade
                .restore(&start, Generators::Included)
                .expect("its own state");
            pair.arcade.act(Action::Noop, Picture::OnDemand);
            pair.reset()
        });
        assert_eq!(hits[1..], [entry.rom != "double_dunk"; 2], "{}", entry.rom);
    }
}

#[test]
fn a_reset_that_meets_another_ends_as_a_played_one() {
    let mut met = Vec::new();
    for entry in catalogue::games() {
        let mut numbers = Numbers(3);
        let mut pair = Pair::load(entry.rom);
        for _ in 0..10 {
            for _ in 0..numbers.below(3) {
                pair.arcade.act(numbers.of(&Action::ALL), Picture::OnDemand);
            }
            pair.reset();
        }
        if pair.arcade.met_resets() > 0 {
            met.push(entry.rom);
        }
    }
    // Most that read the timer, which starts at one of 75 values, come to the same whatever they have read, or to one of a few.
    assert!(met.len() > 40, "{met:?}");
    for name in ["enduro", "montezuma_revenge", "private_eye", "seaquest"] {
        assert!(met.contains(&name), "{name}");
    }
}

#[test]
fn resets_meet_where_others_are_forgotten_to_make_room() {
    for name in ["private_eye", "miniature_golf"] {
        let mut pair = Pair::load(name);
        let modes = pair.arcade.game().modes.clone();
        for mode in modes.into_iter().take(3).cycle().take(9) {
            pair.arcade.set_mode(mode).expect("one of its modes");
            (0..40).for_each(|_| {
                pair.reset();
            });
        }
        assert!(
            pair.arcade.met_resets() > 50,
            "{name}: {} met",
            pair.arcade.met_resets()
        );
    }
}

#[test]
fn a_reset_that_can_be_told_from_another_by_what_is_seen_does_not_meet_it() {
    // They come to the same state after a while, but below their last frames remains what was drawn before.
    for name in ["space_war", "tic_tac_toe_3d"] {
        let mut pair = Pair::load(name);
        for _ in 0..10 {
            pair.reset();
        }
        assert_eq!(pair.arcade.met_resets(), 0, "{name}");
    }
}

#[test]
fn a_game_that_is_loaded_is_as_if_nothing_were_remembered_or_had_been_loaded_before() {
    let mut shortened = 0;
    for entry in catalogue::games() {
        let mut pair = Pair::load(entry.rom);
        assert!(state(&mut pair.arcade) == state(&mut pair.played), "{}", entry.rom);
        shortened += pair.arcade.shortened_resets();
        let mut again = Arcade::load(&rom_or_wallop(entry.rom), &pair.settings).expect("a game of the catalogue");
        assert!(state(&mut again) == state(&mut pair.played), "{}", entry.rom);
        assert_eq!((again.tv(), again.height()), (pair.played.tv(), pair.played.height()));
    }
    assert!(
        shortened > 70,
        "{shortened} first resets went on from the console's idling"
    );
}

#[test]
fn a_bit_that_a_reset_reads_makes_it_another() {
    for (name, reads) in [
        ("breakout", false),
        ("qbert", false),
        ("hangman", false),
        ("ice_hockey", false),
        ("kung_fu_master", true),
        ("sir_lancelot", true),
        ("time_pilot", true),
    ] {
        let mut numbers = Numbers(7);
        let mut pair = Pair::load(name);
        let start = pair.arcade.save(Generators::Included);
        pair.arcade.reset_game();
        let mut base = pair.arcade.clone();
        let (mut hits, mut differ) = (0, 0);
        for index in 0..128 {
            pair.arcade
                .restore(&start, Generators::Included)
                .expect("its own state");
            let changed = pair.arcade.ram()[usize::from(index)] ^ 1 << numbers.below(8);
            pair.arcade.set_ram(index, changed);
            let hit = pair.reset();
            hits += u32::from(hit);
            // The byte itself may have passed.
            pair.played.set_ram(index, base.ram()[usize::from(index)]);
            if state(&mut pair.played) != state(&mut base) {
                differ += 1;
                assert!(!hit, "{name}: byte {index} matters, and the reset was remembered");
            }
        }
        assert_eq!(differ > 0, reads, "{name}: {differ} bytes matter");
        assert!(hits > 0, "{name}: every byte was taken to matter");
    }
}

#[test]
fn a_timer_that_a_reset_reads_makes_it_another() {
    for (name, reads) in [("breakout", false), ("seaquest", true), ("pitfall2", true)] {
        let mut pair = Pair::load(name);
        // The timer starts at one of 75 values.
        let hits = (0..40).filter(|_| pair.reset()).count();
        let expected = if reads { 1..=30 } else { 40..=40 };
        assert!(expected.contains(&hits), "{name}: {hits} resets were remembered");
        // The second one is where the clocks of a chip come in.
        assert_eq!(pair.arcade.met_resets() > 10, name == "seaquest", "{name}");
    }
}

#[test]
fn what_is_remembered_outlasts_another_seed_but_not_other_settings() {
    let mut pair = Pair::load("breakout");
    let reseeded = Settings {
        random_seed: 5,
        ..pair.settings
    };
    pair.arcade.reload(&reseeded);
    assert!(pair.reset());
    pair.arcade.reload(&Settings {
        truncate_on_loss_of_life: true,
        ..reseeded
    });
    assert_eq!(pair.arcade.remembered_resets(), 0);
}

#[test]
fn who_plays_the_same_game_remembers_the_same() {
    let rom = rom("breakout");
    let settings = settings_of_my_own();
    let load = |settings| {
        let mut arcade = Arcade::load(&rom, &settings).expect("a game of the catalogue");
        arcade.reset_game();
        (arcade.recorded_resets(), arcade.remembered_resets(), arcade)
    };
    let (recorded, remembered, first) = load(settings);
    assert_eq!((recorded, remembered), (1, 1));
    let (recorded, remembered, _second) = load(Settings {
        random_seed: 3,
        ..settings
    });
    assert_eq!((recorded, remembered), (0, 2));
    let mut copy = first.clone();
    drop(first);
    copy.reset_game();
    assert_eq!(copy.remembered_resets(), 2);
    let (recorded, _, _) = load(settings_of_my_own());
    assert_eq!(recorded, 1, "other settings, another memory");
}
