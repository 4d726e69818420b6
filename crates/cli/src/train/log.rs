//! Logs of a run: a row for each update, or for each game, behind the run's settings.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use gym2600_gym::{EpisodeSummary, GameOptions};
use gym2600_learn::{Config, Learner, Update};
use serde::{Deserialize, Serialize};
use serde_json::ser::{CompactFormatter, Formatter};

use super::arguments::ending;
use super::tensorboard::EventFile;
use super::times::Times;
use crate::error::CliError;
use crate::files;

/// What a log is of, and how: the first line of JSON lines, a file beside a CSV, and the hyper-parameters of TensorBoard.
#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    version: String,
    rows: Rows,
    game: String,
    rom_md5: String,
    settings: Config,
    /// The options of the games, defaults resolved.
    environment: GameOptions,
}

impl Header {
    fn new(learner: &Learner, rows: Rows) -> Self {
        let origin = learner.origin();
        Self {
            version: origin.version,
            rows,
            game: origin.game,
            rom_md5: origin.rom_md5,
            settings: learner.config().clone(),
            environment: learner.environment().clone(),
        }
    }

    /// That of a log of rows, or none where no program of ours has begun it.
    fn of_log(path: &str, kind: Kind, log: impl Read) -> io::Result<Option<Self>> {
        let mut text = Vec::new();
        if kind == Kind::Csv {
            match File::open(beside(path)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => file?.read_to_end(&mut text)?,
            };
        } else {
            BufReader::new(log).read_until(b'\n', &mut text)?;
        }
        Ok(serde_json::from_slice(&text).ok())
    }

    /// Whether it is of the same run, and of rows of the same kind.
    fn is_like(&self, other: &Self) -> bool {
        self.rows == other.rows && self.rom_md5 == other.rom_md5 && self.settings == other.settings
    }
}

/// Plain data as JSON with [`Digits`].
fn json(data: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Digits);
    data.serialize(&mut serializer).expect("plain data becomes JSON");
    String::from_utf8(bytes).expect("JSON is text")
}

/// Whole numbers without a point, as JavaScript writes them; -0 is 0.
struct Digits;

impl Formatter for Digits {
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        let mut text = Vec::new();
        CompactFormatter.write_f32(&mut text, value + 0.0)?;
        writer.write_all(text.strip_suffix(b".0").unwrap_or(&text))
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let mut text = Vec::new();
        CompactFormatter.write_f64(&mut text, value + 0.0)?;
        writer.write_all(text.strip_suffix(b".0").unwrap_or(&text))
    }
}

/// How the name of a file of settings ends.
const SETTINGS_ENDING: &str = ".settings.json";

/// The file of a CSV's settings.
fn beside(csv: &str) -> String {
    format!("{csv}{SETTINGS_ENDING}")
}

/// The file of settings that a log has beside it: a CSV's, unless it is written to a pipe or a device.
pub(super) fn settings_file(path: &str) -> Option<String> {
    let is_file = fs::metadata(path).map_or(true, |found| found.is_file());
    (Kind::of(path) == Ok(Kind::Csv) && is_file).then(|| beside(path))
}

/// The log of a file of settings.
pub(super) fn of_settings(path: &str) -> Option<&str> {
    path.strip_suffix(SETTINGS_ENDING)
}

/// Whether a log that is there is one that a run may go on in. A folder of TensorBoard is: each run has a file of its own in it.
pub(super) fn is_own(path: &str, rows: Rows, learner: &Learner) -> Result<bool, CliError> {
    let header = match Kind::of(path) {
        Ok(kind) if kind != Kind::TensorBoard => File::open(path).and_then(|log| Header::of_log(path, kind, log)),
        _ => return Ok(true),
    };
    let header = header.map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    });
    Ok(header?.is_some_and(|header| header.is_like(&Header::new(learner, rows))))
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
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
                "the ending .{ending} is none of .jsonl, .json, .csv; a folder for TensorBoard has none, or a / behind it"
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
        // A file is read through the same handle, because elsewhere than on Unix its lock shuts out others. Pipes are only written.
        let is_read = fs::metadata(path).map_or(true, |found| found.is_file());
        let mut options = File::options();
        options.create(true).read(is_read).write(true).truncate(false);
        return options.open(path).map(Some);
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

/// Cuts off the rows that a run does not go on after: all of them, unless the log is its own.
fn cut(path: &str, kind: Kind, file: &mut File, header: &Header, resumed: Option<At>) -> io::Result<()> {
    // Reading a pipe would wait for ever.
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let mut kept = 0;
    if let Some(At { updates, .. }) = resumed
        && Header::of_log(path, kind, &*file)?.is_some_and(|theirs| theirs.is_like(header))
    {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        kept = length(&bytes, updates);
    }
    file.set_len(kept)?;
    file.seek(SeekFrom::End(0))?;
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
    pub(super) fn begin(place: Place, learner: &Learner, resumed: Option<At>) -> Result<Self, CliError> {
        let path = place.path.clone();
        let rows = place.rows;
        let header = Header::new(learner, rows);
        let file = begin(place, &header, resumed).map_err(refusal(&path))?;
        if let Some(settings) = settings_file(&path) {
            files::write(&settings, (json(&header) + "\n").as_bytes())?;
        }
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
    cut(&path, kind, &mut opened, header, resumed)?;
    let is_new = opened.metadata()?.len() == 0;
    let mut file = BufWriter::new(opened);
    if kind == Kind::JsonLines {
        if is_new {
            writeln!(file, "{}", json(header))?;
        }
        return Ok(LogFile::JsonLines(file));
    }
    if is_new {
        writeln!(file, "update,steps,{}", rows.names().join(","))?;
    }
    Ok(LogFile::Csv(file))
}

/// A number as [`Digits`] has it. `None` for one that is not finite.
fn digits(value: f64) -> Option<String> {
    value.is_finite().then(|| json(&value))
}

fn json_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> io::Result<()> {
    write!(file, "{{\"update\":{},\"steps\":{}", update.update, update.steps)?;
    for (name, value) in values {
        let text = value.and_then(digits);
        write!(file, ",\"{name}\":{}", text.as_deref().unwrap_or("null"))?;
    }
    writeln!(file, "}}")?;
    file.flush()
}

fn csv_line(file: &mut impl Write, update: &Update, values: &[(&str, Option<f64>)]) -> io::Result<()> {
    write!(file, "{},{}", update.update, update.steps)?;
    for (_, value) in values {
        write!(file, ",{}", value.and_then(digits).unwrap_or_default())?;
    }
    writeln!(file)?;
    file.flush()
}
