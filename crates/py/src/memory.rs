//! Memory that cannot be had is an error before it is taken.
//!
//! An allocation that fails in the native code ends the process. So a batch or a console first asks for as much as it takes.

use std::hint::black_box;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Bytes of a console with the caches and wrappers around it, but for observations.
const CONSOLE: usize = 384 << 10;

/// Observations that an environment keeps, those of its wrappers and of its last end among them.
const OBSERVATIONS: usize = 4;

/// Bytes that a call takes beside its environments.
const CALL: usize = 1 << 20;

/// Checks that `count` environments can be had, whose observations have so many bytes.
pub(crate) fn check(count: usize, observation: usize) -> PyResult<()> {
    let bytes = count
        .saturating_mul(CONSOLE + OBSERVATIONS * observation)
        .saturating_add(CALL);
    let mut memory = Vec::<u8>::new();
    let result = memory.try_reserve_exact(bytes);
    // Without it the compiler may leave the allocation out.
    black_box(&memory);
    result.map_err(|_| {
        PyMemoryError::new_err(format!(
            "there are no {bytes} bytes of memory for {count} environments: make fewer, or with smaller observations"
        ))
    })
}
