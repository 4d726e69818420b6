//! Plays three games of WALLOP to their ends, for `tests/parity/test_scores.py`, which plays them in JavaScript and Python too:
//!
//!     cargo run --package gym2600-learn --example scores -- WEIGHTS ACTIONS STATE
//!
//! ACTIONS has an action a line; STATE is written. A line of JSON for each game has its score, steps and frames, and the score that the
//! console's RAM has.

use std::error::Error;
use std::{env, fs};

use gym2600_arcade::WALLOP;
use gym2600_gym::{AutoresetMode, Game, GameOptions};
use gym2600_learn::{Choice, Policy};
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Steps before the state.
const STEPS_BEFORE: usize = 60;

/// The seed of all games.
const SEED: u64 = 7;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [weights, actions, state] = arguments.as_slice() else {
        return Err("expected WEIGHTS ACTIONS STATE".into());
    };
    let actions: Vec<u32> = fs::read_to_string(actions)?
        .lines()
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    let mut policy = Policy::load(&fs::read(weights)?)?;

    // Its rewards are clipped, and its episodes end with a life.
    let options = GameOptions {
        preset: Some("nature-dqn".to_owned()),
        seed: Some(SEED),
        ..GameOptions::default()
    };
    let mut agent = actions.iter().copied();
    let mut next = |_: &[u8]| agent.next().ok_or_else(|| "the game has not ended".into());
    play("random", &mut Started::new(&options)?, &mut next)?;

    let environment = GameOptions {
        seed: Some(SEED),
        autoreset: Some(AutoresetMode::Disabled),
        ..policy.environment(WALLOP, &GameOptions::default())?
    };
    let shape = policy.shape();
    let mut decide = |observation: &[u8]| Ok(policy.act(observation, &shape, Choice::Sampled { seed: SEED })?.action);
    play("policy", &mut Started::new(&environment)?, &mut decide)?;

    let mut before = Started::new(&options)?;
    for action in &actions[..STEPS_BEFORE] {
        before.step(*action)?;
    }
    fs::write(state, before.game.save())?;
    let mut restored = Started::new(&options)?;
    restored.game.restore(&fs::read(state)?)?;
    restored.game.observe(&mut restored.observation)?;
    let mut agent = actions[STEPS_BEFORE..].iter().copied();
    let mut next = |_: &[u8]| agent.next().ok_or_else(|| "the game has not ended".into());
    play("restored", &mut restored, &mut next)
}

/// A game that has been reset.
struct Started {
    game: Game,
    observation: Vec<u8>,
}

impl Started {
    fn new(options: &GameOptions) -> Result<Self> {
        let mut game = Game::new(WALLOP, options)?;
        let mut observation = vec![0; game.observation_len()];
        game.reset(None, &mut observation)?;
        Ok(Self { game, observation })
    }

    /// Takes a step, and a reset after a life's end. The game's summary when it has ended.
    fn step(&mut self, action: u32) -> Result<Option<gym2600_gym::EpisodeSummary>> {
        let record = self.game.step(action, &mut self.observation)?;
        if (record.terminated || record.truncated) && !record.real_done {
            self.game.reset(None, &mut self.observation)?;
        }
        Ok(record.episode)
    }
}

/// Plays a game to its end and prints it.
fn play(what: &str, started: &mut Started, decide: &mut dyn FnMut(&[u8]) -> Result<u32>) -> Result<()> {
    let episode = loop {
        let action = decide(&started.observation)?;
        if let Some(episode) = started.step(action)? {
            break episode;
        }
    };
    // Six decimal digits, the highest first, two in each byte.
    let digits = &started.game.arcade().ram()[3..6];
    let ram = digits.iter().fold(0, |sum, byte| {
        100 * sum + 10 * u32::from(byte >> 4) + u32::from(byte & 15)
    });
    let line =
        json!({ "game": what, "score": episode.reward, "steps": episode.length, "frames": episode.frames, "ram": ram });
    println!("{line}");
    Ok(())
}
