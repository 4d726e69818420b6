//! Benchmarks of frames, the resize, steps, resets and saved states, with WALLOP and with ROMs of the folder `GYM2600_ROMS`, by default
//! that of `scripts/setup reference`.

use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use gym2600_arcade::{Action, Arcade, Drawing, Settings, WIDTH};
use gym2600_gym::image::{Interpolation, Resizer};
use gym2600_gym::{Game, GameOptions};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;
const ROMS: [&str; 4] = ["breakout", "seaquest", "montezuma_revenge", "pitfall2"];

/// WALLOP, and those of [`ROMS`] that the folder has.
fn games() -> Vec<(&'static str, Vec<u8>)> {
    let folder = std::env::var_os("GYM2600_ROMS").map_or_else(cache, PathBuf::from);
    let found = ROMS.into_iter().filter_map(|name| {
        let rom = std::fs::read(folder.join(format!("{name}.bin"))).ok()?;
        Some((name, rom))
    });
    std::iter::once(("wallop", WALLOP.to_vec())).chain(found).collect()
}

fn cache() -> PathBuf {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let base = std::env::var_os("XDG_CACHE_HOME").map_or_else(|| Path::new(&home).join(".cache"), PathBuf::from);
    base.join("gym2600/roms")
}

/// A console after some play.
fn arcade(rom: &[u8]) -> Arcade {
    let mut arcade = Arcade::load(rom, &Settings::default()).expect("a ROM of the catalogue");
    for frame in 0..600 {
        play(&mut arcade, frame, Drawing::OnDemand);
    }
    arcade
}

fn play(arcade: &mut Arcade, frame: usize, drawing: Drawing) {
    let actions = arcade.minimal_actions();
    let action: Action = actions[frame * 7 % actions.len()];
    arcade.act(action, drawing);
    if arcade.game_over() {
        arcade.reset_game();
    }
}

fn frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for (name, rom) in games() {
        for (how, drawing) in [("drawn", Drawing::Immediate), ("hidden", Drawing::OnDemand)] {
            let mut arcade = arcade(&rom);
            let mut frame = 0;
            group.bench_function(format!("{name}, {how}"), |bencher| {
                bencher.iter(|| {
                    play(&mut arcade, frame, drawing);
                    frame += 1;
                });
            });
        }
    }
    group.finish();
}

fn resize(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("area resize to 84 x 84");
    let mut pictures: Vec<(&str, Vec<u8>)> = games()
        .into_iter()
        .map(|(name, rom)| (name, arcade(&rom).screen().to_vec()))
        .collect();
    let noise = (0..210 * WIDTH).map(|pixel| (pixel * pixel % 251) as u8).collect();
    pictures.push(("no two rows alike", noise));
    for (name, picture) in pictures {
        let size = (WIDTH, picture.len() / WIDTH);
        let resizer = Resizer::new(size, (84, 84), 1, Interpolation::Area).expect("a picture that shrinks");
        let mut out = vec![0; resizer.output_len()];
        group.bench_function(name, |bencher| bencher.iter(|| resizer.resize(&picture, &mut out)));
    }
    group.finish();
}

/// A game of a preset after its first reset, and its observation.
fn begun(rom: &[u8], preset: &str) -> (Game, Vec<u8>) {
    let options = GameOptions {
        preset: Some(preset.into()),
        ..GameOptions::default()
    };
    let mut game = Game::new(rom, &options).expect("a ROM of the catalogue");
    let mut observation = vec![0; game.observation_len()];
    game.reset(None, &mut observation).expect("a buffer that fits");
    (game, observation)
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    for (name, rom) in games() {
        for preset in ["ale-vector", "labml"] {
            let (mut game, mut observation) = begun(&rom, preset);
            let actions = game.action_count() as u32;
            let mut action = 0;
            group.bench_function(format!("{name}, {preset}"), |bencher| {
                bencher.iter(|| {
                    action = (action + 7) % actions;
                    game.step(action, &mut observation).expect("an action of the game")
                });
            });
        }
    }
    group.finish();
}

fn resets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reset");
    for (name, rom) in games() {
        let played = arcade(&rom);
        group.bench_function(name, |bencher| {
            bencher.iter_batched_ref(|| played.clone(), Arcade::reset_game, BatchSize::SmallInput);
        });
    }
    group.finish();
}

/// Saving the state of an environment, and loading it again.
fn states(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("state");
    for (name, rom) in games() {
        for preset in ["ale-vector", "labml"] {
            let (mut game, mut observation) = begun(&rom, preset);
            for _ in 0..100 {
                game.step(0, &mut observation).expect("an action of the game");
            }
            group.bench_function(format!("save {name}, {preset}"), |bencher| bencher.iter(|| game.save()));
            let state = game.save();
            group.bench_function(format!("load {name}, {preset}"), |bencher| {
                bencher.iter(|| game.restore(&state).expect("a state of this game"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, frames, resize, steps, resets, states);
criterion_main!(benches);
