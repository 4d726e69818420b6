//! Lets a process fork only while no environment plays.
//!
//! A child of `fork` has its parent's memory, and of its threads only the one that forked. In the child a lock that another thread held
//! stays locked, and a program that another thread was compiling stays interpreted. So whatever plays without the interpreter's lock
//! holds the gate open. `before_fork` closes it, which waits for all of these, and then for the compile threads.
//!
//! Invariant: a thread that waits for the gate to open does not hold the interpreter's lock, which the forking thread may need.

use std::cell::Cell;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use pyo3::prelude::*;

static GATE: RwLock<()> = RwLock::new(());

thread_local! {
    /// The closed gate, between `before_fork` and `after_fork` of this thread.
    static CLOSED: Cell<Option<RwLockWriteGuard<'static, ()>>> = const { Cell::new(None) };
}

/// Holds the gate open. The caller does not hold the interpreter's lock.
pub(crate) fn open() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `play` without the interpreter's lock and with the gate open.
pub(crate) fn detached<T: Send>(py: Python<'_>, play: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        let _open = open();
        play()
    })
}

/// Waits until no environment plays and no program is compiled, and lets none begin until `after_fork`.
#[pyfunction]
pub(crate) fn before_fork(py: Python<'_>) {
    // Another thread may fork now: it waits for the gate, and this one needs the interpreter's lock to open it.
    py.detach(|| {
        CLOSED.set(Some(GATE.write().unwrap_or_else(PoisonError::into_inner)));
        gym2600_native::finish_jobs();
    });
}

/// Opens the gate, in the parent and in the child.
#[pyfunction]
pub(crate) fn after_fork() {
    CLOSED.take();
}
