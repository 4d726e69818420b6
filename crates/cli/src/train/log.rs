//! Logs of a run, one entry an update.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
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

/// How far a run is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) updates: u64,
    pub(super) steps: u64,
}

/// Cuts off the rows of updates after `updates`, if there is a file: the run that wrote them ended before its next checkpoint. A row
/// without a line's end, which a killed run leaves, is cut off too.
fn cut(path: &str, updates: u64) -> io::Result<()> {
    // Reading a pipe would wait for ever.
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let bytes = fs::read(path)?;
    let kept = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|row| row.ends_with(b"\n") && update_of(row).is_none_or(|update| update <= updates));
    let size: usize = kept.map(<[u8]>::len).sum();
    if size < bytes.len() {
        File::options().write(true).open(path)?.set_len(size as u64)?;
    }
    Ok(())
}

/// The update of a row of either format, which begins with it.
fn update_of(row: &[u8]) -> Option<u64> {
    let text = row.strip_prefix(b"{\"update\":").unwrap_or(row);
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    str::from_utf8(&text[..digits]).ok()?.parse().ok()
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
    /// Opens a log. That of a run `resumed` from a checkpoint goes on at the end of the file, after the checkpoint's update.
    pub(super) fn open(path: &str, resumed: Option<At>) -> Result<Self, CliError> {
        let refuse = |source| CliError::Write {
            path: path.to_owned(),
            source,
        };
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        let open = || {
            if let Some(At { updates, .. }) = resumed {
                cut(path, updates).map_err(refuse)?;
            }
            let resumes = resumed.is_some();
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
                file: EventFile::create(path, resumed.map(|at| at.steps + 1)).map_err(refuse)?,
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

fn json_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> io::Result<()> {
    write!(file, "{{\"update\":{},\"steps\":{}", update.update, update.steps)?;
    for (name, value) in values {
        // As in JavaScript, a whole number has no decimal point.
        let text = value
            .filter(|value| value.is_finite())
            .map_or_else(|| "null".to_owned(), |value| value.to_string());
        write!(file, ",\"{name}\":{text}")?;
    }
    writeln!(file, "}}")?;
    file.flush()
}

fn csv_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> io::Result<()> {
    write!(file, "{},{}", update.update, update.steps)?;
    for (_, value) in values {
        write!(file, ",{}", value.map_or_else(String::new, |value| value.to_string()))?;
    }
    writeln!(file)?;
    file.flush()
}
