//! Why work cannot be done on a graphics card.

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

fn found(software: &[String]) -> String {
    if software.is_empty() {
        return String::new();
    }
    format!(", only software: {}", software.join(", "))
}
