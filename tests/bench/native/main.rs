//! The native competitor of `scripts/bench`, which sends requests to the standard input.
//!
//! A request is a line of JSON. Its answer is a line of JSON too, with `error` if the request is refused. The process runs until
//! its input ends. It keeps the subject of the last measurement, so that a measurement can be taken in slices, in turns with
//! other competitors. The files beside this folder are the competitors for the npm package and the Python packages.

mod one_off;
mod subject;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use gym2600_learn::{Algorithm, Net};
use gym2600_native::{CompileThread, TierUpThreshold};
use serde::Deserialize;
use serde_json::{Value, json};

use subject::{Played, Subject};

/// Anything that can be wrong with a request. The program prints it and goes on.
type Refusal = Box<dyn Error>;

/// A measurement and its subject.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Target {
    measure: Measure,
    /// The ROM file.
    rom: String,
    /// ALE's numbers of the actions for its interface.
    #[serde(default)]
    actions: Vec<u32>,
    /// Environments in a batch, or of a run.
    #[serde(default)]
    envs: usize,
    /// How a run learns, on that many threads.
    #[serde(default)]
    algorithm: Algorithm,
    #[serde(default)]
    threads: usize,
    #[serde(default)]
    net: Net,
    /// The run's hyper-parameters that differ from the algorithm's defaults.
    settings: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Measure {
    /// Frames of ALE's interface, each drawn and read.
    Frames,
    /// Frames of ALE's interface that are not drawn.
    Hidden,
    /// Steps of one environment.
    Steps,
    /// Steps of a batch in this thread. The step of each environment counts.
    Vector,
    /// Steps of all games of a run that learns.
    Train,
    /// Seconds from construction to the first observation, `count` times.
    Startup,
    /// Seconds of a reset after play, and of another from the same state, each `count` times.
    Reset,
    /// Bytes of memory of a game, measured on `count` games.
    Memory,
}

/// The amount of work: `count` frames or steps, or as many as fit in `seconds`.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Amount {
    count: Option<u32>,
    #[serde(default)]
    seconds: f64,
}

#[derive(Debug, Deserialize)]
struct Request {
    #[serde(flatten)]
    target: Target,
    #[serde(flatten)]
    amount: Amount,
}

fn main() -> io::Result<()> {
    gym2600_native::install(TierUpThreshold::default(), CompileThread::Background);
    let mut output = io::stdout().lock();
    let mut ready: Option<(Target, Subject)> = None;
    for line in io::stdin().lock().lines() {
        let answer = match answer(&line?, &mut ready) {
            Ok(answer) => answer,
            Err(refusal) => json!({ "error": refusal.to_string() }),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(line: &str, ready: &mut Option<(Target, Subject)>) -> Result<Value, Refusal> {
    let Request { target, amount } =
        serde_json::from_str(line).map_err(|error| format!("{line:?} is no measurement: {error}"))?;
    let count = amount.count.unwrap_or(1);
    match target.measure {
        Measure::Startup => return one_off::startup(&rom(&target.rom)?, count),
        Measure::Reset => return one_off::reset(&rom(&target.rom)?, count),
        Measure::Memory => return one_off::memory(&rom(&target.rom)?, count),
        Measure::Frames | Measure::Hidden | Measure::Steps | Measure::Vector | Measure::Train => {}
    }
    let subject = match ready.take() {
        Some((same, subject)) if same == target => subject,
        _ => Subject::new(&target)?,
    };
    let (_, subject) = ready.insert((target, subject));
    let begin = Instant::now();
    let mut played = Played::default();
    loop {
        let enough = match amount.count {
            Some(count) => played.done >= u64::from(count),
            None => begin.elapsed().as_secs_f64() >= amount.seconds,
        };
        if enough {
            break;
        }
        subject.play(&mut played)?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    let Played { done, reward, episodes } = played;
    Ok(json!({ "done": done, "seconds": seconds, "reward": reward, "episodes": episodes }))
}

/// The bytes of a ROM file.
fn rom(path: &str) -> Result<Vec<u8>, Refusal> {
    std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}").into())
}
