//! `gridlock man`

use super::output::Output;
use clap::Command;
use clap_mangen::Man as Page;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::report::exit_status::ExitStatus;
use serde_json::json;
use std::path::PathBuf;

/// Print a manual page, or write all of them
///
/// Pages are made from the help texts, in the notation of man(7).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock man | man -l -
  gridlock man check | man -l -
  gridlock man --out ~/.local/share/man/man1")]
pub struct Man {
    /// The page of this subcommand [default: that of the tool]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    of: Option<String>,
    /// Write the page of the tool and of each subcommand into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub fn run(self, mut tool: Command, output: &mut Output) -> Result<ExitStatus, InputError> {
        // Options for all commands stand in the page of each.
        tool.build();
        let shown: Vec<&Command> = tool
            .get_subcommands()
            .filter(|c| !c.is_hide_set())
            .collect();
        if let Some(dir) = &self.out {
            let mut pages = vec![("gridlock.1".to_owned(), page(&tool)?)];
            for command in shown.iter().filter(|command| command.get_name() != "help") {
                pages.push((format!("gridlock-{}.1", command.get_name()), page(command)?));
            }
            let files: Vec<(&str, &[u8])> = pages
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_slice()))
                .collect();
            let written = output.inputs().write_in(dir, &files)?;
            output.result(|_, _| String::new(), || json!({"files": written}));
            return Ok(ExitStatus::Reached);
        }
        let page = match &self.of {
            None => page(&tool)?,
            Some(name) => match shown.iter().find(|command| command.get_name() == name) {
                Some(command) => page(command)?,
                None => {
                    let known: Vec<&str> = shown.iter().map(|c| c.get_name()).collect();
                    return Err(InputError::usage(format!(
                        "there is no command `{name}`; there are {}",
                        known.join(", ")
                    )));
                }
            },
        };
        let page = String::from_utf8_lossy(&page).into_owned();
        output.result(|_, _| page.clone(), || json!({"page": page}));
        Ok(ExitStatus::Reached)
    }
}

fn page(command: &Command) -> Result<Vec<u8>, InputError> {
    let mut text = Vec::new();
    let name = command
        .get_display_name()
        .unwrap_or(command.get_name())
        .to_owned();
    let title = name.replace(' ', "-");
    let made = Page::new(command.clone()).title(title).render(&mut text);
    made.map_err(|e| InputError::new(ErrorKind::Internal, format!("the page of {name}: {e}")))?;
    Ok(text)
}
