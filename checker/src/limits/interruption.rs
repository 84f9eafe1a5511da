//! Searches asked from outside to come to an end: as at a limit of time, with what they have found and a
//! checkpoint where one is kept.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// What a search that was asked says among the limits it met.
pub const INTERRUPTED: &str = "interrupted";

/// Asks every search of this process to end.
pub fn ask() {
    ASKED.store(true, Ordering::Relaxed);
}

/// Whether [`ask`] was called in this process.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
