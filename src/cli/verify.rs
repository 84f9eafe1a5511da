//! `gridlock verify`

use super::judging::LimitOptions;
use super::output::Output;
use super::progress::Progress;
use super::supervised::{Bounds, Established, worker};
use gridlock::input::error::InputError;
use gridlock::pipeline::format::PipelineFile;
use gridlock::pipeline::report::PipelineReport;
use gridlock::pipeline::{PipelineOptions, verify_with};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render::pipeline;
use std::path::PathBuf;

/// Apply rules to a program step by step, judge each step, lower the result and run it
///
/// The pipeline file (TOML) names the source, the steps with the verdict expected of each, and
/// what to lower and run. Exit status 0 when everything came out as expected. `passed` is met by
/// `proved`; an expectation of `refuted` names its kind.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock verify examples/tree-sum/pipeline.toml
  gridlock verify examples/tree-sum/pipeline.toml --out out --format json
  gridlock verify examples/tree-sum/search.toml
  gridlock verify pipeline.toml --keep-going
  gridlock verify pipeline.toml --run-devices
  gridlock verify pipeline.toml --write kernels")]
pub struct Verify {
    /// Pipeline file
    pipeline: PathBuf,
    /// Write each step's program, diff, verdicts and witnesses, lowered programs and the report here
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the lowered programs here if everything came out as expected
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Go on after a step that did not come out as expected
    #[arg(long)]
    keep_going: bool,
    /// Leave out where rules were applied and how the program changed
    #[arg(long)]
    brief: bool,
    /// Run the lowered program on the devices that the pipeline names: its kernels run natively on this machine
    #[arg(long)]
    run_devices: bool,
    /// Write a page with the steps, what they changed, and the schedules of what is refuted; it stands alone
    /// and opens in any browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
}

/// Seconds of a pipeline nobody limits: a day.
const WITHOUT_LIMIT: f64 = 86_400.0;

impl Verify {
    /// How long a pipeline takes nobody knows who has not said so: its steps and cases have the seconds.
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        let bounds = self.limits.bounds()?;
        Ok(Bounds {
            seconds: if bounds.each {
                WITHOUT_LIMIT
            } else {
                bounds.seconds
            },
            each: false,
            ..bounds
        })
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        output.reads([self.pipeline.as_path()]);
        output.writes(&self.html)?;
        let options = PipelineOptions {
            out: self.out,
            write: self.write,
            run_devices: self.run_devices,
            inputs: output.inputs().clone(),
            also_writes: self.html.clone(),
            keep_going: self.keep_going,
            limits: self.limits.limits()?,
            until: self.limits.until(),
            child: std::env::current_exe().ok(),
        };
        let file = PipelineFile::load(&self.pipeline)?;
        let style = output.style();
        output.line(pipeline::head(&file.name, &file.story, &style).trim_end());
        let progress = Progress::start("judging", None);
        let mut so_far = PipelineReport::begun(&file, &self.pipeline);
        let report = verify_with(&self.pipeline, &options, &mut |step| {
            so_far.steps.push(step.clone());
            worker::establish(|| Established::Report(pipeline::json(&so_far)));
            progress.suspend(|| {
                let text = pipeline::step(step, self.brief, &mut output.sources, &style);
                output.line(text.trim_end_matches('\n'));
            });
        })?;
        drop(progress);
        if let Some(path) = &self.html {
            let page = pages::of_pipeline(&report, &mut output.sources);
            output.write_or_note(path, page.html());
        }
        if let Some(out) = &options.out {
            let text = serde_json::to_string_pretty(&pipeline::json(&report)).unwrap_or_default();
            let text = text + "\n";
            output
                .inputs()
                .write_in(out, &[("report.json", text.as_bytes())])?;
        }
        output.result(
            |_, style| pipeline::conclusion(&report, style),
            || pipeline::json(&report),
        );
        Ok(output.status(ExitStatus::of_expectations(report.as_expected)))
    }
}
