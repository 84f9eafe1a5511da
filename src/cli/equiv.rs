//! `gridlock equiv`

use super::given::{OfSource, ProjectOptions};
use super::judging::JudgeOptions;
use super::output::Output;
use super::progress::Progress;
use super::sides::{SideA, SideB, side};
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort};
use super::watched::Watch;
use super::witness_files::WitnessOptions;
use gridlock::input::error::InputError;
use gridlock::input::request::Request;
use gridlock::judge::check::empty_judgement;
use gridlock::judge::equivalence::{EquivOptions, Side, equiv_files};
use gridlock::judge::summary::{Summarised, of_file};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render;
use gridlock::subject::Floats;
use gridlock_checker::report::Subject;
use gridlock_checker::report::tolerance::Tolerance;
use std::path::PathBuf;

/// Compare two programs: does B do what A does?
///
/// Both run from the same inputs, each through its own launch. What may be observed of them is
/// compared: the arrays a kernel may write, what a host function leaves behind; or what an
/// observation map relates. Options given plainly hold for both sides; --a-… and --b-… for one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock equiv before.cu after.cu --grid 2 --block 64
  gridlock equiv before.cu after.cu --a-kernel sum1 --b-kernel sum2 --block 64 --b-grid 2 --a-grid 4
  gridlock equiv sort.c sort.cu --kernel bitonic_sort --arg n=16 --extent a=n --require schedules
  gridlock equiv a.cu b.cu --block 64 --observe 'new.out[b] == old.out[b * 64]'
  gridlock equiv a.cu b.cu --block 64 --modulo assoc-comm
  gridlock equiv softmax.cu online-softmax.cu --grid 2 --block 32 --modulo reals
  gridlock equiv a.cu b.cu --grid 4 --block 64 --explain
  gridlock equiv naive.cu tiled.cu --grid 2,2 --block 16,16 --rtol 1e-5 --atol 1e-6 --require tested")]
pub struct Equiv {
    /// The original
    a: PathBuf,
    /// What is to do the same
    b: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    side_a: SideA,
    #[command(flatten)]
    side_b: SideB,
    /// Theory floats are compared modulo: assoc-comm, or reals. Without, bit by bit
    #[arg(long, value_name = "THEORY")]
    #[arg(help_heading = "How to compare")]
    modulo: Option<String>,
    /// Floats may lie this many floats of their type apart
    #[arg(long, value_name = "N", help_heading = "How to compare")]
    ulps: Option<u64>,
    /// Floats may differ by this part of the old value. With --atol, the two add up; beside --ulps, either
    /// suffices
    #[arg(
        long,
        value_name = "PART",
        allow_negative_numbers = true,
        help_heading = "How to compare"
    )]
    rtol: Option<f64>,
    /// Floats may differ by this much
    #[arg(
        long,
        value_name = "AMOUNT",
        allow_negative_numbers = true,
        help_heading = "How to compare"
    )]
    atol: Option<f64>,
    /// Floats among the inputs: `any`, infinities, NaN, subnormal and huge ones too, or `ordinary`, of absolute
    /// value from 1/8 to 1024 [default: any where floats are compared bit by bit, ordinary under a tolerance]
    #[arg(long, value_name = "WHICH", help_heading = "How to compare")]
    #[arg(value_parser = ["any", "ordinary"])]
    floats: Option<String>,
    /// Relation between outputs whose shape changed: `new.out[b] == old.out[b * 64]` (repeatable)
    #[arg(long, value_name = "RELATION", help_heading = "How to compare")]
    observe: Vec<String>,
    /// What the programs print is not observed. Without, programs that print are not told to do the same: output is
    /// not modelled
    #[arg(long, help_heading = "How to compare")]
    ignore_output: bool,
    /// Say besides what each side leaves, as `gridlock summarise` does: two kernels at a launch that is given
    #[arg(long, help_heading = "How to compare")]
    explain: bool,
    /// Compare even where the original is itself defective
    #[arg(long, help_heading = "How to compare")]
    allow_source_defects: bool,
    #[command(flatten)]
    judge: JudgeOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
    /// Compare again whenever a source, or a header beside it or in a folder of -I, changes; Ctrl-C ends
    #[arg(long)]
    watch: bool,
}

impl Equiv {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        self.judge.limits.bounds()
    }

    fn request(&self) -> Result<Request, InputError> {
        let request = self.judge.request(&self.a, &[])?;
        let profile = &self.judge.profile;
        let of = self.project.of(&self.a)?;
        Ok(of.request(request, profile.profile.is_some(), profile.cooperative))
    }

    pub fn watch(&self) -> Option<Watch> {
        let mut paths = vec![self.a.clone(), self.b.clone()];
        paths.extend(self.source.includes.iter().cloned());
        self.watch.then_some(Watch { paths })
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.request()?;
        let mut empty = empty_judgement(&request);
        empty.tolerance = self.tolerance()?;
        empty.modulo = self.modulo;
        let (new, old) = (
            self.side_b.source(&self.source).parse_options(),
            self.side_a.source(&self.source).parse_options(),
        );
        let witnesses = self.witnesses.read_as_two(&new, &old);
        Ok(supervised::judgement(short, empty, &witnesses, output))
    }

    fn tolerance(&self) -> Result<Option<Tolerance>, InputError> {
        let part = |name: &str, given: Option<f64>| match given {
            Some(number) if !number.is_finite() || number < 0.0 => Err(InputError::usage(format!(
                "--{name} {number}: a number from 0 on"
            ))),
            given => Ok(given.unwrap_or(0.0)),
        };
        let is_asked = self.ulps.is_some() || self.rtol.is_some() || self.atol.is_some();
        let tolerance = Tolerance {
            ulps: self.ulps,
            relative: part("rtol", self.rtol)?,
            absolute: part("atol", self.atol)?,
        };
        Ok(is_asked.then_some(tolerance))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.request()?;
        let requirement = self.judge.requirement()?;
        output.reads([self.a.as_path(), self.b.as_path()]);
        self.judge.profile.read_by(output);
        self.witnesses.check(output)?;
        let tolerance = self.tolerance()?;
        let make = |file: PathBuf,
                    of: &OfSource,
                    source: &SourceOptions,
                    own: EntryOptions|
         -> Result<Side, InputError> {
            Ok(Side {
                file,
                parse: of.options(source.parse_options_within(&request.limits)),
                entry: of.entry(side(&self.entry, own).request()?),
            })
        };
        let (of_a, of_b) = (self.project.of(&self.a)?, self.project.of(&self.b)?);
        let old_source = self.side_a.source(&self.source);
        let new_source = self.side_b.source(&self.source);
        let old = make(self.a.clone(), &of_a, &old_source, self.side_a.into())?;
        let new = make(self.b.clone(), &of_b, &new_source, self.side_b.into())?;
        let options = EquivOptions {
            tolerance,
            floats: self.floats.as_deref().map(|which| match which {
                "ordinary" => Floats::Ordinary,
                _ => Floats::Any,
            }),
            observe: self.observe,
            modulo: self.modulo,
            allow_source_defects: self.allow_source_defects,
            ignore_output: self.ignore_output,
            tell_branches: true,
        };
        let progress = Progress::start("comparing", None);
        let mut judgement = equiv_files(&old, &new, &request, &options)?;
        of_a.note(&mut judgement);
        of_b.note(&mut judgement);
        drop(progress);
        let sides = match self.explain {
            true => Some(summarised(&old, &new, &request)?),
            false => None,
        };
        let witnesses = self.witnesses.read_as_two(&new.parse, &old.parse);
        let hint = witnesses.save(&judgement.defects, output);
        let runs = match output.wants_runs() || witnesses.html.is_some() {
            true => pages::runs(&judgement.defects, &mut |file| match file
                == old.file.to_string_lossy()
            {
                true => old.parse.clone(),
                false => new.parse.clone(),
            }),
            false => Vec::new(),
        };
        witnesses.write_page(&judgement, &runs, &hint, output);
        output.judged(
            &judgement,
            &runs,
            |sources, style| {
                let text = render::text::judgement(&judgement, &hint, sources, style);
                match &sides {
                    Some(sides) => text + &render::summary::of_both(sides, style),
                    None => text,
                }
            },
            || {
                let mut body = render::json::judgement(&judgement);
                if let Some(sides) = &sides {
                    let sides = sides.iter();
                    let sides =
                        sides.map(|(of, subject)| render::summary::json(of, subject, &request));
                    body["summaries"] = sides.collect();
                }
                body
            },
        );
        Ok(output.status(ExitStatus::of_judgement(&judgement, requirement)))
    }
}

/// What each side leaves, the old one first. A side without a launch has that of the other.
fn summarised(
    old: &Side,
    new: &Side,
    request: &Request,
) -> Result<[(Summarised, Subject); 2], InputError> {
    let launches = [&old.entry.launch, &new.entry.launch];
    let given = launches.iter().find(|launch| launch.is_given());
    let of = |side: &Side| {
        let mut entry = side.entry.clone();
        if let (Some(given), false) = (given, entry.launch.is_given()) {
            entry.launch = (**given).clone();
        }
        of_file(&side.file, &side.parse, &entry, request)
    };
    Ok([of(old)?, of(new)?])
}
