//! The command line: reads options, calls the library, prints what it says.

mod cli;

use std::process::ExitCode;

/// Replays and the reference semantics share structure between states: many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os().collect()).code())
}
