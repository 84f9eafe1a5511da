//! `gridlock completions`

use super::output::Output;
use clap::Command;
use clap_complete::Shell;
use gridlock::input::error::InputError;
use gridlock::report::exit_status::ExitStatus;
use serde_json::json;

/// Print the completions of a shell
///
/// They are made from the definitions of the command line, so they know every option and its values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock completions bash > ~/.local/share/bash-completion/completions/gridlock
  gridlock completions zsh > ~/.zfunc/_gridlock
  gridlock completions fish > ~/.config/fish/completions/gridlock.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut tool: Command, output: &mut Output) -> Result<ExitStatus, InputError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut tool, "gridlock", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        output.result(|_, _| script.clone(), || json!({"script": script}));
        Ok(ExitStatus::Reached)
    }
}
