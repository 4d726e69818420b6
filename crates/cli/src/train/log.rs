//! Logs of a run: a row for each update, or for each game, behind the run's settings.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use gym2600_gym::{EpisodeSummary, GameOptions};
use gym2600_learn::{Config, Learner, Update};
use serde::{Deserialize, Serialize};

use super::arguments::ending;
use super::tensorboard::EventFile;
use super::times::Times;
use crate::error::CliError;
use crate::files;
use crate::load;

/// What a log is of, and how: the first line of JSON lines, a file beside a CSV, and the hyper-parameters of TensorBoard.
#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    version: String,
    game: String,
    rom_md5: String,
    settings: Config,
    /// The options of the games, defaults resolved.
    environment: GameOptions,
}

impl Header {
    pub(super) fn new(learner: &Learner) -> Self {
        let origin = learner.origin();
        Self {
            version: origin.version,
            game: origin.game,
            rom_md5: origin.rom_md5,
            settings: learner.config().clone(),
            environment: learner.environment().clone(),
        }
    }

    /// That of a log, or none where it has none: TensorBoard's, and those that no program of ours has begun.
    pub(super) fn of_log(path: &str) -> Result<Option<Self>, CliError> {
        let text = match Kind::of(path) {
            Ok(Kind::JsonLines) => {
                let mut line = String::new();
                let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut line));
                read.map_err(refusal(path))?;
                line
            }
            Ok(Kind::Csv) if Path::new(&beside(path)).exists() => load::text(&beside(path))?,
            _ => return Ok(None),
        };
        Ok(serde_json::from_str(&text).ok())
    }

    /// Whether it is of the same run.
    pub(super) fn is_of(&self, learner: &Learner) -> bool {
        self.rom_md5 == learner.origin().rom_md5 && self.settings == *learner.config()
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("settings are plain data")
    }
}

/// The file of a CSV's settings.
fn beside(csv: &str) -> String {
    format!("{csv}.settings.json")
}

/// A log, by the ending of its name.
pub(super) struct Log {
    path: String,
    rows: Rows,
    file: LogFile,
}

enum LogFile {
    JsonLines(BufWriter<File>),
    Csv(BufWriter<File>),
    TensorBoard {
        file: EventFile,
        /// The lock of the folder.
        _folder: Option<File>,
    },
}

/// What a row of a log is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    Updates,
    Games,
}

impl Rows {
    /// The names of a row's values after update and steps.
    fn names(self) -> Vec<&'static str> {
        match self {
            Self::Updates => {
                let values = values(&Update::default(), Times::default(), 0.0);
                values.map(|(name, _)| name).to_vec()
            }
            Self::Games => game_values(1, &EpisodeSummary::default())
                .map(|(name, _)| name)
                .to_vec(),
        }
    }

    /// What TensorBoard's names begin with.
    fn prefix(self) -> &'static str {
        match self {
            Self::Updates => "train",
            Self::Games => "game",
        }
    }
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
    rows: Rows,
    kind: Kind,
    /// None for a folder where those cannot be locked.
    opened: Option<File>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    JsonLines,
    Csv,
    TensorBoard,
}

impl Kind {
    /// The format of a log, which the ending of its name tells.
    pub(super) fn of(path: &str) -> Result<Self, String> {
        match ending(path) {
            Some("jsonl" | "json") => Ok(Self::JsonLines),
            Some("csv") => Ok(Self::Csv),
            Some(ending) if !path.ends_with('/') && !Path::new(path).is_dir() => Err(format!(
                "the ending .{ending} is none of .jsonl, .csv; a folder for TensorBoard has none, or a / behind it"
            )),
            _ => Ok(Self::TensorBoard),
        }
    }
}

impl Place {
    /// # Errors
    /// [`CliError::InUse`] if another run writes to it, [`CliError::Write`]
    pub(super) fn take(path: &str, rows: Rows) -> Result<Self, CliError> {
        let kind = Kind::of(path).map_err(|reason| refusal(path)(io::Error::other(reason)))?;
        let opened = open(path, kind).map_err(refusal(path))?;
        // Several runs may write to pipes and devices.
        let is_held = |file: &&File| file.metadata().is_ok_and(|found| found.is_file() || found.is_dir());
        if let Some(file) = opened.as_ref().filter(is_held) {
            files::hold(file, path)?;
        }
        let path = path.to_owned();
        Ok(Self {
            path,
            rows,
            kind,
            opened,
        })
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

/// The values of a row after update and steps, in the order of a log.
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

/// The values of a game's row, likewise. Games are counted from 1.
fn game_values(episode: u64, game: &EpisodeSummary) -> [(&'static str, Option<f64>); 4] {
    [
        ("episode", Some(episode as f64)),
        ("reward", Some(game.reward)),
        ("length", Some(f64::from(game.length))),
        ("frames", Some(f64::from(game.frames))),
    ]
}

impl Log {
    /// Begins a log. That of a run `resumed` from a checkpoint goes on at the end of the file, after the checkpoint's update.
    pub(super) fn begin(place: Place, header: &Header, resumed: Option<At>) -> Result<Self, CliError> {
        let path = place.path.clone();
        let rows = place.rows;
        let file = begin(place, header, resumed).map_err(refusal(&path))?;
        Ok(Self { path, rows, file })
    }

    pub(super) fn write(
        &mut self,
        update: &Update,
        finished: &[EpisodeSummary],
        times: Times,
        steps_per_second: f64,
    ) -> Result<(), CliError> {
        let result = match self.rows {
            Rows::Updates => self.row(update, &values(update, times, steps_per_second)),
            Rows::Games => {
                let before = update.episodes - finished.len() as u64;
                let mut games = finished.iter().zip(before + 1..);
                games.try_for_each(|(game, episode)| self.row(update, &game_values(episode, game)))
            }
        };
        result.map_err(refusal(&self.path))
    }

    fn row(&mut self, update: &Update, values: &[(&str, Option<f64>)]) -> io::Result<()> {
        match &mut self.file {
            LogFile::JsonLines(file) => json_line(file, update, values),
            LogFile::Csv(file) => csv_line(file, update, values),
            LogFile::TensorBoard { file, .. } => file.write(self.rows.prefix(), update.steps, values),
        }
    }
}

fn begin(place: Place, header: &Header, resumed: Option<At>) -> io::Result<LogFile> {
    let Place {
        path,
        rows,
        kind,
        opened,
    } = place;
    let mut opened = match (kind, opened) {
        (Kind::JsonLines | Kind::Csv, Some(opened)) => opened,
        (_, folder) => {
            let mut file = EventFile::create(&path, resumed.map(|at| at.steps + 1))?;
            file.hyper_parameters(&serde_json::to_value(header)?)?;
            return Ok(LogFile::TensorBoard { file, _folder: folder });
        }
    };
    cut(&path, &mut opened, resumed)?;
    let found = opened.metadata()?;
    let (is_new, is_file) = (found.len() == 0, found.is_file());
    let mut file = BufWriter::new(opened);
    if kind == Kind::JsonLines {
        if is_new {
            writeln!(file, "{}", header.json())?;
        }
        return Ok(LogFile::JsonLines(file));
    }
    if is_new {
        writeln!(file, "update,steps,{}", rows.names().join(","))?;
    }
    if is_file {
        fs::write(beside(&path), header.json() + "\n")?;
    }
    Ok(LogFile::Csv(file))
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
