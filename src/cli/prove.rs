//! `gridlock prove`

use super::given::ProjectOptions;
use super::judging::{LimitOptions, ProfileOptions};
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort, worker};
use super::witness_files::WitnessOptions;
use gridlock::input::error::InputError;
use gridlock::input::request::{Request, Sampling, parse_property, parse_requirement};
use gridlock::judge::check::{check_file, empty_judgement};
use gridlock::pipeline::rewriting::rule_system;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render;
use gridlock_transforms::rules::RuleSystem;
use std::path::{Path, PathBuf};

/// Prove properties of kernels for all inputs, and for all launches where none is given
///
/// What is sampled does not count here: a property is `proved`, `refuted` by a model of the
/// solver that was replayed, or `unknown`. Of a rule system (a .rules file, or a system of the
/// library by name) it says what is proved of each rule; no proof of rules exists yet, so each is
/// `unknown` and its every application is judged where it is used.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock prove kernel.cu
  gridlock prove kernel.cu --kernel scale --extent a=n --property races,bounds
  gridlock prove kernel.cu --grid 4 --block 64 --require all-inputs
  gridlock prove shared-memory")]
pub struct Prove {
    /// CUDA C++ or C source, or a rule system
    #[arg(value_name = "FILE|RULES")]
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    /// Properties to prove, separated by commas [default: all whose premises are there]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAMES",
        help_heading = "How to judge"
    )]
    property: Vec<String>,
    /// What must be established for exit status 0: `sizes` or `all-inputs` [default: `sizes`,
    /// with a launch `all-inputs`]
    #[arg(long, value_name = "LEVEL", help_heading = "How to judge")]
    #[arg(value_parser = ["sizes", "all-inputs"])]
    require: Option<String>,
    #[command(flatten)]
    profile: ProfileOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
}

impl Prove {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        self.limits.bounds()
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        let empty = empty_judgement(&self.request()?);
        Ok(supervised::judgement(
            short,
            empty,
            &self.witnesses.read_as(&self.source.parse_options()),
            output,
        ))
    }

    fn request(&self) -> Result<Request, InputError> {
        let of = self.project.of(&self.file)?;
        let names = self.property.iter();
        let properties: Vec<_> = names
            .map(|name| parse_property(name.trim()))
            .collect::<Result<_, _>>()?;
        let request = Request {
            profile: self.profile.profile(&self.file)?,
            sampling: Sampling {
                all_only: true,
                ..Sampling::default()
            },
            properties: (!properties.is_empty()).then_some(properties),
            limits: self.limits.limits()?,
            until: self.limits.until(),
            told: worker::told(),
            ..Request::default()
        };
        let profile = &self.profile;
        Ok(of.request(request, profile.profile.is_some(), profile.cooperative))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        if let Some(system) = self.rule_system()? {
            output.result(
                |_, style| render::rule_status::rule_status(&system, style),
                || render::rule_status::json(&system),
            );
            return Ok(ExitStatus::NotReached);
        }
        output.reads([self.file.as_path()]);
        self.profile.read_by(output);
        self.witnesses.check(output)?;
        let of = self.project.of(&self.file)?;
        let entry = of.entry(self.entry.request()?);
        let request = self.request()?;
        let level = match (&self.require, entry.launch.is_given()) {
            (Some(level), _) => level.as_str(),
            (None, true) => "all-inputs",
            (None, false) => "sizes",
        };
        let requirement = parse_requirement(level)?;
        let progress = Progress::start(&format!("proving {}", self.file.display()), None);
        let parse = of.options(self.source.parse_options_within(&request.limits));
        let mut judgement = check_file(&self.file, &parse, &entry, &request)?;
        of.note(&mut judgement);
        drop(progress);
        let hint = self
            .witnesses
            .clone()
            .read_as(&parse)
            .save(&judgement.defects, output);
        let runs = match output.wants_runs() || self.witnesses.html.is_some() {
            true => pages::runs(&judgement.defects, &mut |_| parse.clone()),
            false => Vec::new(),
        };
        self.witnesses.write_page(&judgement, &runs, &hint, output);
        output.judged(
            &judgement,
            &runs,
            |sources, style| render::text::judgement(&judgement, &hint, sources, style),
            || render::json::judgement(&judgement),
        );
        Ok(output.status(ExitStatus::of_judgement(&judgement, requirement)))
    }

    /// The rule system named, if it is one: by the ending of the file, or by its name in the
    /// library where there is no such file.
    fn rule_system(&self) -> Result<Option<RuleSystem>, InputError> {
        let name = self.file.display().to_string();
        let in_library = !self.file.exists() && RuleSystem::built_in_names().any(|n| n == name);
        match in_library || name.ends_with(".rules") {
            true => rule_system(&name, Path::new("")).map(Some),
            false => Ok(None),
        }
    }
}
