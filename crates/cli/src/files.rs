//! The files that commands write.

use std::fs::{self, File};
use std::io;

use crate::error::CliError;

/// Refuses a file that cannot be written, before long work for its content begins. A file that exists keeps its content.
pub(crate) fn check(path: &str) -> Result<(), CliError> {
    probe(path).map_err(refusal(path))
}

/// As [`check`], for [`replace`].
pub(crate) fn check_replaceable(path: &str) -> Result<(), CliError> {
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Err(refusal(path)(io::ErrorKind::IsADirectory.into()));
    }
    probe(&beside(path)).map_err(refusal(path))
}

/// Writes a file.
pub(crate) fn write(path: &str, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes).map_err(refusal(path))
}

/// Writes a file. If that fails, the previous file stays.
pub(crate) fn replace(path: &str, bytes: &[u8]) -> Result<(), CliError> {
    let beside = beside(path);
    fs::write(&beside, bytes).map_err(refusal(path))?;
    fs::rename(&beside, path).map_err(refusal(path))
}

fn beside(path: &str) -> String {
    format!("{path}.part")
}

fn probe(path: &str) -> io::Result<()> {
    match (fs::metadata(path), fs::symlink_metadata(path)) {
        // Opening and closing a pipe would end its reader.
        (Ok(found), _) if !found.is_file() && !found.is_dir() => Ok(()),
        (Ok(_), _) => File::options().append(true).open(path).map(drop),
        // A link to a file that does not exist yet.
        (Err(_), Ok(_)) => Ok(()),
        (Err(_), Err(_)) => {
            File::create_new(path)?;
            fs::remove_file(path)
        }
    }
}

fn refusal(path: &str) -> impl Fn(io::Error) -> CliError {
    move |source| CliError::Write {
        path: path.to_owned(),
        source,
    }
}
