//! `gridlock check`

use super::check_several::{Several, SeveralOptions};
use super::given::{self, Given, ProjectOptions, STDIN, STDIN_SHOWN, Source};
use super::judging::JudgeOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort, Established, standard_input, worker};
use super::watched::Watch;
use super::witness_files::WitnessOptions;
use gridlock::input::deadline::Deadline;
use gridlock::input::error::InputError;
use gridlock::input::request::{Request, Requirement};
use gridlock::judge::check::{check_parsed, empty_judgement};
use gridlock::judge::preconditions::{self, Options, Vary};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render;
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, Parsed};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Judge kernels: races, barriers, deadlock, bounds, uninitialised reads, arithmetic, assertions
///
/// With nothing but a file, every kernel in it and every property is judged. With a launch (by
/// --grid and --block, by a header comment or by host code in the file) that launch is judged;
/// without one, every launch, and where that cannot be decided a ladder of small launches. A
/// defect is reported only after it has been replayed.
///
/// Of several files, or a folder, each is judged by itself: reports of those with a defect come first,
/// then a line for each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock check kernel.cu
  gridlock check src kernels/a.cu
  gridlock check kernel.cu --kernel scan --grid 2 --block 64 --arg n=100 --extent a=n
  gridlock check kernel.cu --property races,divergence --profile lockstep-warp
  gridlock check kernel.cu --grid 1 --block 64 --save-witness w.json; gridlock replay w.json
  gridlock check kernel.cu --require sizes --format json
  gridlock check kernel.cu --explain-conditions
  gridlock check kernel.cu --explain-conditions --vary block=1..64 --vary n=0..100 --extent a=n
  gridlock check -- nvcc -I include -DN=4 -c kernel.cu
  gridlock check --compile-commands build
  generate | gridlock check - --block 64")]
pub struct Check {
    /// Sources of CUDA C++, OpenCL C, C or schemes, folders with .cu and .cl files, or `-` for standard
    /// input; without any, what gridlock.toml or --compile-commands names
    #[arg(value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// After `--`: a compiler's command line, of which the sources and how they are read are taken
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    #[command(flatten)]
    several: SeveralOptions,
    #[command(flatten)]
    entry: EntryOptions,
    /// Properties to judge, separated by commas: races, divergence, deadlock, bounds,
    /// uninitialised-reads, arithmetic, assertions, host [default: all whose premises are there]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAMES",
        help_heading = "How to judge"
    )]
    property: Vec<String>,
    #[command(flatten)]
    judge: JudgeOptions,
    #[command(flatten)]
    conditions: ConditionOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    project: ProjectOptions,
    /// What standard input is called in reports; the extension says its language [default: <stdin>, CUDA C++]
    #[arg(long, value_name = "NAME", help_heading = "Reading the source")]
    stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    witnesses: WitnessOptions,
    /// Judge again whenever a source, or a header beside it or in a folder of -I, changes; Ctrl-C ends
    #[arg(long)]
    watch: bool,
}

/// Which launches to tell apart.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What must hold")]
struct ConditionOptions {
    /// Judge each kernel at many launches and arguments, say which are safe, and the simplest
    /// condition that tells them from the others; prove, if possible, that it suffices
    #[arg(long)]
    explain_conditions: bool,
    /// Values to try: `block=1..64`, `grid.y=1,2,4`, `n=0..100:5` (a scalar parameter), or for a
    /// pointer parameter its number of elements; both ends are included. What is neither varied
    /// nor fixed by --grid, --block or --arg takes values chosen from the kernel (repeatable)
    #[arg(long, value_name = "NAME=VALUES", requires = "explain_conditions")]
    vary: Vec<String>,
    /// Launches judged at most, for each kernel; --limit-seconds bounds their time
    #[arg(
        long,
        value_name = "N",
        default_value_t = Options::default().points,
        requires = "explain_conditions"
    )]
    vary_points: usize,
    /// Exit with 0 where a kernel whose launch is not known is right under the conditions shown (`conditional`), as where
    /// it is right without
    #[arg(long)]
    accept_conditions: bool,
    /// Refute a kernel by a defect at any launch, one too that a condition excludes
    #[arg(long, conflicts_with = "accept_conditions")]
    no_conditions: bool,
    /// Speak of launches with more than 2^27 threads in a dimension, too, where what may go wrong needs more than can be
    /// run (an index that wraps around); else such a bound is printed as an assumption
    #[arg(long)]
    large_launches: bool,
}

impl ConditionOptions {
    fn options(&self) -> Result<Option<Options>, InputError> {
        if self.vary_points == 0 {
            return Err(InputError::usage("--vary-points 0: a number above 0"));
        }
        let vary: Vec<Vary> = self
            .vary
            .iter()
            .map(|text| Vary::parse(text))
            .collect::<Result<_, _>>()?;
        let names: BTreeSet<&str> = vary.iter().map(|v| &*v.name).collect();
        if names.len() < vary.len() {
            return Err(InputError::usage("--vary: the same name twice"));
        }
        Ok(self.explain_conditions.then_some(Options {
            vary,
            points: self.vary_points,
        }))
    }
}

impl Check {
    /// The one source; `None`: several.
    fn one(&self) -> Result<Option<Source>, InputError> {
        if let Some((path, number)) = self.several.alone() {
            let source = given::alone(&path, number, &self.command, &self.project)?;
            return Ok(Some(source));
        }
        Ok(
            match given::find(&self.files, &self.command, &self.project)? {
                Given::One(source) => Some(*source),
                Given::Several(_) => None,
            },
        )
    }

    /// `None`: a process for each source has its own.
    pub fn bounds(&self) -> Result<Option<Bounds>, InputError> {
        let bounds = self.judge.limits.bounds()?;
        Ok(self.one()?.map(|_| bounds))
    }

    pub fn watch(&self) -> Option<Watch> {
        let mut paths = self.files.clone();
        if let (true, Ok(given)) = (
            paths.is_empty(),
            given::find(&self.files, &self.command, &self.project),
        ) {
            paths = match given {
                Given::One(source) => vec![source.path],
                Given::Several(sources) => sources.into_iter().map(|source| source.path).collect(),
            };
        }
        paths.extend(self.source.includes.iter().cloned());
        self.watch.then_some(Watch { paths })
    }

    pub fn reads_standard_input(&self) -> bool {
        let only = matches!(self.files.as_slice(), [only] if only.as_os_str() == STDIN);
        only && self.several.alone().is_none()
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        let Some(source) = self.one()? else {
            return Ok(supervised::nothing(short, output));
        };
        let request = self.request(&source)?;
        let empty = empty_judgement(&request);
        Ok(supervised::judgement(
            short,
            empty,
            &self.witnesses.read_as(&self.source.parse_options()),
            output,
        ))
    }

    /// The file whose extension says the language.
    fn of_language<'s>(&'s self, source: &'s Source) -> &'s Path {
        match (self.reads_standard_input(), &self.stdin_filename) {
            (true, Some(name)) => name,
            _ => &source.path,
        }
    }

    fn request(&self, source: &Source) -> Result<Request, InputError> {
        let request = self
            .judge
            .request(self.of_language(source), &self.property)?;
        let profile = &self.judge.profile;
        Ok(source
            .of
            .request(request, profile.profile.is_some(), profile.cooperative))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        match self.one()? {
            Some(source) => self.run_one(&source, output),
            None => {
                let Given::Several(sources) =
                    given::find(&self.files, &self.command, &self.project)?
                else {
                    return Err(InputError::usage("nothing to judge"));
                };
                self.witnesses.allow_several()?;
                output.reads(sources.iter().map(|source| source.path.as_path()));
                self.witnesses.check(output)?;
                let several = Several {
                    options: &self.several,
                    sources,
                    html: self.witnesses.html.as_deref(),
                };
                several.run(output)
            }
        }
    }

    /// Reads the source; `<stdin>` or its name, and what was read.
    fn read(
        &self,
        source: &Source,
        parse: &ParseOptions,
        output: &mut Output,
    ) -> Result<(String, Parsed), InputError> {
        if !self.reads_standard_input() {
            let parsed = gridlock::input::source::parse(&source.path, parse)?;
            return Ok((source.path.display().to_string(), parsed));
        }
        let named = self.stdin_filename.as_deref();
        let shown = named.map_or(STDIN_SHOWN.to_owned(), |name| name.display().to_string());
        let language = parse.language.or_else(|| named.and_then(Language::of_file));
        let text = standard_input::text().map_err(|e| e.in_file(&shown))?;
        output.sources.insert(&shown, &text);
        let language = language.unwrap_or(Language::Cuda);
        let parsed = gridlock::input::source::parse_text(&shown, &text, language, parse)?;
        Ok((shown, parsed))
    }

    fn run_one(&self, source: &Source, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            conditional: !self.conditions.no_conditions,
            large_launches: self.conditions.large_launches,
            ..self.request(source)?
        };
        let requirement = Requirement {
            accepts_conditions: self.conditions.accept_conditions,
            ..self.judge.requirement()?
        };
        output.reads([source.path.as_path()]);
        output.reads(source.of.file());
        self.judge.profile.read_by(output);
        let witnesses = match self.several.alone() {
            Some((path, _)) => self.witnesses.of(&path),
            None => self.witnesses.clone(),
        };
        witnesses.check(output)?;
        let entry = source.of.entry(self.entry.request()?);
        let options = self.conditions.options()?;
        if options.is_some() && self.reads_standard_input() {
            let message = "--explain-conditions needs a file: standard input is read once";
            return Err(InputError::usage(message));
        }
        let mut parse = source
            .of
            .options(self.source.parse_options_within(&request.limits));
        parse.choose_instances = true;
        let progress = Progress::start(&format!("judging {}", source.path.display()), None);
        let judging = match (&options, &request.until) {
            // Half of the time is for what must hold.
            (Some(_), Some(until)) => Request {
                until: Some(Deadline::after(until.left() / 2.0)),
                ..request.clone()
            },
            _ => request.clone(),
        };
        let (shown, parsed) = self.read(source, &parse, output)?;
        let asked = options.as_ref().map(|options| {
            preconditions::Asked::new(&shown, parsed.clone(), &entry, &request, options)
        });
        let asked = asked.transpose()?;
        let program = self.reads_standard_input().then(|| parsed.program.clone());
        let mut judgement = check_parsed(&shown, parsed, &entry, &judging)?;
        source.of.note(&mut judgement);
        if let Some(program) = program {
            // There is no file from which a replay could read it.
            let witnesses = judgement.defects.iter_mut().flat_map(|d| &mut d.witness);
            witnesses.for_each(|witness| witness.program = Some(program.clone()));
        }
        if options.is_some() {
            worker::establish(|| Established::Whole(Box::new(judgement.clone())));
        }
        let explained = options.as_ref().zip(asked).map(|(options, asked)| {
            asked.explain(&request, options, &mut |what| {
                progress.say(&format!("judging {what}"));
            })
        });
        drop(progress);
        output.speak_of(self.of_language(source));
        let excluded = || {
            judgement
                .conditions
                .iter()
                .map(|c| c.defect.clone())
                .collect()
        };
        let saved = match judgement.verdict {
            Verdict::Conditional => excluded(),
            _ => judgement.defects.clone(),
        };
        let hint = witnesses.clone().read_as(&parse).save(&saved, output);
        let runs = match output.wants_runs() || witnesses.html.is_some() {
            true => pages::runs(&judgement.defects, &mut |_| parse.clone()),
            false => Vec::new(),
        };
        witnesses.write_page(&judgement, &runs, &hint, output);
        output.judged(
            &judgement,
            &runs,
            |sources, style| {
                let mut text = render::text::judgement(&judgement, &hint, sources, style);
                for explained in explained.iter().flatten() {
                    text.push('\n');
                    text.push_str(&render::preconditions::text(explained, style));
                }
                text
            },
            || {
                let mut report = render::json::judgement(&judgement);
                if let Some(explained) = &explained {
                    report["what_must_hold"] = serde_json::json!(explained);
                }
                report
            },
        );
        Ok(output.status(ExitStatus::of_judgement(&judgement, requirement)))
    }
}
