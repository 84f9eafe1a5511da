//! `gridlock replay`

use super::output::Output;
use super::stepping;
use super::subject::SourceOptions;
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::InputError;
use gridlock::render::replay::{Columns, json as replay_json};
use gridlock::witness;
use std::path::PathBuf;

/// Step through a witness: one column a thread, one row a step
///
/// Exit status 0 when the defect shows again, 3 when it does not, 2 when the witness no longer
/// fits its program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock check kernel.cu --grid 1 --block 64 --save-witness w.json
  gridlock replay w.json
  gridlock replay w.json --step
  gridlock replay w.json --all --format json")]
pub struct ReplayCommand {
    /// A witness that --save-witness or --witness-dir wrote
    witness: PathBuf,
    /// Stop after each step and wait for a key: n next, p previous, j N jump to step N, q quit
    #[arg(long)]
    step: bool,
    /// Show private steps too (computations no other thread can see)
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    source: SourceOptions,
}

impl ReplayCommand {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let witness = witness::read(&self.witness)?;
        let replay = witness::follow(&witness, &self.source.parse_options())?;
        let status = match replay.reproduced {
            true => ExitStatus::Reached,
            false => ExitStatus::NotReached,
        };
        if self.step && !output.is_json() {
            let style = output.style();
            let columns = Columns::new(&witness, &replay, self.all, style);
            stepping::step_through(&columns, output);
            return Ok(status);
        }
        output.result(
            |_, style| Columns::new(&witness, &replay, self.all, *style).listing(),
            || replay_json(&witness, &replay),
        );
        Ok(status)
    }
}
