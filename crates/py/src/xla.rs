//! The handler behind the functions of `xla`: custom calls of XLA as calls of Python.
//!
//! A compiled program of JAX calls the handler with the buffers of a custom call and the attribute `call`, the number of a function. The handler
//! gives both to `gym2600.xla.called`, the buffers as views of their memory. There games play with the interpreter released, and write
//! into the buffers of the results. An error of Python becomes one of XLA.
//!
//! The structs are those of XLA's FFI, a stable interface of C, in `xla/ffi/api/c_api.h` of jaxlib's folder `include`. They are described up
//! to the last field that is needed. Each begins with its size in the caller's version, and one with fewer fields is refused. Within version
//! 0 these fields do not change, so the handler declares the minor version of its caller.
//!
//! What is unsafe here: XLA's pointers are followed, which are valid during the call, and Python gets views of the buffers. They are released
//! before the call returns, which fails if an array still uses them.

use std::ffi::{CString, c_char, c_int, c_void};
use std::{process, ptr, slice};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::job::caught;

/// The version of the interface that is declared if the caller does not say its own.
const VERSION: (c_int, c_int) = (0, 1);

/// Kinds of extensions and attributes, types of numbers, and codes of errors.
const METADATA: c_int = 1;
const SCALAR: c_int = 3;
const SIGNED_64: c_int = 5;
const INVALID_ARGUMENT: c_int = 3;
const INTERNAL: c_int = 13;

/// Python's flags of a view. pyo3 has them from version 3.11 of the interpreter on.
const READ: c_int = 0x100;
const WRITE: c_int = 0x200;

/// The size of a struct and its first extension.
#[repr(C)]
struct Head {
    size: usize,
    extension: *mut Extension,
}

#[repr(C)]
struct Extension {
    size: usize,
    kind: c_int,
    next: *mut Extension,
}

#[repr(C)]
struct Version {
    head: Head,
    major: c_int,
    minor: c_int,
}

#[repr(C)]
struct Metadata {
    size: usize,
    version: Version,
}

#[repr(C)]
struct MetadataExtension {
    base: Extension,
    metadata: *mut Metadata,
}

#[repr(C)]
struct ErrorArguments {
    head: Head,
    message: *const c_char,
    code: c_int,
}

#[repr(C)]
struct Api {
    head: Head,
    version: Version,
    internal: *const c_void,
    create_error: unsafe extern "C" fn(*mut ErrorArguments) -> *mut c_void,
}

#[repr(C)]
struct Buffer {
    head: Head,
    kind: c_int,
    data: *mut c_char,
    rank: i64,
    sizes: *const i64,
}

/// The arguments or the results of a call.
#[repr(C)]
struct Buffers {
    head: Head,
    count: i64,
    kinds: *const c_int,
    places: *const *const Buffer,
}

#[repr(C)]
struct Attributes {
    head: Head,
    count: i64,
    kinds: *const c_int,
    names: *const *const c_void,
    values: *const *const Scalar,
}

#[repr(C)]
struct Scalar {
    kind: c_int,
    value: *const i64,
}

#[repr(C)]
struct CallFrame {
    head: Head,
    api: *const Api,
    context: *mut c_void,
    stage: c_int,
    arguments: Buffers,
    results: Buffers,
    attributes: Attributes,
}

/// Why a call failed.
struct Failure {
    code: c_int,
    message: String,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self {
            code: INTERNAL,
            message,
        }
    }
}

impl Failure {
    fn of(py: Python<'_>, error: &PyErr) -> Self {
        let is_value = error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py);
        Self {
            code: if is_value { INVALID_ARGUMENT } else { INTERNAL },
            message: error.to_string(),
        }
    }
}

/// A struct of XLA, if it has all fields of `T`.
///
/// # Safety
/// `place` is null, or that of a struct which begins with its size and is valid during the call. If the size is that of `T` or more, it is a
/// `T`.
unsafe fn known<'call, T>(place: *const T, name: &str) -> Result<&'call T, String> {
    if place.is_null() {
        return Err(format!("XLA gives no {name}"));
    }
    // SAFETY: A struct begins with its size.
    let size = unsafe { place.cast::<usize>().read() };
    if size < size_of::<T>() {
        let needed = size_of::<T>();
        return Err(format!(
            "{name} of XLA has {size} bytes, and {needed} are needed: update jaxlib"
        ));
    }
    // SAFETY: It has all fields.
    Ok(unsafe { &*place })
}

/// A list of XLA.
///
/// # Safety
/// `first` is the place of `count` values, which are valid during the call, or `count` is 0.
unsafe fn list<'call, T>(first: *const T, count: i64) -> &'call [T] {
    match usize::try_from(count) {
        // SAFETY: The caller says so.
        Ok(count) if count > 0 => unsafe { slice::from_raw_parts(first, count) },
        _ => &[],
    }
}

/// The handler. Its result is null, or an error of XLA.
unsafe extern "C" fn handler(frame: *const CallFrame) -> *mut c_void {
    // SAFETY: XLA gives a call frame, whose first two fields and whose interface have been there from the first version on.
    let (extension, api) = unsafe { ((*frame).head.extension, (*frame).api) };
    // A panic must not get into XLA's code.
    let result = caught(|| {
        // SAFETY: XLA gives valid extensions.
        if unsafe { declared(extension, api) }? {
            return Ok(());
        }
        // SAFETY: XLA gives a valid frame.
        unsafe { call(frame) }
    });
    let Failure { code, message } = match result {
        Ok(Ok(())) => return ptr::null_mut(),
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::from(panic),
    };
    // SAFETY: XLA gives a valid interface.
    let Ok(api) = (unsafe { known(api, "the interface") }) else {
        // No error can be given, and null would say that the results are there.
        process::abort();
    };
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    let mut arguments = ErrorArguments {
        head: Head {
            size: size_of::<ErrorArguments>(),
            extension: ptr::null_mut(),
        },
        message: message.as_ptr(),
        code,
    };
    // SAFETY: The arguments are those of the function, which copies the message.
    unsafe { (api.create_error)(&raw mut arguments) }
}

/// Declares the version of the interface, if XLA asks for it in place of a call. Returns whether it does.
///
/// # Safety
/// `extension` and `api` are null or of XLA.
unsafe fn declared(extension: *mut Extension, api: *const Api) -> Result<bool, Failure> {
    // SAFETY: XLA gives valid extensions.
    if extension.is_null() || unsafe { (*extension).kind } != METADATA {
        return Ok(false);
    }
    // SAFETY: An extension of this kind is one of metadata.
    let metadata = unsafe { known(extension.cast::<MetadataExtension>(), "the extension") }?.metadata;
    // SAFETY: As above.
    unsafe { known(metadata, "the metadata") }?;
    // SAFETY: As above.
    let caller = unsafe { known(api, "the interface") }.map(|api| (api.version.major, api.version.minor));
    let (major, minor) = caller.ok().filter(|(major, _)| *major == VERSION.0).unwrap_or(VERSION);
    // SAFETY: XLA asks for these fields, which nothing else uses during the call.
    unsafe {
        (*metadata).version.major = major;
        (*metadata).version.minor = minor;
    }
    Ok(true)
}

/// Calls the function of Python.
///
/// # Safety
/// `frame` is a call frame of XLA.
unsafe fn call(frame: *const CallFrame) -> Result<(), Failure> {
    // SAFETY: The caller says so.
    let frame = unsafe { known(frame, "the call frame") }?;
    // SAFETY: The attributes are part of the frame.
    let number = unsafe { number(&frame.attributes) }?;
    let play = |py: Python<'_>| {
        let mut views = Vec::new();
        // SAFETY: The buffers are part of the frame.
        let (arguments, results) = unsafe {
            (
                arrays(py, &frame.arguments, READ, &mut views)?,
                arrays(py, &frame.results, WRITE, &mut views)?,
            )
        };
        let called = py.import("gym2600.xla")?.getattr("called")?;
        let result = called.call1((number, arguments, results)).map(drop);
        // The error has references to the arrays, so it is dropped before the views are released.
        let failure = result.err().map(|error| Failure::of(py, &error));
        let released = views.iter().try_for_each(|view| view.call_method0("release").map(drop));
        match failure {
            Some(failure) => Ok(Err(failure)),
            None => released.map(Ok),
        }
    };
    // There is no interpreter any more when the process ends.
    Python::try_attach(|py| play(py).unwrap_or_else(|error| Err(Failure::of(py, &error))))
        .unwrap_or_else(|| Err(Failure::from("Python has ended".to_owned())))
}

/// The attribute `call`, which is the only one.
///
/// # Safety
/// The attributes are those of a call under way.
unsafe fn number(attributes: &Attributes) -> Result<i64, String> {
    // SAFETY: Both have a place for each attribute.
    let (kinds, values) = unsafe {
        (
            list(attributes.kinds, attributes.count),
            list(attributes.values, attributes.count),
        )
    };
    if let ([SCALAR], [scalar]) = (kinds, values) {
        // SAFETY: The value of this kind is a scalar.
        let scalar = unsafe { &**scalar };
        if scalar.kind == SIGNED_64 {
            // SAFETY: The scalar is of this type.
            return Ok(unsafe { scalar.value.read() });
        }
    }
    Err("the attributes of the call are not the number of a function".into())
}

/// Views of the memory of buffers, each with the number of its type and its shape. The views themselves are added to `views`.
///
/// # Safety
/// The buffers are those of a call under way, and of results if `access` is that of writing.
unsafe fn arrays<'py>(
    py: Python<'py>,
    buffers: &Buffers,
    access: c_int,
    views: &mut Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let arrays = PyList::empty(py);
    // SAFETY: There is a place for each buffer. All arguments and results are buffers.
    for buffer in unsafe { list(buffers.places, buffers.count) } {
        // SAFETY: XLA gives valid buffers.
        let buffer = unsafe { known(*buffer, "a buffer") }.map_err(PyTypeError::new_err)?;
        // SAFETY: A buffer has a size for each of its axes.
        let sizes = unsafe { list(buffer.sizes, buffer.rank) };
        let width = match buffer.kind {
            // Bools and bytes.
            1 | 6 => 1,
            // Whole numbers and floats.
            4 | 11 => 4,
            kind => return Err(PyTypeError::new_err(format!("a buffer has the type {kind} of XLA"))),
        };
        let bytes = sizes.iter().product::<i64>() * width;
        // SAFETY: The buffer has this many bytes, and the view is released before the call returns.
        let view = unsafe {
            let view = ffi::PyMemoryView_FromMemory(buffer.data, bytes as isize, access);
            Bound::from_owned_ptr_or_err(py, view)?
        };
        arrays.append((&view, buffer.kind, PyTuple::new(py, sizes)?))?;
        views.push(view);
    }
    Ok(arrays)
}

/// The handler as `jax.ffi.register_ffi_target` takes it.
#[pyfunction]
pub(crate) fn xla_handler(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let place = handler as unsafe extern "C" fn(*const CallFrame) -> *mut c_void;
    // SAFETY: The capsule has a function's place, which is valid as long as the process.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(place as *mut c_void, ptr::null(), None)) }
}
