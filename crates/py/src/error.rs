//! Errors as Python's exceptions.

use std::fmt::Display;

use numpy::PyReadwriteArrayDyn;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An error in a value that the caller gave.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The bytes of an array of the caller, in C order.
pub(crate) fn bytes_of<'a>(array: &'a mut PyReadwriteArrayDyn<'_, u8>) -> PyResult<&'a mut [u8]> {
    array
        .as_slice_mut()
        .map_err(|_| value_error("the array is not contiguous"))
}
