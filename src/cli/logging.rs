//! Logs, on standard error, and the stages of long work, which the sign of life shows too.

use super::progress;
use std::io::IsTerminal;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt};

/// What a library says it is doing: `INFO` begins a stage, `DEBUG` is a step of it.
const STAGE: &str = "stage";

/// `-v`: what is being done, stage by stage; `-vv`: every detail. `GRIDLOCK_LOG` sets a filter of its own
/// (`checker=debug`).
pub fn start(verbosity: u8) {
    let level = match verbosity {
        0 => "error",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("GRIDLOCK_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .with_filter(filter);
    let stages = Stages.with_filter(filter_fn(|known| known.target() == STAGE));
    tracing_subscriber::registry()
        .with(lines)
        .with(stages)
        .init();
}

/// Shows stages where there is a sign of life.
struct Stages;

impl<S: Subscriber> Layer<S> for Stages {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut message = Message::default();
        event.record(&mut message);
        match *event.metadata().level() {
            Level::INFO => progress::stage(&message.0),
            _ => progress::step(&message.0),
        }
    }
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
