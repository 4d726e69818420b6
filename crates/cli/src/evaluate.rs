//! `gym2600 evaluate`: games played with trained weights.

#![allow(clippy::cast_precision_loss, reason = "games are few")]

use std::io::Write;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gym2600_gym::GameOptions;
use gym2600_learn::{Choice, Device, EVALUATION_EPISODES, Evaluation, Policy};
use serde::Serialize;

use crate::device::Told;
use crate::error::CliError;
use crate::load;

#[derive(Args)]
pub(crate) struct EvaluateArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// The weights: a file of `gym2600 train`, or CleanRL's of the same net as safetensors.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    weights: String,
    /// The environment, for weights that name none. One that differs from the weights' is refused.
    #[arg(long, value_name = "NAME", conflicts_with = "options", value_parser = NonEmptyStringValueParser::new())]
    preset: Option<String>,
    /// The environment's options as JSON, or a file with them, likewise.
    #[arg(long, value_name = "FILE|JSON", value_parser = NonEmptyStringValueParser::new())]
    options: Option<String>,
    /// Definition of the game (TOML), for a ROM that the catalogue lacks, likewise.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    game: Option<String>,
    /// Number of games.
    #[arg(long, default_value_t = EVALUATION_EPISODES)]
    episodes: u64,
    /// Seed of the games and of sampled actions (default: that of the options, or 0).
    #[arg(long)]
    seed: Option<u64>,
    /// Takes the most probable action instead of a sampled one.
    #[arg(long)]
    greedy: bool,
    /// Computes the net on the CPU (cpu), on a graphics card (gpu), or on a card if there is one (auto). A card may decide otherwise.
    #[arg(long, value_name = "NAME", default_value_t)]
    device: Device,
}

/// The line of a game.
#[derive(Serialize)]
struct Line {
    episode: u64,
    reward: f64,
    length: u32,
}

/// The last line.
#[derive(Serialize)]
struct Total {
    episodes: u64,
    mean: f64,
    deviation: f64,
    min: f64,
    max: f64,
}

pub(crate) fn run(arguments: &EvaluateArguments, output: &mut impl Write) -> Result<(), CliError> {
    let rom = load::rom_or_wallop(arguments.rom.as_deref())?;
    let of_file = |source| CliError::of_weights(&arguments.weights, source);
    let mut policy = Policy::load(&load::bytes(&arguments.weights)?).map_err(of_file)?;
    policy.set_device(arguments.device)?;
    let mut told = Told::new(arguments.device, policy.processor());
    let EvaluateArguments {
        options, preset, game, ..
    } = arguments;
    let options = load::environment(options.as_deref(), preset.as_deref(), game.as_deref())?;
    let seed = arguments.seed.or(options.seed).unwrap_or(0);
    let options = GameOptions { seed: None, ..options };
    let choice = if arguments.greedy {
        Choice::Greedy
    } else {
        Choice::Sampled { seed }
    };
    let mut evaluation = Evaluation::new(policy, &rom[..], &options, seed, choice).map_err(of_file)?;
    let mut rewards = Vec::new();
    for episode in 1..=arguments.episodes {
        let played = evaluation.episode()?;
        told.tell(evaluation.processor());
        rewards.push(played.reward);
        let line = Line {
            episode,
            reward: played.reward,
            length: played.length,
        };
        print(output, &line)?;
    }
    if rewards.is_empty() {
        return Ok(());
    }
    let count = rewards.len() as f64;
    let mean = rewards.iter().sum::<f64>() / count;
    let squares: f64 = rewards.iter().map(|reward| (reward - mean) * (reward - mean)).sum();
    print(
        output,
        &Total {
            episodes: arguments.episodes,
            mean,
            deviation: (squares / count).sqrt(),
            min: rewards.iter().copied().fold(f64::INFINITY, f64::min),
            max: rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        },
    )
}

fn print(output: &mut impl Write, line: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    writeln!(output, "{text}")?;
    // A game takes seconds.
    Ok(output.flush()?)
}
