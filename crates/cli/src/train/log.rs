//! Logs of a run, one entry an update.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use gym2600_learn::Update;

use super::tensorboard::EventFile;
use super::times::Times;
use crate::error::CliError;
use crate::files;

/// A log, by the ending of its name.
pub(super) enum Log {
    JsonLines {
        path: String,
        file: BufWriter<File>,
    },
    Csv {
        path: String,
        file: BufWriter<File>,
    },
    TensorBoard {
        path: String,
        file: EventFile,
        /// The lock of the folder.
        _folder: Option<File>,
    },
}

/// How far a run is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) updates: u64,
    pub(super) steps: u64,
}

/// A place for a log that no other run writes to at the same time: a file of rows, or a folder, which is made if there is none. Nothing in it has
/// changed yet.
pub(super) struct Place {
    path: String,
    kind: Kind,
    /// None for a folder where those cannot be locked.
    opened: Option<File>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    JsonLines,
    Csv,
    TensorBoard,
}

impl Place {
    /// # Errors
    /// [`CliError::InUse`] if another run writes to it, [`CliError::Write`]
    pub(super) fn take(path: &str) -> Result<Self, CliError> {
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        let kind = match ending {
            Some("jsonl" | "json") => Kind::JsonLines,
            Some("csv") => Kind::Csv,
            _ => Kind::TensorBoard,
        };
        let opened = open(path, kind).map_err(refusal(path))?;
        // Several runs may write to pipes and devices.
        let is_held = |file: &&File| file.metadata().is_ok_and(|found| found.is_file() || found.is_dir());
        if let Some(file) = opened.as_ref().filter(is_held) {
            files::hold(file, path)?;
        }
        let path = path.to_owned();
        Ok(Self { path, kind, opened })
    }
}

fn open(path: &str, kind: Kind) -> io::Result<Option<File>> {
    if kind != Kind::TensorBoard {
        let mut options = File::options();
        return options.create(true).write(true).truncate(false).open(path).map(Some);
    }
    fs::create_dir_all(path)?;
    if cfg!(unix) {
        File::open(path).map(Some)
    } else {
        Ok(None)
    }
}

fn refusal(path: &str) -> impl Fn(io::Error) -> CliError + use<> {
    let path = path.to_owned();
    move |source| CliError::Write {
        path: path.clone(),
        source,
    }
}

/// Cuts off the rows that a run does not go on after.
fn cut(path: &str, file: &mut File, resumed: Option<At>) -> io::Result<()> {
    // Reading a pipe would wait for ever.
    if file.metadata()?.is_file() {
        file.set_len(match resumed {
            Some(At { updates, .. }) => length(&fs::read(path)?, updates),
            None => 0,
        })?;
        file.seek(SeekFrom::End(0))?;
    }
    Ok(())
}

/// The bytes without the rows of updates after `updates`: the run that wrote them ended before its next checkpoint. A row without a line's
/// end, which a killed run leaves, is not among them either.
fn length(bytes: &[u8], updates: u64) -> u64 {
    let kept = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|row| row.ends_with(b"\n") && update_of(row).is_none_or(|update| update <= updates));
    kept.map(|row| row.len() as u64).sum()
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
    /// Begins a log. That of a run `resumed` from a checkpoint goes on at the end of the file, after the checkpoint's update.
    pub(super) fn begin(place: Place, resumed: Option<At>) -> Result<Self, CliError> {
        let Place { path, kind, opened } = place;
        let refuse = refusal(&path);
        let mut opened = match (kind, opened) {
            (Kind::JsonLines | Kind::Csv, Some(opened)) => opened,
            (_, folder) => {
                let file = EventFile::create(&path, resumed.map(|at| at.steps + 1)).map_err(refuse)?;
                return Ok(Self::TensorBoard {
                    path,
                    file,
                    _folder: folder,
                });
            }
        };
        cut(&path, &mut opened, resumed).map_err(&refuse)?;
        let is_new = opened.metadata().map_err(&refuse)?.len() == 0;
        let mut file = BufWriter::new(opened);
        if kind == Kind::JsonLines {
            return Ok(Self::JsonLines { path, file });
        }
        if is_new {
            let names = values(&Update::default(), Times::default(), 0.0).map(|(name, _)| name);
            writeln!(file, "update,steps,{}", names.join(",")).map_err(&refuse)?;
        }
        Ok(Self::Csv { path, file })
    }

    pub(super) fn write(&mut self, update: &Update, times: Times, steps_per_second: f64) -> Result<(), CliError> {
        let values = values(update, times, steps_per_second);
        let (path, result) = match self {
            Self::JsonLines { path, file } => (path, json_line(file, update, &values)),
            Self::Csv { path, file } => (path, csv_line(file, update, &values)),
            Self::TensorBoard { path, file, .. } => (path, file.write(update.steps, &values)),
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
