//! Why work cannot be done on a graphics card.

use std::ops::Range;

use thiserror::Error;

/// Why work cannot be done on a graphics card.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter of the kind asked for.
    #[error("there is no graphics card that computes by Vulkan, Metal or Direct3D 12{}", found(.software))]
    NoAdapter {
        /// The software adapters that were passed over.
        software: Vec<String>,
    },
    /// The adapter gives no device.
    #[error("{adapter} cannot be opened: {reason}")]
    Unusable {
        /// The adapter's name.
        adapter: String,
        /// What it says.
        reason: String,
    },
    /// A buffer would be larger than the device permits.
    #[error(
        "{what} would take {bytes} bytes of the graphics card, which permits {most}: use fewer games or shorter rollouts, or more minibatches"
    )]
    Limit {
        /// What it would hold.
        what: &'static str,
        /// Its size.
        bytes: u64,
        /// The device's limit.
        most: u64,
    },
    /// A size, a length or a place that cannot be.
    #[error("{what}: {given} {}", refused(.allowed))]
    Range {
        /// What it is.
        what: String,
        /// Its value.
        given: usize,
        /// What it may be.
        allowed: Range<usize>,
    },
    /// A layer whose ReLU the gradient does not fit.
    #[error("layer {layer}: each layer but the last needs a ReLU to learn, and the last none")]
    Relu {
        /// Its number, from 0.
        layer: usize,
    },
    /// The card's memory is full.
    #[error(
        "the graphics card has no memory left: use fewer games or shorter rollouts, or more minibatches ({reason})"
    )]
    Memory {
        /// What the driver says.
        reason: String,
    },
    /// The device was lost or failed. It computes no more.
    #[error("the graphics card was lost: {reason}")]
    Lost {
        /// What the driver says.
        reason: String,
    },
}

/// Checks a size, a length or a place.
///
/// # Errors
/// [`GpuError::Range`]
#[cfg(feature = "wgpu")]
pub(crate) fn within(what: impl Into<String>, given: usize, allowed: Range<usize>) -> Result<(), GpuError> {
    if allowed.contains(&given) {
        return Ok(());
    }
    let what = what.into();
    Err(GpuError::Range { what, given, allowed })
}

/// Checks the length of a list.
///
/// # Errors
/// [`GpuError::Range`]
#[cfg(feature = "wgpu")]
pub(crate) fn equal(what: impl Into<String>, given: usize, expected: usize) -> Result<(), GpuError> {
    within(what, given, expected..expected.saturating_add(1))
}

fn refused(allowed: &Range<usize>) -> String {
    match (allowed.start, allowed.end) {
        (start, end) if start >= end => "is refused, for there are none".to_owned(),
        (start, usize::MAX) => format!("is not {start} or more"),
        (start, end) if start + 1 == end => format!("is not {start}"),
        (start, end) => format!("is not from {start} to {}", end - 1),
    }
}

fn found(software: &[String]) -> String {
    if software.is_empty() {
        return String::new();
    }
    format!(", only software: {}", software.join(", "))
}
