//! Memory that cannot be had is an error before it is taken.
//!
//! An allocation that fails in the native code ends the process. So what is made first asks for as much as it takes, and for what the older
//! ones take while they play.

use std::hint::black_box;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Bytes of a console with the caches and wrappers around it, but for observations.
const CONSOLE: usize = 384 << 10;

/// Observations that an environment keeps, those of its wrappers and of its last end among them.
const OBSERVATIONS: usize = 4;

/// Bytes that stay free: for compiled programs, and for what environments take when they are played.
const FREE: usize = 32 << 20;

/// Bytes of a thread: its stack.
const THREAD: usize = 2 << 20;

/// Checks that a console can be had.
pub(crate) fn check_console() -> PyResult<()> {
    check(CONSOLE, "a console")
}

/// Checks that `count` environments can be had, whose observations have so many bytes, and the threads that play them.
pub(crate) fn check_environments(count: usize, observation: usize, threads: usize) -> PyResult<()> {
    let bytes = count
        .saturating_mul(CONSOLE + OBSERVATIONS * observation)
        .saturating_add(threads.saturating_mul(THREAD));
    check(bytes, &format!("{count} environments"))
}

/// Checks that `bytes` can be had for what is named, and stay free besides.
pub(crate) fn check(bytes: usize, name: &str) -> PyResult<()> {
    let bytes = bytes.saturating_add(FREE);
    let mut memory = Vec::<u8>::new();
    let result = memory.try_reserve_exact(bytes);
    // Without it the compiler may leave the allocation out.
    black_box(&memory);
    result.map_err(|_| {
        PyMemoryError::new_err(format!(
            "there are no {bytes} bytes of memory for {name}: have fewer, or smaller observations"
        ))
    })
}
