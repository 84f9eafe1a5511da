//! Logs, on standard error.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// `-v`: what is being done; `-vv`: every detail. `GRIDLOCK_LOG` sets a filter of its own
/// (`checker=debug`).
pub fn start(verbosity: u8) {
    let level = match verbosity {
        0 => "error",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("GRIDLOCK_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
}
