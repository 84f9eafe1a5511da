//! `gridlock summarise`

use super::judging::{LimitOptions, ProfileOptions};
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::worker;
use gridlock::input::error::InputError;
use gridlock::input::request::Request;
use gridlock::judge::summary::of_file;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use std::path::PathBuf;

/// Say what a kernel leaves at a launch: a formula over its inputs for each cell, one for all that are alike
///
/// The launch is run once on unknown inputs: contents of arrays and arguments that are not given. What cannot be
/// followed so (addresses and loops that hang on what is unknown, in part) is named; an argument that is given is a
/// number. Exit status 0 where every schedule leaves what is shown, for all inputs; 3 where that is not proved.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock summarise sum.cu --grid 4 --block 64
  gridlock summarise stencil.cu --kernel step --grid 2 --block 32 --arg n=64
  gridlock summarise product.cu --grid 2,2 --block 16,16 --arg n=32 --format json")]
pub struct Summarise {
    /// CUDA C++, OpenCL C or scheme source
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    profile: ProfileOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

impl Summarise {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: self.profile.profile(&self.file)?,
            limits: self.limits.limits()?,
            until: self.limits.until(),
            told: worker::told(),
            ..Request::default()
        };
        output.reads([self.file.as_path()]);
        self.profile.read_by(output);
        let parse = self.source.parse_options_within(&request.limits);
        let progress = Progress::start("summarising", None);
        let entry = self.entry.request()?;
        let (summarised, subject) = of_file(&self.file, &parse, &entry, &request)?;
        drop(progress);
        output.speak_of(&self.file);
        output.result(
            |_, style| render::summary::text(&summarised, &subject, &request, style),
            || render::summary::json(&summarised, &subject, &request),
        );
        Ok(match summarised.open {
            None => ExitStatus::Reached,
            Some(_) => ExitStatus::NotReached,
        })
    }
}
