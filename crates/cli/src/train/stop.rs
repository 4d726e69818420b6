//! Signals that end a run: SIGINT, SIGTERM and SIGHUP.
//!
//! The first one lets the update under way end, for a second at most, and then the run's results are written. An update that may take longer has
//! the results before it kept, which are written instead. Another signal ends the process at once, as it does without a run.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;
use crate::files::{self, Lock};

#[cfg(unix)]
const SIGNALS: [(i32, &str); 3] = [
    (SIGINT, "SIGINT"),
    (SIGTERM, "SIGTERM"),
    (signal_hook::consts::SIGHUP, "SIGHUP"),
];
#[cfg(not(unix))]
const SIGNALS: [(i32, &str); 2] = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")];

/// How long an update may go on after a signal.
const GRACE: Duration = Duration::from_secs(1);
/// Signals within this time are the same one: npm and `timeout` send it to a program that has it from the terminal too.
const REPEATS: Duration = Duration::from_millis(500);
/// Time between two looks for a signal.
const LOOK: Duration = Duration::from_millis(20);

/// A signal that ended a run.
#[derive(Clone, Copy)]
pub(super) struct Signal {
    number: i32,
    name: &'static str,
}

/// The files of a run's results.
pub(super) type Results = Vec<(String, Vec<u8>)>;

/// The results before an update, and what ends with them.
struct Kept {
    results: Results,
    ended: Ended,
}

/// What a run that was stopped tells.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) steps: u64,
    pub(super) checkpoint: Option<String>,
}

impl Ended {
    /// The error with which the run ends.
    pub(super) fn by(self, signal: Signal) -> CliError {
        self.by_name(signal.name, 128 + signal.number as u8)
    }

    /// The same for a run that a failure ended, after that failure.
    pub(super) fn by_error(self) -> CliError {
        self.by_name("an error", 1)
    }

    fn by_name(self, name: &'static str, exit_code: u8) -> CliError {
        CliError::Stopped {
            name,
            exit_code,
            steps: self.steps,
            checkpoint: self.checkpoint,
        }
    }
}

/// What a run holds while it may be stopped.
struct Held {
    kept: Option<Kept>,
    /// Released also where the process ends at once.
    locks: Vec<Lock>,
}

/// Takes the signals of a run, whose locks it holds.
pub(super) struct Stop {
    number: Arc<AtomicUsize>,
    held: Arc<Mutex<Held>>,
}

impl Stop {
    pub(super) fn listen(locks: Vec<Lock>) -> io::Result<Self> {
        let stop = Self {
            number: Arc::default(),
            held: Arc::new(Mutex::new(Held { kept: None, locks })),
        };
        let again = Arc::new(AtomicBool::new(false));
        for (number, _) in SIGNALS.into_iter().filter(|(number, _)| !is_hangup_ignored(*number)) {
            flag::register_conditional_default(number, Arc::clone(&again))?;
            flag::register_usize(number, Arc::clone(&stop.number), number as usize)?;
        }
        let (number, held) = (Arc::clone(&stop.number), Arc::clone(&stop.held));
        thread::spawn(move || watch(&number, &again, &held));
        Ok(stop)
    }

    /// The signal that came, if any.
    pub(super) fn signal(&self) -> Option<Signal> {
        signal(&self.number)
    }

    /// Whether an update like one of this duration needs its results kept.
    pub(super) fn is_long(duration: Option<Duration>) -> bool {
        duration.is_none_or(|duration| duration > GRACE)
    }

    /// Keeps the results before an update that may be long.
    pub(super) fn keep(&self, results: Results, ended: Ended) {
        locked(&self.held).kept = Some(Kept { results, ended });
    }

    /// After the update. If they are being written, the process ends before this returns.
    pub(super) fn forget(&self) {
        locked(&self.held).kept = None;
    }
}

impl Drop for Stop {
    /// The thread that waits for signals outlives the run.
    fn drop(&mut self) {
        locked(&self.held).locks.clear();
    }
}

fn signal(number: &AtomicUsize) -> Option<Signal> {
    let found = number.load(Ordering::SeqCst) as i32;
    let (number, name) = SIGNALS.into_iter().find(|(number, _)| *number == found)?;
    Some(Signal { number, name })
}

fn locked(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a signal, and ends the process if the update goes on for too long.
fn watch(number: &AtomicUsize, again: &AtomicBool, held: &Mutex<Held>) {
    let signal = loop {
        match signal(number) {
            Some(signal) => break signal,
            None => thread::sleep(LOOK),
        }
    };
    let start = Instant::now();
    if io::stderr().is_terminal() {
        // The progress is an open row.
        let _ = writeln!(io::stderr());
    }
    tell(&format!(
        "{}: the run ends after this update; once more ends it at once",
        signal.name
    ));
    thread::sleep(REPEATS);
    again.store(true, Ordering::SeqCst);
    thread::sleep(GRACE.saturating_sub(start.elapsed()));
    // Held until the process ends, so that the run does not go on meanwhile.
    let mut held = locked(held);
    if let Some(Kept { results, ended }) = held.kept.take() {
        let error = match write(&results) {
            Ok(()) => ended.by(signal),
            Err(error) => error,
        };
        held.locks.clear();
        tell(&error.to_string());
        process::exit(error.exit_code().into());
    }
}

/// Writes files. If one cannot be written, the others still are.
pub(super) fn write(results: &Results) -> Result<(), CliError> {
    let failures = results
        .iter()
        .filter_map(|(path, bytes)| files::write(path, bytes).err());
    match CliError::all(failures.collect()) {
        None => Ok(()),
        Some(error) => Err(error),
    }
}

/// A line on the standard error, whose terminal may have been closed.
pub(crate) fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "gym2600: {message}");
}

/// Whether the program was started with hangups ignored, as by `nohup`. A run goes on then.
#[cfg(unix)]
fn is_hangup_ignored(number: i32) -> bool {
    let ignores = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        Some(u64::from_str_radix(mask.trim(), 16).ok()? >> (number - 1) & 1 == 1)
    };
    // Only Linux tells.
    let is_hangup = number == signal_hook::consts::SIGHUP;
    is_hangup && std::fs::read_to_string("/proc/self/status").ok().and_then(ignores) == Some(true)
}

#[cfg(not(unix))]
fn is_hangup_ignored(_: i32) -> bool {
    false
}
