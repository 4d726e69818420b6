//! `gym2600 train`: a run of the learner, with its files and its progress.

#![allow(clippy::cast_precision_loss, reason = "steps and episodes are small numbers")]

mod log;
mod progress;
mod tensorboard;
mod times;

use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::Instant;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gym2600_gym::GameOptions;
use gym2600_learn::{
    Algorithm, Arithmetic, CHECKPOINT_STEPS, Execution, LearnError, Learner, Net, TRAINING_STEPS, Trainer,
    TrainingOptions, Update,
};
use serde::Serialize;

use crate::error::CliError;
use crate::files;
use crate::load;
use log::{At, Log};
use progress::Progress;
use times::Times;

#[derive(Args)]
pub(crate) struct TrainArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// How the policy is improved: ppo or a2c.
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// The policy's net: tiny, a3c or nature.
    #[arg(long, value_name = "NAME")]
    net: Option<Net>,
    /// The environment; without one the list of OpenAI baselines with raw rewards, which the learner clips.
    #[arg(long, value_name = "NAME", conflicts_with = "options", value_parser = NonEmptyStringValueParser::new())]
    preset: Option<String>,
    /// Options of the environment as JSON, or a file with them.
    #[arg(long, value_name = "FILE|JSON", value_parser = NonEmptyStringValueParser::new())]
    options: Option<String>,
    /// Definition of the game (TOML), for a ROM that the catalogue lacks.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    game: Option<String>,
    /// Seed of weights, actions and games.
    #[arg(long)]
    seed: Option<u64>,
    /// Steps of all games after which training ends.
    #[arg(long, default_value_t = TRAINING_STEPS)]
    steps: u64,
    /// Number of games, a multiple of four [default: 32].
    #[arg(long, value_name = "N")]
    envs: Option<usize>,
    /// Number of threads, of which 1, 2 or 4 are used (3 counts as 2); it changes no result [default: the processor's].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Sets a hyper-parameter; docs/learning.md lists them.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Saves the run here at its start, every 50,000 steps, and at its end.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    checkpoint: Option<String>,
    /// Goes on from a checkpoint with its settings: others are refused, but steps, threads and files may change.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    resume: Option<String>,
    /// Writes the weights at the end: safetensors, or ONNX if the name ends in .onnx.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    weights: Vec<String>,
    /// Logs every update: JSON lines (.jsonl), CSV (.csv) or TensorBoard (a folder). A resumed run goes on after its checkpoint.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    log: Vec<String>,
    /// Computes with fused multiply-add: faster, but not bit-exact across machines. A checkpoint does not record it.
    #[arg(long)]
    fast: bool,
    /// Prints a line of JSON for each update.
    #[arg(long)]
    json: bool,
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line {
    update: u64,
    steps: u64,
    episodes: u64,
    reward: Option<f64>,
    entropy: f64,
    kl: f64,
    clip_fraction: f64,
    explained_variance: f64,
    policy_loss: f64,
    value_loss: f64,
    steps_per_second: f64,
    weights: String,
}

impl Line {
    fn new(update: &Update, steps_per_second: f64, weights: u32) -> Self {
        Self {
            update: update.update,
            steps: update.steps,
            episodes: update.episodes,
            reward: update.reward,
            entropy: update.entropy,
            kl: update.kl,
            clip_fraction: update.clip_fraction,
            explained_variance: update.explained_variance,
            policy_loss: update.policy_loss,
            value_loss: update.value_loss,
            steps_per_second: (steps_per_second * 10.0).round() / 10.0,
            weights: format!("{weights:08x}"),
        }
    }
}

/// Where a run reports its updates.
struct Reports<'a, W> {
    /// Takes the lines of `--json`.
    json: Option<&'a mut W>,
    logs: Vec<Log>,
    progress: Option<Progress>,
}

impl<'a, W: Write> Reports<'a, W> {
    fn open(arguments: &TrainArguments, learner: &Learner, output: &'a mut W) -> Result<Self, CliError> {
        let resumed = arguments.resume.is_some().then(|| At {
            updates: learner.updates(),
            steps: learner.steps(),
        });
        let logs = arguments.log.iter().map(|path| Log::open(path, resumed));
        Ok(Self {
            logs: logs.collect::<Result<_, _>>()?,
            progress: (!arguments.json).then(|| Progress::new(arguments.steps, learner.steps())),
            json: arguments.json.then_some(output),
        })
    }

    fn write(&mut self, update: &Update, times: Times, learner: &Learner) -> Result<(), CliError> {
        let speed = times.steps_per_second(batch(learner));
        if let Some(output) = &mut self.json {
            let line = Line::new(update, speed, learner.weights_checksum());
            let text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
            writeln!(output, "{text}")?;
            output.flush()?;
        }
        for log in &mut self.logs {
            log.write(update, times, speed)?;
        }
        if let Some(progress) = &mut self.progress {
            progress.show(update, speed);
        }
        Ok(())
    }
}

pub(crate) fn run(arguments: &TrainArguments, output: &mut impl Write) -> Result<(), CliError> {
    let rom = load::rom_or_wallop(arguments.rom.as_deref())?;
    let mut trainer = trainer(arguments, &rom)?;
    for path in arguments.weights.iter().chain(&arguments.checkpoint) {
        files::check_replaceable(path)?;
    }
    let mut reports = Reports::open(arguments, trainer.learner(), output)?;
    train(arguments, &mut trainer, &mut reports)?;
    write_results(arguments, &mut trainer, reports.progress)
}

/// Trains for the steps of the arguments, and writes the checkpoints that fall due.
fn train(
    arguments: &TrainArguments,
    trainer: &mut Trainer,
    reports: &mut Reports<'_, impl Write>,
) -> Result<(), CliError> {
    let mut kept = arguments.resume.clone();
    let mut saved = None;
    while trainer.learner().steps() < arguments.steps {
        let period = trainer.learner().steps() / CHECKPOINT_STEPS;
        if let Some(path) = arguments.checkpoint.as_ref().filter(|_| saved != Some(period)) {
            files::replace(path, &trainer.checkpoint()?)?;
            saved = Some(period);
            kept = Some(path.clone());
        }
        let (update, times) = match timed_update(trainer) {
            Ok(result) => result,
            Err(source) => return Err(CliError::TrainingStopped { source, kept }),
        };
        reports.write(&update, times, trainer.learner())?;
    }
    Ok(())
}

/// Writes the last checkpoint and the weights. If one file cannot be written, the others still are.
fn write_results(
    arguments: &TrainArguments,
    trainer: &mut Trainer,
    progress: Option<Progress>,
) -> Result<(), CliError> {
    let mut failures = Vec::new();
    if let Some(path) = &arguments.checkpoint {
        failures.extend(files::replace(path, &trainer.checkpoint()?).err());
    }
    if let Some(progress) = progress {
        progress.finish(trainer.learner());
    }
    for path in &arguments.weights {
        let onnx = Path::new(path).extension().is_some_and(|extension| extension == "onnx");
        let bytes = if onnx {
            trainer.learner().onnx()
        } else {
            trainer.learner().weights()?
        };
        failures.extend(files::replace(path, &bytes).err());
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(CliError::Writes(failures))
    }
}

/// Steps of all games in an update.
fn batch(learner: &Learner) -> u64 {
    let config = learner.config();
    config.hyper_parameters.batch(config.envs) as u64
}

fn timed_update(trainer: &mut Trainer) -> Result<(Update, Times), LearnError> {
    let start = Instant::now();
    trainer.play()?;
    let playing = start.elapsed();
    let start = Instant::now();
    let update = trainer.learn()?;
    let learning = start.elapsed();
    Ok((update, Times { playing, learning }))
}

/// A new run, or a resumed one.
fn trainer(arguments: &TrainArguments, rom: &[u8]) -> Result<Trainer, CliError> {
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
    let execution = Execution {
        threads: threads.map_or(1, NonZero::get),
        arithmetic: if arguments.fast {
            Arithmetic::Fused
        } else {
            Arithmetic::Exact
        },
    };
    let wanted = options(arguments)?;
    let Some(path) = &arguments.resume else {
        return Ok(Trainer::new(rom, &wanted.config()?, execution)?);
    };
    let checkpoint = load::bytes(path)?;
    let of_file = |source| CliError::of_weights(path, source);
    let trainer = Trainer::resume(rom, &checkpoint, execution).map_err(of_file)?;
    trainer.learner().config().check_resumed(wanted)?;
    Ok(trainer)
}

fn setting(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// What the arguments say of the run.
fn options(arguments: &TrainArguments) -> Result<TrainingOptions, CliError> {
    let TrainArguments {
        options, preset, game, ..
    } = arguments;
    let options = load::environment(options.as_deref(), preset.as_deref(), game.as_deref())?;
    let settings = arguments.settings.iter().cloned();
    Ok(TrainingOptions {
        algorithm: arguments.algorithm,
        net: arguments.net,
        num_envs: arguments.envs,
        seed: arguments.seed.or(options.seed),
        options: Some(GameOptions { seed: None, ..options }),
        hyper_parameters: Some(settings.map(|(key, value)| (key, value.into())).collect()),
    })
}
