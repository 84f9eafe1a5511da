//! Signals to the supervisor: to end (SIGINT, SIGTERM, SIGHUP), and to stop for a while from the terminal.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What was asked of this process by signals.
#[derive(Debug, Default)]
pub struct Asked {
    end: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Asked {
    /// Signals that this process was started to ignore (`nohup`, a job in the background) stay ignored.
    pub fn listen() -> Asked {
        let asked = Asked::default();
        let ignored = ignored();
        let heeded = |signal: i32| ignored >> (signal - 1) & 1 == 0;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if heeded(signal) {
                // One that cannot be listened to ends this process, and with it the worker.
                let _ = flag::register_usize(signal, Arc::clone(&asked.end), signal as usize);
            }
        }
        if heeded(SIGTSTP) {
            let _ = flag::register(SIGTSTP, Arc::clone(&asked.stop));
        }
        asked
    }

    /// The signal that asked to end.
    pub fn end_was_asked(&self) -> Option<i32> {
        match self.end.load(Ordering::SeqCst) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }

    /// What comes from now on is another signal.
    pub fn forget(&self) {
        self.end.store(0, Ordering::SeqCst);
    }

    /// Whether to stop was asked since the last time.
    pub fn stop_was_asked(&self) -> bool {
        self.stop.swap(false, Ordering::SeqCst)
    }
}

/// Stops this process until it is continued.
pub(super) fn stop() {
    let _ = low_level::emulate_default_handler(SIGTSTP);
}

/// The set of ignored signals, signal n as bit n - 1; empty where the system does not tell.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok())
        .unwrap_or(0)
}
