//! Logs of a run, one entry an update.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use gym2600_learn::Update;

use super::tensorboard::EventFile;
use super::times::Times;
use crate::error::CliError;

/// A log, by the ending of its name.
pub(super) enum Log {
    JsonLines { path: String, file: BufWriter<File> },
    Csv { path: String, file: BufWriter<File> },
    TensorBoard { path: String, file: EventFile },
}

/// The values of an entry after update and steps, in the order of a log.
fn values(update: &Update, times: Times, steps_per_second: f64) -> [(&'static str, Option<f64>); 14] {
    let seconds = (times.playing + times.learning).as_secs_f64();
    let share = |part: std::time::Duration| part.as_secs_f64() / seconds.max(1e-9);
    [
        ("episodes", Some(update.episodes as f64)),
        ("reward", update.reward),
        ("length", update.length),
        ("entropy", Some(update.entropy)),
        ("kl", Some(update.kl)),
        ("clip_fraction", Some(update.clip_fraction)),
        ("explained_variance", Some(update.explained_variance)),
        ("policy_loss", Some(update.policy_loss)),
        ("value_loss", Some(update.value_loss)),
        ("gradient_norm", Some(update.gradient_norm)),
        ("learning_rate", Some(update.learning_rate)),
        ("steps_per_second", Some(steps_per_second)),
        ("playing", Some(share(times.playing))),
        ("learning", Some(share(times.learning))),
    ]
}

impl Log {
    /// Opens a log. One of a run that `resumes` goes on at the end of the file.
    pub(super) fn open(path: &str, resumes: bool) -> Result<Self, CliError> {
        let refuse = |source| CliError::Write {
            path: path.to_owned(),
            source,
        };
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        let open = || {
            let mut options = File::options();
            options.create(true).write(true).append(resumes).truncate(!resumes);
            options.open(path).map_err(refuse)
        };
        let name = path.to_owned();
        Ok(match ending {
            Some("jsonl" | "json") => Self::JsonLines {
                file: BufWriter::new(open()?),
                path: name,
            },
            Some("csv") => {
                let file = open()?;
                let is_new = file.metadata().map_err(refuse)?.len() == 0;
                let mut file = BufWriter::new(file);
                if is_new {
                    let names = values(&Update::default(), Times::default(), 0.0).map(|(name, _)| name);
                    writeln!(file, "update,steps,{}", names.join(",")).map_err(refuse)?;
                }
                Self::Csv { file, path: name }
            }
            _ => Self::TensorBoard {
                file: EventFile::create(path).map_err(refuse)?,
                path: name,
            },
        })
    }

    pub(super) fn write(&mut self, update: &Update, times: Times, steps_per_second: f64) -> Result<(), CliError> {
        let values = values(update, times, steps_per_second);
        let (path, result) = match self {
            Self::JsonLines { path, file } => (path, json_line(file, update, &values)),
            Self::Csv { path, file } => (path, csv_line(file, update, &values)),
            Self::TensorBoard { path, file } => (path, file.write(update.steps, &values)),
        };
        result.map_err(|source| CliError::Write {
            path: path.clone(),
            source,
        })
    }
}

fn json_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> std::io::Result<()> {
    write!(file, "{{\"update\":{},\"steps\":{}", update.update, update.steps)?;
    for (name, value) in values {
        write!(file, ",\"{name}\":{}", serde_json::to_string(value)?)?;
    }
    writeln!(file, "}}")?;
    file.flush()
}

fn csv_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> std::io::Result<()> {
    write!(file, "{},{}", update.update, update.steps)?;
    for (_, value) in values {
        write!(file, ",{}", value.map_or_else(String::new, |value| value.to_string()))?;
    }
    writeln!(file)?;
    file.flush()
}
