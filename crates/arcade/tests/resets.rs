//! Cached resets of real games end as played ones do.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, Generators, ResetCounts, Settings, catalogue};
use support::{all_roms, rom};

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

/// The games of the catalogue whose ROMs are at hand: WALLOP and those of ale-py. Others have recordings of their rules.
fn games() -> impl Iterator<Item = &'static str> {
    let roms: BTreeSet<String> = all_roms().into_iter().map(|(name, _)| name).collect();
    catalogue::games()
        .map(|entry| entry.rom)
        .filter(move |&name| name == "wallop" || roms.contains(name))
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

/// Settings that no other test uses, and so a cache that no other test fills: the limit of frames is one that no episode reaches.
fn own_settings() -> Settings {
    static NUMBER: AtomicU32 = AtomicU32::new(1_000_000_000);
    Settings {
        max_num_frames_per_episode: NUMBER.fetch_add(1, Ordering::Relaxed),
        ..Settings::default()
    }
}

/// A game, and another one that follows it without a cache.
struct Pair {
    name: &'static str,
    settings: Settings,
    arcade: Arcade,
    played: Arcade,
}

impl Pair {
    fn load(name: &'static str) -> Self {
        Self::load_with(name, own_settings())
    }

    fn load_with(name: &'static str, settings: Settings) -> Self {
        let rom = rom_or_wallop(name);
        let load = |settings| Arcade::load(&rom, &settings).expect("a game of the catalogue");
        let uncached = Settings {
            cache_resets: false,
            ..settings
        };
        Self {
            name,
            settings,
            arcade: load(settings),
            played: load(uncached),
        }
    }

    /// Resets both from the state that the first is in. Returns whether the reset was cached.
    fn reset(&mut self) -> bool {
        let Self {
            name, arcade, played, ..
        } = self;
        let start = state(arcade);
        played
            .load_from(&mut start.as_slice(), Generators::Included)
            .expect("the same game's state");
        let before = arcade.reset_counts().cached;
        arcade.reset_game();
        played.reset_game();
        assert_eq!(played.reset_counts(), ResetCounts::default());
        assert!(state(arcade) == state(played), "{name}: the reset ended otherwise");
        arcade.reset_counts().cached > before
    }
}

#[test]
fn a_cached_reset_ends_as_a_played_one() {
    for (seed, name) in (0..).zip(GAMES) {
        let mut numbers = Numbers(seed);
        let mut pair = Pair::load_with(
            name,
            Settings {
                repeat_action_probability: numbers.of(&[0.0, 0.25]),
                frame_skip: numbers.of(&[1, 1, 4]),
                color_averaging: numbers.below(3) == 0,
                truncate_on_loss_of_life: numbers.below(3) == 0,
                ..own_settings()
            },
        );
        let game = pair.arcade.game();
        let (modes, difficulties) = (game.modes.clone(), game.difficulties.clone());
        let mut kept = pair.arcade.save(Generators::Included);
        let mut cached = 0;
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
                2 => pair.arcade = arcade.clone(),
                _ => kept = arcade.save(Generators::Included),
            }
            cached += u32::from(pair.reset());
            let Pair { arcade, played, .. } = &mut pair;
            for frame in 0..200 {
                let action = numbers.of(&Action::ALL);
                let drawing = numbers.of(&[Drawing::Immediate, Drawing::OnDemand]);
                assert_eq!(arcade.act(action, drawing), played.act(action, Drawing::OnDemand));
                assert_eq!(arcade.ram(), played.ram(), "{name}: frame {frame} after reset {round}");
                if drawing == Drawing::Immediate {
                    let same = arcade.screen() == played.screen();
                    assert!(same, "{name}: frame {frame} after reset {round}");
                }
            }
            assert!(state(arcade) == state(played), "{name} went another way");
        }
        // Double Dunk's way to its modes depends on which actions stick.
        assert_eq!(cached > 0, name != "double_dunk", "{name}: {cached} resets were cached");
    }
}

#[test]
fn the_second_of_two_equal_resets_is_cached() {
    for name in games() {
        let mut pair = Pair::load(name);
        let start = pair.arcade.save(Generators::Included);
        let hits = [(); 3].map(|()| {
            pair.arcade
                .restore(&start, Generators::Included)
                .expect("its own state");
            pair.arcade.act(Action::Noop, Drawing::OnDemand);
            pair.reset()
        });
        assert_eq!(hits[1..], [name != "double_dunk"; 2], "{name}");
    }
}

#[test]
fn without_sticky_actions_the_reset_of_double_dunk_is_cached_too() {
    let settings = Settings {
        repeat_action_probability: 0.0,
        ..own_settings()
    };
    let mut pair = Pair::load_with("double_dunk", settings);
    let mode = pair.arcade.game().modes[1];
    pair.arcade.set_mode(mode).expect("one of its modes");
    let start = pair.arcade.save(Generators::Included);
    let hits = [(); 3].map(|()| {
        pair.arcade
            .restore(&start, Generators::Included)
            .expect("its own state");
        pair.reset()
    });
    assert_eq!(hits, [false, true, true]);
}

#[test]
fn most_resets_after_different_play_are_cached() {
    let (mut cached, mut all) = (0, 0);
    for name in games() {
        let mut numbers = Numbers(3);
        let mut pair = Pair::load(name);
        for _ in 0..10 {
            for _ in 0..numbers.below(3) {
                pair.arcade.act(numbers.of(&Action::ALL), Drawing::OnDemand);
            }
            pair.reset();
        }
        let counts = pair.arcade.reset_counts();
        assert_eq!(counts.cached + counts.played, 11, "{name}");
        cached += counts.cached;
        all += counts.cached + counts.played;
    }
    assert!(cached > 850, "{cached} of {all} resets were cached");
}

#[test]
fn each_mode_has_its_cached_resets() {
    for name in ["private_eye", "miniature_golf"] {
        let mut pair = Pair::load(name);
        let modes: Vec<u32> = pair.arcade.game().modes.iter().copied().take(3).collect();
        let mut cached = 0;
        for mode in modes.into_iter().cycle().take(30) {
            pair.arcade.set_mode(mode).expect("one of its modes");
            cached += u32::from(pair.reset());
        }
        assert!(cached > 15, "{name}: {cached} of 30 resets were cached");
    }
}

#[test]
fn a_game_that_is_loaded_is_as_if_no_game_had_been_loaded_before() {
    let mut idle = 0;
    for name in games() {
        let mut pair = Pair::load(name);
        assert!(state(&mut pair.arcade) == state(&mut pair.played), "{name}");
        idle += pair.arcade.reset_counts().idle_cached;
        let mut again = Arcade::load(&rom_or_wallop(name), &pair.settings).expect("a game of the catalogue");
        assert!(state(&mut again) == state(&mut pair.played), "{name}");
        assert_eq!((again.tv(), again.height()), (pair.played.tv(), pair.played.height()));
    }
    assert!(idle > 60, "{idle} first resets took their idle frames from the cache");
}

#[test]
fn the_cache_serves_another_seed_but_not_other_settings() {
    let mut pair = Pair::load("breakout");
    let reseeded = Settings {
        random_seed: 5,
        ..pair.settings
    };
    pair.arcade.reload(&reseeded).expect("the same game");
    assert_eq!(pair.arcade.reset_counts().cached, 1);
    let other = Settings {
        truncate_on_loss_of_life: true,
        ..reseeded
    };
    pair.arcade.reload(&other).expect("the same game");
    assert_eq!(pair.arcade.reset_counts().cached, 0);
}

#[test]
fn settings_whose_least_reward_is_above_the_greatest_are_refused_and_nothing_changes() {
    let settings = Settings {
        reward_min: 2,
        reward_max: 1,
        ..Settings::default()
    };
    let refusal = "reward_min, 2, is above reward_max, 1";
    assert_eq!(Arcade::load(WALLOP, &settings).unwrap_err().to_string(), refusal);
    let mut arcade = Arcade::load(WALLOP, &Settings::default()).expect("a game of the catalogue");
    arcade.act(Action::Fire, Drawing::OnDemand);
    let before = arcade.save(Generators::Included);
    assert_eq!(arcade.reload(&settings).unwrap_err().to_string(), refusal);
    assert!(arcade.save(Generators::Included) == before);
}

#[test]
fn a_seed_with_which_the_mode_is_not_reached_is_taken_too() {
    let text = "rom = \"a\"\n[modes]\nselect = \"draw x 2; if x == 1 { until 1 == 2 { reset } }\"\n[rules]\nstart = \"x = 0\"\n";
    let game = Arc::new(GameDefinition::from_toml(text, "test").expect("a definition"));
    let load = |random_seed| {
        let settings = Settings {
            random_seed,
            ..Settings::default()
        };
        Arcade::load_as(WALLOP, Arc::clone(&game), &settings)
    };
    let seeds = |reached| (0..16).filter(move |seed| load(*seed).is_ok() == reached);
    let states = seeds(true).take(3).map(|first| {
        let mut arcade = load(first).expect("the mode is reached");
        let random_seed = seeds(false).next().expect("a seed with which it is not reached");
        let settings = Settings {
            random_seed,
            ..Settings::default()
        };
        arcade.reload(&settings).expect("the same game");
        assert!(arcade.mode_error().is_some());
        arcade.save(Generators::Included)
    });
    let states: Vec<_> = states.collect();
    assert_eq!(states.len(), 3);
    assert!(
        states.iter().all(|state| *state == states[0]),
        "the seed of the load makes a difference"
    );
}

#[test]
fn clones_and_games_of_the_same_rom_share_a_cache() {
    let rom = rom("pong");
    let settings = own_settings();
    let load = |settings| {
        let mut arcade = Arcade::load(&rom, &settings).expect("a game of the catalogue");
        arcade.reset_game();
        arcade
    };
    let first = load(settings);
    assert_eq!(first.reset_counts().played, 1);
    let mut copy = first.clone();
    drop(first);
    copy.reset_game();
    assert_eq!((copy.reset_counts().played, copy.reset_counts().cached), (1, 2));
    let other = load(own_settings());
    assert_eq!(other.reset_counts().played, 1, "other settings, another cache");
}

#[test]
fn every_mode_of_every_game_is_reached_within_the_budget() {
    for name in games() {
        let mut arcade = Arcade::load(&rom_or_wallop(name), &own_settings()).expect("a game of the catalogue");
        let modes = arcade.game().modes.clone();
        for mode in modes {
            arcade.set_mode(mode).expect("one of its modes");
            arcade.reset_game();
            assert_eq!(arcade.mode_error(), None, "{name}");
        }
    }
}
