//! Errors as Python's exceptions.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, TryLockError};

use gym2600_gym::{ErrorDetails, GymError};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    gym2600,
    EnvironmentLostError,
    PyRuntimeError,
    "A panic in the native code has ended an environment or a batch. Others play on."
);

/// The error of a call after a panic with this message.
pub(crate) fn lost(what: &str, message: &str) -> PyErr {
    EnvironmentLostError::new_err(format!(
        "{what} failed in the native code, and cannot go on: {message}; close it and make another"
    ))
}

/// An error in a value that the caller gave.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The error of values that the environment refused: the package's `RefusedError`, with the error's values as attributes.
pub(crate) fn refused(error: impl Into<GymError>) -> PyErr {
    let error = error.into();
    Python::attach(|py| refusal(py, &error).unwrap_or_else(|failure| failure))
}

fn refusal(py: Python<'_>, error: &GymError) -> PyResult<PyErr> {
    let ErrorDetails {
        option,
        path,
        line,
        column,
        wrapper,
        reason,
        ..
    } = error.details();
    let class = py.import("gym2600.errors")?.getattr("RefusedError")?;
    let values = (
        error.to_string(),
        error.code(),
        option,
        path,
        line,
        column,
        wrapper,
        reason,
    );
    Ok(PyErr::from_value(class.call1(values)?))
}

/// The error of a step: of the values, or of a step that needs a reset first.
pub(crate) fn step_error(error: GymError) -> PyErr {
    let inner = match &error {
        GymError::Lane { error, .. } => error,
        error => error,
    };
    match inner {
        GymError::ResetNeeded | GymError::EpisodeEnded => PyRuntimeError::new_err(error.to_string()),
        _ => refused(error),
    }
}

/// A value for one call. While another call has it, this is an error and not a wait: the other call may need the interpreter's lock, which
/// this one holds.
pub(crate) fn alone<'a, T>(value: &'a Mutex<T>, what: &str) -> PyResult<MutexGuard<'a, T>> {
    match value.try_lock() {
        Ok(value) => Ok(value),
        // What a panic leaves behind is the task of `job`.
        Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(format!(
            "{what} is used by one thread at a time, and another thread is in a call of it"
        ))),
    }
}

/// An array of the caller, to write to.
pub(crate) fn writable<'py>(array: &Bound<'py, PyArrayDyn<u8>>) -> PyResult<PyReadwriteArrayDyn<'py, u8>> {
    array.try_readwrite().map_err(value_error)
}

/// The bytes of an array of the caller, in C order.
pub(crate) fn bytes_of<'a>(array: &'a mut PyReadwriteArrayDyn<'_, u8>) -> PyResult<&'a mut [u8]> {
    array
        .as_slice_mut()
        .map_err(|_| value_error("the array is not contiguous"))
}
