//! The command line: reads options, calls the library, prints what it says.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os().collect()).code())
}
