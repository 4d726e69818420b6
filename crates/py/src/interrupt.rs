//! Lets Ctrl-C end long plays.
//!
//! Python notes a signal and handles it when its main thread is back in the interpreter. So a long play goes on in a thread of its own, and
//! the caller's thread looks for signals meanwhile.

use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// The time between two looks for signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// A step with fewer frames ends soon enough by itself.
pub(crate) const LONG: usize = 4_000;

/// Waits for a message. If a signal handler raises meanwhile, it sets `interrupt`, waits for the message, and gives the error too.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    from: &mut Receiver<T>,
    interrupt: &AtomicBool,
) -> (Option<T>, PyResult<()>) {
    let mut signal = Ok(());
    loop {
        let again = &mut *from;
        match py.detach(move || again.recv_timeout(INTERVAL)) {
            Ok(message) => return (Some(message), signal),
            Err(RecvTimeoutError::Disconnected) => return (None, signal),
            Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                signal = py.check_signals();
                interrupt.store(signal.is_err(), Ordering::Relaxed);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Calls `play` in a thread of its own, with `interrupt` set if a signal handler raises, whose error it then gives.
pub(crate) fn played<T: Send>(py: Python<'_>, interrupt: &AtomicBool, play: impl FnOnce() -> T + Send) -> PyResult<T> {
    thread::scope(|scope| {
        let (done, mut end) = mpsc::channel::<()>();
        let player = thread::Builder::new()
            .name("gym2600-step".into())
            .spawn_scoped(scope, move || {
                let _done = done;
                play()
            })?;
        let (_, signal) = wait(py, &mut end, interrupt);
        let result = py.detach(|| player.join());
        interrupt.store(false, Ordering::Relaxed);
        let result = result.unwrap_or_else(|payload| panic::resume_unwind(payload));
        signal.map(|()| result)
    })
}
