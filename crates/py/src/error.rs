//! Errors as Python's exceptions.

use std::fmt::Display;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use gym2600_gym::{ErrorDetails, GymError};
use gym2600_learn::LearnError;
use numpy::{BorrowError, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    gym2600,
    EnvironmentLostError,
    PyRuntimeError,
    "A panic in the native code, or a fork during a call of another thread, has ended an environment or a batch. Others play on."
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
    refusal(&error.to_string(), error.code(), error.details())
}

/// As [`refused`], of what a policy refused.
pub(crate) fn refused_by_policy(error: LearnError) -> PyErr {
    refusal(&error.to_string(), error.code(), error.details())
}

fn refusal(message: &str, code: &str, details: ErrorDetails) -> PyErr {
    Python::attach(|py| refusal_in(py, message, code, details).unwrap_or_else(|failure| failure))
}

fn refusal_in(py: Python<'_>, message: &str, code: &str, details: ErrorDetails) -> PyResult<PyErr> {
    let ErrorDetails {
        option,
        path,
        line,
        column,
        wrapper,
        reason,
        ..
    } = details;
    let class = py.import("gym2600.errors")?.getattr("RefusedError")?;
    let values = (message, code, option, path, line, column, wrapper, reason);
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

/// A value that one call at a time uses.
pub(crate) struct Alone<T> {
    value: Mutex<T>,
    /// The process of the call that had it last.
    process: AtomicU32,
}

impl<T> Alone<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            process: AtomicU32::new(process::id()),
        }
    }

    /// The value for one call. While another call has it, this is an error and not a wait: the other call may need the interpreter's lock,
    /// which this one holds.
    pub(crate) fn get(&self, what: &str) -> PyResult<MutexGuard<'_, T>> {
        let value = match self.value.try_lock() {
            Ok(value) => value,
            // What a panic leaves behind is the task of `job`.
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            // The thread of that call stayed in the parent, so the call does not end here.
            Err(TryLockError::WouldBlock) if self.process.load(Ordering::Relaxed) != process::id() => {
                return Err(EnvironmentLostError::new_err(format!(
                    "{what} was in a call of another thread when this process was forked, and stays with its parent; make another"
                )));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err(format!(
                    "{what} is used by one thread at a time, and another thread is in a call of it"
                )));
            }
        };
        self.process.store(process::id(), Ordering::Relaxed);
        Ok(value)
    }
}

fn borrow_error(error: BorrowError) -> PyErr {
    match error {
        BorrowError::AlreadyBorrowed => {
            PyRuntimeError::new_err("the array is used by one call at a time, and another thread is in a call with it")
        }
        error => value_error(error),
    }
}

/// An array of the caller, to write to.
pub(crate) fn writable<'py>(array: &Bound<'py, PyArrayDyn<u8>>) -> PyResult<PyReadwriteArrayDyn<'py, u8>> {
    array.try_readwrite().map_err(borrow_error)
}

/// An array of the caller, to read.
pub(crate) fn readable<'py>(array: &Bound<'py, PyArray1<i64>>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    array.try_readonly().map_err(borrow_error)
}

/// The bytes of an array of the caller, in C order.
pub(crate) fn bytes_of<'a>(array: &'a mut PyReadwriteArrayDyn<'_, u8>) -> PyResult<&'a mut [u8]> {
    array
        .as_slice_mut()
        .map_err(|_| value_error("the array is not contiguous"))
}
