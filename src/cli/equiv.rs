//! `gridlock equiv`

use super::judging::JudgeOptions;
use super::output::Output;
use super::progress::Progress;
use super::sides::{SideA, SideB, side};
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort};
use super::witness_files::WitnessOptions;
use gridlock::input::error::InputError;
use gridlock::judge::check::empty_judgement;
use gridlock::judge::equivalence::{EquivOptions, Side, equiv_files};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
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
  gridlock equiv a.cu b.cu --block 64 --modulo assoc-comm")]
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
    /// Theory floats are compared modulo: assoc-comm. Without, bit by bit
    #[arg(long, value_name = "THEORY")]
    #[arg(help_heading = "How to compare")]
    modulo: Option<String>,
    /// Relation between outputs whose shape changed: `new.out[b] == old.out[b * 64]` (repeatable)
    #[arg(long, value_name = "RELATION", help_heading = "How to compare")]
    observe: Vec<String>,
    /// Compare even where the original is itself defective
    #[arg(long, help_heading = "How to compare")]
    allow_source_defects: bool,
    #[command(flatten)]
    judge: JudgeOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
}

impl Equiv {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        self.judge.limits.bounds()
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.judge.request(&self.a, &[])?;
        let mut empty = empty_judgement(&request);
        empty.modulo = self.modulo;
        Ok(supervised::judgement(short, empty, &self.witnesses, output))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.judge.request(&self.a, &[])?;
        let requirement = self.judge.requirement()?;
        output.reads([self.a.as_path(), self.b.as_path()]);
        self.judge.profile.read_by(output);
        self.witnesses.check(output)?;
        let make = |file: PathBuf, own: EntryOptions| -> Result<Side, InputError> {
            Ok(Side {
                file,
                parse: self.source.parse_options_within(&request.limits),
                entry: side(&self.entry, own).request()?,
            })
        };
        let old = make(self.a.clone(), self.side_a.into())?;
        let new = make(self.b.clone(), self.side_b.into())?;
        let options = EquivOptions {
            observe: self.observe,
            modulo: self.modulo,
            allow_source_defects: self.allow_source_defects,
        };
        let progress = Progress::start("comparing", None);
        let judgement = equiv_files(&old, &new, &request, &options)?;
        drop(progress);
        let hint = self.witnesses.save(&judgement.defects, output);
        output.result(
            |sources, style| render::text::judgement(&judgement, &hint, sources, style),
            || render::json::judgement(&judgement),
        );
        Ok(output.status(ExitStatus::of_judgement(&judgement, requirement)))
    }
}
