//! `gridlock profiles`

use super::output::Output;
use gridlock::input::error::InputError;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use gridlock_semantics::profile::Profile;
use serde_json::{Value, json};

/// List the profiles: every choice the semantics leaves open, by name
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock profiles
  gridlock profiles cuda lockstep-warp
  gridlock profiles --format json > my-profiles.json

A profile of your own is a TOML or JSON file with `name` and every axis, given with
--profile FILE; the `axes` of the JSON listing are the place to start from.")]
pub struct Profiles {
    /// Only these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

impl Profiles {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let chosen: Vec<Profile> = match self.names.is_empty() {
            true => Profile::all(),
            false => self
                .names
                .iter()
                .map(|name| gridlock::input::profiles::find(name))
                .collect::<Result<_, _>>()?,
        };
        output.result(
            |_, style| render::profiles::profiles(&chosen, style),
            || {
                let all: Vec<Value> = chosen.iter().map(render::json::profile).collect();
                json!({ "profiles": all })
            },
        );
        Ok(ExitStatus::Reached)
    }
}
