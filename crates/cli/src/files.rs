//! The files that commands write.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::CliError;

/// Refuses a file that cannot be written, before long work for its content begins. A file that exists keeps its content.
pub(crate) fn check(path: &str) -> Result<(), CliError> {
    probe(path.as_ref()).map_err(refusal(path))
}

/// As [`check`], for [`replace`].
pub(crate) fn check_replaceable(path: &str) -> Result<(), CliError> {
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Err(refusal(path)(io::ErrorKind::IsADirectory.into()));
    }
    match replaced(path) {
        Some(file) => probe(&beside(&file)).map_err(refusal(path)),
        None => check(path),
    }
}

/// Writes a file.
pub(crate) fn write(path: &str, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes).map_err(refusal(path))
}

/// Writes a file. If that fails, the previous file stays. Links are followed, and pipes and devices are written to.
pub(crate) fn replace(path: &str, bytes: &[u8]) -> Result<(), CliError> {
    let Some(file) = replaced(path) else {
        return write(path, bytes);
    };
    let beside = beside(&file);
    fs::write(&beside, bytes).map_err(refusal(path))?;
    fs::rename(&beside, &file).map_err(refusal(path))
}

/// The file that takes the place of another one. None where there is no regular file: a pipe, a device, or a link to nothing.
fn replaced(path: &str) -> Option<PathBuf> {
    match (fs::canonicalize(path), fs::symlink_metadata(path)) {
        (Ok(file), _) => file.is_file().then_some(file),
        (Err(_), Ok(_)) => None,
        (Err(_), Err(_)) => Some(path.into()),
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(".part");
    name.into()
}

fn probe(path: &Path) -> io::Result<()> {
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
