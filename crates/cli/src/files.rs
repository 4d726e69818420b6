//! The files that commands write: whole, or not at all.
//!
//! A new file is written beside the old one under a name of its own, and takes its place when the disk has it. If that fails, the old file stays
//! and the new one is removed. Links of a path are followed to the file that they lead to; pipes and devices are written to directly.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::CliError;

/// Links of a path that are followed to a file that does not exist yet.
const MOST_LINKS: usize = 40;

/// Refuses a file that cannot be written, before long work for its content begins. A file that exists keeps its content.
pub(crate) fn check(path: &str) -> Result<(), CliError> {
    match replaced(path.as_ref()) {
        Ok(Some(file)) => temporary(&file).map(drop).map_err(refusal(path)),
        Ok(None) => Ok(()),
        Err(source) => Err(refusal(path)(source)),
    }
}

/// Writes a file. If that fails, the previous file stays.
pub(crate) fn write(path: &str, bytes: &[u8]) -> Result<(), CliError> {
    let write = || match replaced(path.as_ref())? {
        Some(file) => replace(&file, bytes),
        None => fs::write(path, bytes),
    };
    write().map_err(refusal(path))
}

fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = temporary(file)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    // Without it a loss of power may undo the change of names. Some file systems cannot sync a folder.
    #[cfg(unix)]
    let _ = File::open(folder_of(file)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A new file that can take the place of another one, with its permissions. It is removed unless it does.
fn temporary(file: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gym2600-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let new = builder.tempfile_in(folder_of(file))?;
    #[cfg(unix)]
    if let Ok(old) = fs::metadata(file) {
        new.as_file().set_permissions(old.permissions())?;
    }
    Ok(new)
}

fn folder_of(file: &Path) -> &Path {
    file.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The file that takes the place of another one, links followed, or of none yet. `None` for a pipe or a device.
fn replaced(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => new_file(path).map(Some),
        Err(error) => Err(error),
    }
}

/// The place of a file that does not exist, though links to it may.
fn new_file(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
            return Ok(fs::canonicalize(folder_of(&path))?.join(name));
        };
        path = folder_of(&path).join(target);
    }
    Err(io::Error::other("too many links"))
}

/// The file or folder of a path, to compare with others. `None` for what several may use, which is pipes and devices.
pub(crate) fn identity(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => fs::canonicalize(path).ok(),
        // Folders of a log that are still to be made.
        _ => replaced(path).unwrap_or_else(|_| std::path::absolute(path).ok()),
    }
}

/// Holds a file that this process is going to write against other runs, by a lock that ends with the process at the latest. The lock is that of a
/// file `NAME.lock` beside it, because the file itself is replaced.
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// # Errors
    /// [`CliError::InUse`] if another run has the file, [`CliError::Write`].
    pub(crate) fn take(path: &str) -> Result<Option<Self>, CliError> {
        let Some(file) = replaced(path.as_ref()).map_err(refusal(path))? else {
            return Ok(None);
        };
        let mut lock = file.into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        loop {
            let file = open_lock(&lock).map_err(refusal(path))?;
            hold(&file, path)?;
            // A run that ends removes the file that others may have opened already.
            if is_at(&lock, &file.metadata().map_err(refusal(path))?) {
                return Ok(Some(Self {
                    path: lock,
                    _file: file,
                }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // One that stays is taken by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

/// A link is refused: another user may have made it, and the file that it names would be created. So is a file with content, which is no lock and
/// would be removed. Windows locks only what may be read.
fn open_lock(path: &Path) -> io::Result<File> {
    match File::options().read(true).append(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
                return Err(io::Error::new(error.kind(), format!("{} is no lock", path.display())));
            }
            File::options().read(true).append(true).create(true).open(path)
        }
        result => result,
    }
}

/// Locks a file or a folder that is open.
///
/// # Errors
/// [`CliError::InUse`] if another run has the lock.
pub(crate) fn hold(file: &File, path: &str) -> Result<(), CliError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(CliError::InUse { path: path.to_owned() }),
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(unix)]
fn is_at(path: &Path, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == (opened.dev(), opened.ino()))
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_at(_: &Path, _: &Metadata) -> bool {
    true
}

fn refusal(path: &str) -> impl Fn(io::Error) -> CliError {
    move |source| CliError::Write {
        path: path.to_owned(),
        source,
    }
}
