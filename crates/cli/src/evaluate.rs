//! `gym2600 evaluate`: games played with trained weights.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gym2600_arcade::definition::RawMapper;
use gym2600_gym::{EpisodeSummary, GameOptions};
use gym2600_learn::{Choice, Device, Difference, EVALUATION_EPISODES, Evaluation, Policy, Processor, Scores};
use serde::Serialize;
use serde_json::Value;

use crate::device::Told;
use crate::error::CliError;
use crate::load;
use crate::record::{self, Format, Recording};
use crate::train::tell;

/// Games at once at most.
const MOST_ENVS: u64 = 1024;

#[derive(Args)]
pub(crate) struct EvaluateArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// The weights: a file of `gym2600 train`, or CleanRL's of the same net as safetensors. Several are evaluated one after the other.
    #[arg(long, value_name = "FILE", required = true, value_parser = NonEmptyStringValueParser::new())]
    weights: Vec<String>,
    /// The environment [default: that of the weights' training].
    #[arg(long, value_name = "NAME", conflicts_with = "options", value_parser = NonEmptyStringValueParser::new())]
    preset: Option<String>,
    /// The environment's options as JSON, or a file with them. Those that are left out are training's [default: training's].
    #[arg(long, value_name = "FILE|JSON", value_parser = NonEmptyStringValueParser::new())]
    options: Option<String>,
    /// Definition of the game (TOML) [default: training's, or that of the catalogue].
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: training's, the definition's, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    mapper: Option<RawMapper>,
    /// Probability that a frame repeats the previous action, 0 to 1 [default: training's].
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = load::probability)]
    sticky: Option<f32>,
    /// The game's mode [default: training's].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    mode: Option<u32>,
    /// The game's difficulty [default: training's].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    difficulty: Option<u32>,
    /// Frames after which a game is cut off; 0 for never [default: training's].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_frames: Option<u32>,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = EVALUATION_EPISODES)]
    episodes: u64,
    /// Games at once. Their seeds count up from the seed, and they play the episodes in turn.
    #[arg(long, visible_alias = "num-envs", value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MOST_ENVS))]
    envs: u64,
    /// Seed of the games and of sampled actions [default: that of the options, or 0].
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Takes the most probable action instead of a sampled one.
    #[arg(long)]
    greedy: bool,
    /// Computes the net on the CPU (cpu), on a graphics card (gpu), or on a card if there is one (auto). A card may decide otherwise.
    #[arg(long, value_name = "NAME", default_value_t)]
    device: Device,
    /// Records the first game: a GIF (.gif), a replay (.json), or its pictures as PNG (a folder) [default: none].
    #[arg(long, value_name = "FILE", value_parser = recording)]
    record: Vec<String>,
    /// Replaces recordings that are there [default: they are refused].
    #[arg(long)]
    force: bool,
}

fn recording(path: &str) -> Result<String, String> {
    Format::of(path).map(|_| path.to_owned())
}

/// The line of a game.
#[derive(Serialize)]
struct Line<'a> {
    /// Left out where there is one file alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a str>,
    episode: u64,
    reward: f64,
    length: u32,
}

/// The last line of a file of weights.
#[derive(Serialize)]
struct Total<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a str>,
    #[serde(flatten)]
    scores: Scores,
    /// The options that differ from training's.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differences: &'a [Difference],
}

/// The games of a file of weights.
struct Player<'a> {
    path: &'a str,
    evaluations: Vec<Evaluation>,
    differences: Vec<Difference>,
}

pub(crate) fn run(arguments: &EvaluateArguments, output: &mut impl Write) -> Result<(), CliError> {
    if !arguments.record.is_empty() && arguments.weights.len() > 1 {
        return Err(CliError::Usage {
            option: "--record",
            path: arguments.record[0].clone(),
            reason: "one game is recorded, and so one file of weights can be given".to_owned(),
        });
    }
    for path in &arguments.record {
        record::check(path, arguments.force)?;
    }
    let rom = load::rom_or_wallop(arguments.rom.as_deref())?;
    let options = options(arguments)?;
    // All files are read before the first game.
    let mut players: Vec<Player> = Vec::new();
    for path in &arguments.weights {
        let first = players.iter().find_map(|player| player.evaluations.first());
        players.push(player(arguments, path, &rom, &options, first)?);
    }
    for player in players {
        evaluate(arguments, player, &rom, output)?;
    }
    Ok(())
}

/// What the command line says of the games.
fn options(arguments: &EvaluateArguments) -> Result<GameOptions, CliError> {
    let EvaluateArguments {
        options,
        preset,
        game,
        mapper,
        ..
    } = arguments;
    let options = load::environment(options.as_deref(), preset.as_deref(), game.as_deref(), *mapper)?;
    Ok(GameOptions {
        seed: arguments.seed.or(options.seed),
        repeat_action_probability: arguments.sticky.or(options.repeat_action_probability),
        mode: arguments.mode.or(options.mode),
        difficulty: arguments.difficulty.or(options.difficulty),
        max_frames_per_episode: arguments.max_frames.or(options.max_frames_per_episode),
        ..options
    })
}

/// The games of a file. They decide where `other` does, so that all have one card.
fn player<'a>(
    arguments: &EvaluateArguments,
    path: &'a str,
    rom: &[u8],
    options: &GameOptions,
    other: Option<&Evaluation>,
) -> Result<Player<'a>, CliError> {
    let of_file = |source| CliError::of_weights(path, source);
    let bytes = load::bytes(path)?;
    let first = options.seed.unwrap_or(0);
    let envs = arguments.envs.min(arguments.episodes.max(1));
    let evaluation = |number: u64, other: Option<&Evaluation>| {
        let mut policy = Policy::load(&bytes).map_err(of_file)?;
        match other {
            Some(other) => policy.share_device(other.policy())?,
            None => policy.set_device(arguments.device)?,
        }
        let seed = first.saturating_add(number);
        let choice = if arguments.greedy {
            Choice::Greedy
        } else {
            Choice::Sampled { seed }
        };
        load::placed(arguments.game.as_deref(), || {
            Evaluation::new(policy, rom, options, seed, choice).map_err(of_file)
        })
    };
    let mut evaluations: Vec<Evaluation> = Vec::new();
    for number in 0..envs {
        evaluations.push(evaluation(number, evaluations.first().or(other))?);
    }
    let differences = evaluations
        .first()
        .map_or_else(Vec::new, |first| first.differences().to_vec());
    Ok(Player {
        path,
        evaluations,
        differences,
    })
}

/// Plays the games of a file of weights, and prints them in their order.
fn evaluate(
    arguments: &EvaluateArguments,
    player: Player<'_>,
    rom: &[u8],
    output: &mut impl Write,
) -> Result<(), CliError> {
    let weights = (arguments.weights.len() > 1).then_some(player.path);
    for Difference { option, theirs, ours } in &player.differences {
        let [theirs, ours] = [theirs, ours].map(|value| match value {
            Value::Null => "its default".to_owned(),
            value => Difference::shown(value),
        });
        tell(&format!("{}: {option} is {ours}, in training {theirs}", player.path));
    }
    let cpu = Processor::Cpu { reason: None };
    let first = player.evaluations.first().map_or(&cpu, Evaluation::processor);
    let mut told = Told::new(arguments.device, first);
    let mut rewards = Vec::new();
    let differences = &player.differences;
    play(player.evaluations, arguments.episodes, |played| {
        let Played {
            episode,
            summary: EpisodeSummary { reward, length, .. },
            recording,
            processor,
        } = played?;
        told.tell(&processor);
        if let Some(recording) = recording {
            for path in &arguments.record {
                record::write(path, rom, &recording)?;
            }
        }
        rewards.push(reward);
        print(
            output,
            &Line {
                weights,
                episode,
                reward,
                length,
            },
        )
    })?;
    match Scores::of(&rewards) {
        None => Ok(()),
        Some(scores) => print(
            output,
            &Total {
                weights,
                scores,
                differences,
            },
        ),
    }
}

/// A game that ended.
struct Played {
    /// Its number, from 1.
    episode: u64,
    summary: EpisodeSummary,
    /// What plays it again, if it is the first one.
    recording: Option<Recording>,
    /// What computed its decisions.
    processor: Processor,
}

/// Plays episodes, in turn by several games, and takes them in their order.
fn play(
    evaluations: Vec<Evaluation>,
    episodes: u64,
    mut take: impl FnMut(Result<Played, CliError>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let envs = evaluations.len() as u64;
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(evaluations.len());
    let mut lanes: Vec<Vec<(u64, Evaluation)>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, evaluation) in evaluations.into_iter().enumerate() {
        lanes[number % threads].push((number as u64 + 1, evaluation));
    }
    let (sender, receiver) = mpsc::channel();
    // No more episodes are wanted.
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        for lane in lanes {
            let (sender, failed) = (sender.clone(), &failed);
            scope.spawn(move || play_lane(lane, envs, episodes, &sender, failed));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 1;
        let mut result = Ok(());
        for (episode, played) in receiver {
            waiting.insert(episode, played);
            while let Some(played) = waiting.remove(&next) {
                next += 1;
                if result.is_ok() {
                    result = take(played);
                }
                if result.is_err() {
                    failed.store(true, Ordering::Relaxed);
                }
            }
        }
        result
    })
}

/// Plays the episodes of some games, each game those of its number and every `envs` further on.
fn play_lane(
    mut games: Vec<(u64, Evaluation)>,
    envs: u64,
    episodes: u64,
    sender: &Sender<(u64, Result<Played, CliError>)>,
    failed: &AtomicBool,
) {
    for first in (0..episodes).step_by(envs as usize) {
        for (number, evaluation) in &mut games {
            let episode = first + *number;
            if episode > episodes || failed.load(Ordering::Relaxed) {
                return;
            }
            let played = evaluation.episode().map_err(CliError::from).map(|summary| {
                let recording = (episode == 1).then(|| Recording::of(evaluation));
                let processor = evaluation.processor().clone();
                Played {
                    episode,
                    summary,
                    recording,
                    processor,
                }
            });
            let is_last = played.is_err();
            if sender.send((episode, played)).is_err() || is_last {
                return;
            }
        }
    }
}

fn print(output: &mut impl Write, line: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    writeln!(output, "{text}")?;
    // A game takes seconds.
    Ok(output.flush()?)
}
