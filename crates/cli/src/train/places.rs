//! The files of a run: where it saves if none is named, and those that it may not replace.

use std::fs;
use std::path::Path;

use gym2600_learn::Learner;

use super::arguments::TrainArguments;
use super::log::{self, Kind, Rows};
use super::stop::tell;
use crate::error::CliError;
use crate::files;
use crate::load;

/// The arguments of a run that is saved in any case: where no file for its results is named, it goes on in the checkpoint that it resumes, or
/// has one of its own in the working folder.
pub(super) fn with_default(arguments: &TrainArguments, learner: &Learner) -> TrainArguments {
    let mut arguments = arguments.clone();
    if arguments.no_save || arguments.checkpoint.is_some() || !arguments.weights.is_empty() {
        return arguments;
    }
    let path = arguments.resume.clone().unwrap_or_else(|| default_name(learner));
    arguments.checkpoint = Some(path);
    arguments
}

/// Says where a run is saved that has been given no file.
pub(super) fn tell_default(given: &TrainArguments, arguments: &TrainArguments) {
    if let (None, Some(path)) = (&given.checkpoint, &arguments.checkpoint) {
        tell(&format!("the run is saved in {path} (--checkpoint FILE names another)"));
    }
}

/// The checkpoint that a run goes on from and in.
pub(super) fn gone_on_in(arguments: &TrainArguments) -> Option<&str> {
    let resumed = arguments.resume.as_deref()?;
    let is_written = match &arguments.checkpoint {
        Some(path) => files::identity(path) == files::identity(resumed),
        None => !arguments.no_save && arguments.weights.is_empty(),
    };
    (is_written && Path::new(resumed).exists()).then_some(resumed)
}

fn default_name(learner: &Learner) -> String {
    let origin = learner.origin();
    // A definition may name its game as it likes.
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let game = origin.game.replace(|character| !is_plain(character), "_");
    format!("{game}-{}-{}.checkpoint", origin.algorithm, origin.seed)
}

/// Refuses a file that is given twice: the second one would take the place of the first. A run may go on in its own checkpoint.
pub(super) fn check_distinct(arguments: &TrainArguments) -> Result<(), CliError> {
    let read = [
        ("the ROM", &arguments.rom),
        ("--resume", &arguments.resume),
        ("--options", &arguments.options),
        ("--game", &arguments.game),
    ];
    let read = read.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?)));
    let mut taken: Vec<_> = read.map(|(name, path)| (name, files::identity(path))).collect();
    for (second, path) in written(arguments) {
        let Some(file) = files::identity(&path) else { continue };
        let same = taken.iter().find(|(_, taken)| taken.as_ref() == Some(&file));
        if let Some((first, _)) = same.filter(|(first, _)| (*first, second) != ("--resume", "--checkpoint")) {
            return Err(CliError::SameFile { first, second, path });
        }
        taken.push((second, Some(file)));
    }
    Ok(())
}

/// What errors call the file of settings beside a log.
const SETTINGS: [&str; 2] = ["the settings of --log", "the settings of --log-games"];

/// The files that a run writes, with their options.
fn written(arguments: &TrainArguments) -> impl Iterator<Item = (&'static str, String)> {
    let named = |name, paths: &[String]| paths.iter().map(|path| (name, path.clone())).collect::<Vec<_>>();
    let settings = |name, paths: &[String]| {
        let files = paths.iter().filter_map(|path| Some((name, log::settings_file(path)?)));
        files.collect::<Vec<_>>()
    };
    let TrainArguments { log, log_games, .. } = arguments;
    let files = [
        named("--checkpoint", arguments.checkpoint.as_slice()),
        named("--weights", &arguments.weights),
        named("--log", log),
        settings(SETTINGS[0], log),
        named("--log-games", log_games),
        settings(SETTINGS[1], log_games),
    ];
    files.into_iter().flatten()
}

/// Refuses files that other runs have written. A run that is resumed goes on in its own.
pub(super) fn check_others(arguments: &TrainArguments, learner: &Learner) -> Result<(), CliError> {
    if arguments.force {
        return Ok(());
    }
    let resumed = arguments.resume.as_deref();
    for (option, path) in written(arguments) {
        let rows = match option {
            "--log" => Some(Rows::Updates),
            "--log-games" => Some(Rows::Games),
            _ => None,
        };
        let is_other = match resumed {
            _ if !is_there(&path) => false,
            // Those of a log that is there are that log's own.
            _ if SETTINGS.contains(&option) => !log::of_settings(&path).is_some_and(is_there),
            None => true,
            Some(resumed) if files::identity(resumed) == files::identity(&path) => false,
            Some(_) => match rows {
                Some(rows) => !log::is_own(&path, rows, learner)?,
                None => !learner.origin().is_earlier(learner.config().envs, &load::bytes(&path)?),
            },
        };
        if is_other {
            let resumable = option == "--checkpoint" && resumed.is_none();
            return Err(CliError::OtherRun {
                option,
                path,
                resumable,
            });
        }
    }
    Ok(())
}

/// Whether a file has content that could be lost. Pipes and devices have none, and a folder has if it has event files.
pub(super) fn is_there(path: &str) -> bool {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => found.len() > 0,
        Ok(found) if found.is_dir() && Kind::of(path) == Ok(Kind::TensorBoard) => has_events(Path::new(path)),
        _ => false,
    }
}

fn has_events(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().starts_with("events.out.tfevents"))
}
