//! `gridlock device-runner`: the child process that runs kernels on a device, so that a hang is
//! killed and a crash is a result.

use gridlock::input::error::{ErrorKind, InputError};
use gridlock::report::exit_status::ExitStatus;
use gridlock_lowering::device::runner;

/// Run a job from standard input on a device (for the tool's own use)
#[derive(Debug, clap::Args)]
pub struct DeviceRunner {}

impl DeviceRunner {
    pub fn run(self) -> Result<ExitStatus, InputError> {
        runner::serve(std::io::stdin().lock(), std::io::stdout().lock())
            .map_err(|e| InputError::new(ErrorKind::File, format!("the streams: {e}")))?;
        Ok(ExitStatus::Reached)
    }
}
