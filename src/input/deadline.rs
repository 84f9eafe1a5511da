//! Until when a judgement may work.

use std::time::Instant;

/// The last moment a judgement may work until.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// By the monotonic clock.
    pub end: Instant,
}

impl Deadline {
    /// So many seconds from now; at most some thirty years.
    pub fn after(seconds: f64) -> Deadline {
        let seconds = std::time::Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9));
        Deadline {
            end: Instant::now() + seconds.unwrap_or_default(),
        }
    }

    /// Seconds left, at least 0.
    pub fn left(&self) -> f64 {
        self.end
            .saturating_duration_since(Instant::now())
            .as_secs_f64()
    }
}
