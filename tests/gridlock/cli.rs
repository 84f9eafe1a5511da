//! The command line as a user meets it: errors of every kind, exit statuses, output channels.

mod commands;
mod errors;
mod output;
mod rewriting;
mod unsupported;
mod verdicts;

const FILL: &str = "tests/input/fill.cu";
