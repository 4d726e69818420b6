//! Single measurements: start-up, resets and memory.

use std::time::Instant;

use gym2600_gym::Game;
use serde_json::{Value, json};

use super::Refusal;
use super::subject::{Draws, PRESET, fresh_game};

/// A preset whose reset is ALE's, without random starts.
const PLAIN_RESET: &str = "labml";
/// Steps after which a program is compiled.
const COMPILED_AFTER: usize = 2000;
/// Steps of a game before its memory is measured.
const STEPS_OF_MEMORY: usize = 100;
/// Groups of games whose memory is measured. The result is the median, because a process sometimes grows for other reasons.
const LOTS: usize = 3;
/// Growth in bytes that is not accidental.
const SURE_GROWTH: f64 = (1 << 20) as f64;
/// Steps between two measured resets, so that each starts from another state.
const STEPS_BETWEEN: usize = 30;

/// Construction to the first observation.
pub(super) fn startup(rom: &[u8], count: u32) -> Result<Value, Refusal> {
    let mut values = Vec::new();
    for _ in 0..count {
        let begin = Instant::now();
        fresh_game(rom, PRESET)?;
        values.push(begin.elapsed().as_secs_f64());
    }
    Ok(json!({ "values": values }))
}

/// A reset after some play, and another from the same state.
pub(super) fn reset(rom: &[u8], count: u32) -> Result<Value, Refusal> {
    let (mut game, mut observation) = fresh_game(rom, PLAIN_RESET)?;
    let mut draws = Draws::new();
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..count {
        for _ in 0..STEPS_BETWEEN {
            let action = draws.below(game.action_count()) as u32;
            game.step(action, &mut observation)?;
        }
        let state = game.save();
        for values in [&mut first, &mut again] {
            // Only a state of another game is refused.
            let _ = game.restore(&state);
            let begin = Instant::now();
            game.reset(None, &mut observation)?;
            values.push(begin.elapsed().as_secs_f64());
        }
    }
    Ok(json!({ "first": first, "again": again }))
}

/// The growth of the process for each of `count` games.
pub(super) fn memory(rom: &[u8], count: u32) -> Result<Value, Refusal> {
    let another = |steps: usize| -> Result<Game, Refusal> {
        let (mut game, mut observation) = fresh_game(rom, PRESET)?;
        let mut draws = Draws::new();
        for _ in 0..steps {
            let action = draws.below(game.action_count()) as u32;
            game.step(action, &mut observation)?;
        }
        Ok(game)
    };
    // Memory that all games share does not count, so measuring begins when the process first grows.
    let mut games = vec![another(COMPILED_AFTER)?];
    let first = resident_bytes().unwrap_or_default();
    while resident_bytes().is_some_and(|now| now < first + SURE_GROWTH) {
        games.push(another(STEPS_OF_MEMORY)?);
    }
    let mut sizes = Vec::new();
    for _ in 0..=LOTS {
        for _ in 0..count {
            games.push(another(STEPS_OF_MEMORY)?);
        }
        sizes.extend(resident_bytes());
    }
    drop(games);
    let mut grown: Vec<f64> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    grown.sort_by(f64::total_cmp);
    Ok(json!({ "bytes": grown.get(LOTS / 2).map(|bytes| bytes / f64::from(count)) }))
}

/// The memory of the process, on Linux.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}
