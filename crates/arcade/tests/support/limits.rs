//! How long tests may take before they count as hung.

use std::time::Duration;

/// A limit far above what a test takes on an idle machine. `GYM2600_TEST_TIMEOUT_SCALE` stretches it on slow or busy ones.
pub fn hang(limit: Duration) -> Duration {
    let scale = std::env::var("GYM2600_TEST_TIMEOUT_SCALE").ok();
    limit.mul_f64(scale.and_then(|scale| scale.parse().ok()).unwrap_or(1.0))
}
