//! `gym2600 train`: a run of the learner, with its files and its progress.

#![allow(clippy::cast_precision_loss, reason = "steps and episodes are small numbers")]

mod arguments;
mod doubts;
mod hyper;
mod log;
mod places;
mod progress;
mod stop;
mod tensorboard;
mod times;

use std::io::Write;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use gym2600_gym::GameOptions;
use gym2600_learn::{Arithmetic, CHECKPOINT_STEPS, Execution, LearnError, Learner, Trainer, TrainingOptions, Update};
use serde::Serialize;

use crate::device::Told;
use crate::error::CliError;
use crate::files::{self, Lock};
use crate::load;
pub(crate) use arguments::TrainArguments;
use doubts::Doubts;
pub(crate) use hyper::option_of;
use log::{At, Log, Place, Rows};
use progress::Progress;
pub(crate) use stop::tell;
use stop::{Ended, Results, Signal, Stop};
use times::Times;

/// The longest time between two checkpoints, but for that of an update.
const CHECKPOINT_PERIOD: Duration = Duration::from_secs(30);

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
    doubts: Doubts,
    told: Told,
}

impl<'a, W: Write> Reports<'a, W> {
    fn open(
        arguments: &TrainArguments,
        trainer: &Trainer,
        doubts: Doubts,
        output: &'a mut W,
    ) -> Result<Self, CliError> {
        let learner = trainer.learner();
        let resumed = arguments.resume.is_some().then(|| At {
            updates: learner.updates(),
            steps: learner.steps(),
        });
        // All are free before the first one changes.
        let updates = arguments.log.iter().map(|path| Place::take(path, Rows::Updates));
        let games = arguments.log_games.iter().map(|path| Place::take(path, Rows::Games));
        let places: Vec<_> = updates.chain(games).collect::<Result<_, _>>()?;
        let logs = places.into_iter().map(|place| Log::begin(place, learner, resumed));
        Ok(Self {
            told: Told::new(arguments.device, trainer.processor()),
            logs: logs.collect::<Result<_, _>>()?,
            progress: (!arguments.json).then(|| Progress::new(arguments.steps, learner.steps())),
            json: arguments.json.then_some(output),
            doubts,
        })
    }

    fn write(&mut self, update: &Update, times: Times, trainer: &Trainer) -> Result<(), CliError> {
        let learner = trainer.learner();
        let speed = times.steps_per_second(batch(learner));
        // Each has the update, also where another fails: a run that goes on later does not report it again.
        let logs = self.logs.iter_mut();
        let written = logs.map(|log| log.write(update, learner.finished(), times, speed));
        let mut written: Vec<_> = written.collect();
        if let Some(output) = &mut self.json {
            let line = Line::new(update, speed, learner.weights_checksum());
            let text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
            let printed = writeln!(output, "{text}").and_then(|()| output.flush());
            written.push(printed.map_err(CliError::from));
        }
        written.into_iter().collect::<Result<(), _>>()?;
        let doubt = self.doubts.after(learner.finished());
        let mut tell = || self.told.tell(trainer.processor());
        if let Some(progress) = &mut self.progress {
            progress.suspend(tell);
            progress.show(update, speed, doubt);
        } else {
            tell();
        }
        Ok(())
    }
}

pub(crate) fn run(given: &TrainArguments, output: &mut impl Write) -> Result<(), CliError> {
    places::check_distinct(given)?;
    let rom = load::rom_or_wallop(given.rom.as_deref())?;
    // Before it is read: another run that has it may still write it.
    let own = places::gone_on_in(given);
    let own_lock = own.map(Lock::take).transpose()?.flatten();
    let mut trainer = load::placed(given.game.as_deref(), || trainer(given, &rom))?;
    let arguments = &places::with_default(given, trainer.learner());
    places::check_distinct(arguments)?;
    places::check_others(arguments, trainer.learner())?;
    places::tell_default(given, arguments);
    let results = || arguments.checkpoint.iter().chain(&arguments.weights);
    results().try_for_each(|path| files::check(path))?;
    let others = results().filter(|path| own.is_none_or(|own| files::identity(own) != files::identity(path)));
    let locks = others.map(|path| Lock::take(path)).chain([Ok(own_lock)]);
    let locks = locks.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let doubts = Doubts::of(arguments, &rom, trainer.learner())?;
    let mut reports = Reports::open(arguments, &trainer, doubts, output)?;
    let first = trainer.learner().updates();
    let stop = Stop::listen(locks)?;
    let ended = train(arguments, &mut trainer, &mut reports, &stop);
    let has_learned = trainer.learner().updates() > first;
    let ended = match ended {
        // Results of no update would take the place of others.
        Err(error) if !has_learned => return Err(error),
        Err(error @ CliError::TrainingStopped { .. }) => return Err(with_weights(error, arguments, trainer.learner())),
        ended => ended,
    };
    if let Some(progress) = reports.progress {
        progress.finish(trainer.learner());
    }
    if has_learned {
        reports.doubts.finish(trainer.learner().steps());
    }
    let weights = match ended {
        Ok(Some(_)) => weights_at_signal(arguments, has_learned),
        _ => arguments.weights.clone(),
    };
    let written = stop::write(&results_of(arguments, &mut trainer, &weights)?);
    let end = ended_at(arguments, &trainer);
    match (ended, written) {
        (Ok(None), written) => written,
        (Ok(Some(_)), Err(error)) => Err(error),
        (Ok(Some(signal)), Ok(())) => Err(end.by(signal)),
        (Err(error), Ok(())) if error.is_closed_output() => Err(error),
        (Err(error), written) => {
            // A full disk fails both for the same reason.
            let others = written.err().filter(|other| other.to_string() != error.to_string());
            let end = (end.steps < arguments.steps).then(|| end.by_error());
            Err(CliError::Several(
                [error].into_iter().chain(others).chain(end).collect(),
            ))
        }
    }
}

/// Trains for the steps of the arguments, or until a signal, and writes the checkpoints that fall due.
fn train(
    arguments: &TrainArguments,
    trainer: &mut Trainer,
    reports: &mut Reports<'_, impl Write>,
    stop: &Stop,
) -> Result<Option<Signal>, CliError> {
    let first = trainer.learner().updates();
    let mut kept = arguments.resume.clone();
    let mut saved: Option<(u64, Instant)> = None;
    let mut took = None;
    while trainer.learner().steps() < arguments.steps {
        let period = trainer.learner().steps() / CHECKPOINT_STEPS;
        let is_saved = saved.is_some_and(|(saved, at)| saved == period && at.elapsed() < CHECKPOINT_PERIOD);
        if let Some(path) = arguments.checkpoint.as_ref().filter(|_| !is_saved) {
            files::write(path, &trainer.checkpoint()?)?;
            saved = Some((period, Instant::now()));
            kept = Some(path.clone());
        }
        if Stop::is_long(took) {
            let weights = weights_at_signal(arguments, trainer.learner().updates() > first);
            let results = results_of(arguments, trainer, &weights)?;
            stop.keep(results, ended_at(arguments, trainer));
        }
        if let Some(signal) = stop.signal() {
            stop.forget();
            return Ok(Some(signal));
        }
        let updated = timed_update(trainer);
        stop.forget();
        let (update, times) = match updated {
            Ok(result) => result,
            Err(source) => return Err(CliError::TrainingStopped { source, kept }),
        };
        took = Some(times.playing + times.learning);
        reports.write(&update, times, trainer)?;
    }
    Ok(None)
}

fn ended_at(arguments: &TrainArguments, trainer: &Trainer) -> Ended {
    Ended {
        steps: trainer.learner().steps(),
        checkpoint: arguments.checkpoint.clone(),
    }
}

/// The files of weights that are written at a signal: where nothing was learned, those that are there keep their content.
fn weights_at_signal(arguments: &TrainArguments, has_learned: bool) -> Vec<String> {
    let mut paths = arguments.weights.clone();
    paths.retain(|path| has_learned || !places::is_there(path));
    paths
}

/// The checkpoint, and the weights that are to be written.
fn results_of(arguments: &TrainArguments, trainer: &mut Trainer, weights: &[String]) -> Result<Results, CliError> {
    let checkpoint = match &arguments.checkpoint {
        Some(path) => vec![(path.clone(), trainer.checkpoint()?)],
        None => vec![],
    };
    Ok([checkpoint, weights_of(weights, trainer.learner())?].concat())
}

fn weights_of(paths: &[String], learner: &Learner) -> Result<Results, CliError> {
    let files = paths.iter().map(|path| {
        let bytes = if arguments::ending(path) == Some("onnx") {
            learner.onnx()
        } else {
            learner.weights()?
        };
        Ok((path.clone(), bytes))
    });
    files.collect()
}

/// The failure of an update, with the weights before it written: a run may have no checkpoint.
fn with_weights(error: CliError, arguments: &TrainArguments, learner: &Learner) -> CliError {
    let paths = &arguments.weights;
    if paths.is_empty() {
        return error;
    }
    let written = weights_of(paths, learner).and_then(|weights| stop::write(&weights));
    let written = written.err().unwrap_or_else(|| CliError::WeightsKept {
        update: learner.updates(),
        paths: paths.clone(),
    });
    CliError::Several(vec![error, written])
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
        device: arguments.device,
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

/// What the arguments say of the run.
fn options(arguments: &TrainArguments) -> Result<TrainingOptions, CliError> {
    let TrainArguments {
        options,
        preset,
        game,
        mapper,
        ..
    } = arguments;
    let options = load::environment(options.as_deref(), preset.as_deref(), game.as_deref(), *mapper)?;
    let settings = arguments.hyper.0.iter().cloned();
    Ok(TrainingOptions {
        algorithm: arguments.algorithm,
        net: arguments.net,
        num_envs: arguments.envs,
        seed: arguments.seed.or(options.seed),
        options: Some(GameOptions { seed: None, ..options }),
        hyper_parameters: Some(settings.map(|(key, value)| (key, value.into())).collect()),
    })
}
