//! Which rewritings a program's loops take: tried one after another, each judged with blocks of few threads, so that
//! small sizes have several blocks.

use super::loops::Loop;
use super::report::{LoopReport, Outcome};
use super::ways::{Blocks, Move};
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::pipeline::format::{Expectation, PipelineFile, Step};
use crate::pipeline::oracle::RememberingOracle;
use crate::pipeline::report::StepReport;
use crate::pipeline::rewriting::rule_system;
use crate::pipeline::stage::Stage;
use crate::pipeline::step::{self, NotDerived};
use crate::run::counted::{Counted, is_within};
use crate::words::refusals;
use gridlock_semantics::algebra::operator::OpKind;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_transforms::rewriting::{apply, record};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Kernels made of one loop that was parted, at most.
const MOST_PARTS: usize = 16;

/// Where more of a parted loop's steps than this share stays on the host, it is left alone.
const MOST_LEFT: f64 = 0.5;

/// A rewriting that was accepted.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub name: String,
    pub way: Move,
    /// The loop, as the rule system is told.
    pub selected: Option<String>,
    pub procedure: Option<String>,
}

/// What came of trying one.
enum Tried {
    Accepted,
    /// It does not apply.
    NotThere,
    /// It would add up floats in another order, and nobody admitted that.
    Reorders,
    /// It applies, and the judgement does not accept what it makes, for this reason.
    Rejected(String),
}

/// In what a rule assumes where it adds up floats in another order.
const REORDERED: &str = "may be reordered";

pub(super) struct Planner<'a> {
    /// Its cases are judged on; its steps are not looked at.
    pub file: &'a PipelineFile,
    pub folder: &'a Path,
    pub request: &'a Request,
    pub profile: &'a str,
    pub modulo: Option<&'a str>,
    /// Loops with less than this share of the steps are left alone.
    pub least_share: f64,
    pub counts: &'a [Counted],
    /// All of the source.
    pub loops: &'a [Loop],
    /// The source, and what was made of it.
    pub stages: Vec<Stage>,
    pub planned: Vec<Planned>,
    pub judged: Vec<StepReport>,
    /// What rules leave open.
    pub oracle: RememberingOracle,
    pub told: &'a mut dyn FnMut(&str),
}

impl Planner<'_> {
    /// Tries what may be done with every loop, and then with the copies between them.
    ///
    /// # Errors
    /// Those of rules and judgements, not that a rule does not apply.
    pub fn plan(&mut self) -> Result<Vec<LoopReport>, InputError> {
        let mut found = Vec::new();
        for one in self.loops {
            self.place(one, &mut found)?;
        }
        if self.planned.iter().any(|step| step.way.makes_a_kernel()) {
            for way in [Move::Keep, Move::Copies, Move::Keep] {
                self.attempt(way, None)?;
            }
        }
        Ok(found)
    }

    /// A loop; where nothing can be done with it as a whole, those inside it.
    fn place(&mut self, one: &Loop, found: &mut Vec<LoopReport>) -> Result<(), InputError> {
        (self.told)(&format!("line {}", one.span.line));
        let total: u64 = self.counts.iter().map(|run| run.steps).sum();
        let own: u64 = self.counts.iter().map(|run| run.within(one.whole)).sum();
        let share = own as f64 / total.max(1) as f64;
        let mut report = LoopReport {
            procedure: one.procedure.clone(),
            line: one.span.line,
            counter: one.counter.clone(),
            share,
            outcome: Outcome::LeftAlone,
            steps: Vec::new(),
            why: None,
        };
        if share < self.least_share {
            report.why = Some(match own {
                0 => "the runs did not come to it".to_owned(),
                _ => format!(
                    "less than {} % of the steps are its own",
                    self.least_share * 100.0
                ),
            });
            found.push(report);
            return Ok(());
        }
        if self.stages[0].not_judged.is_some() && !self.file.ignore_output {
            let why = "the program prints, and no step is accepted while that is observed (`--ignore-output`)";
            report.why = Some(why.to_owned());
            found.push(report);
            return Ok(());
        }
        let before = self.planned.len();
        let reason = self.reason(one)?;
        let mut rejected = None;
        let is_done = self.as_a_whole(one, &mut rejected)?;
        if is_done {
            report.outcome = Outcome::Offloaded;
            let steps = self.planned[before..].iter();
            report.steps = steps.map(|step| step.name.clone()).collect();
            found.push(report);
            return Ok(());
        }
        report.why = match (reason, rejected) {
            (Some(reason), Some(rejected)) => Some(format!("{reason}; {rejected}")),
            (reason, rejected) => reason.or(rejected),
        };
        let own = found.len();
        found.push(report);
        for inner in &one.inner {
            self.place(inner, found)?;
        }
        let is_offloaded = |report: &LoopReport| report.outcome == Outcome::Offloaded;
        if found[own + 1..].iter().any(is_offloaded) {
            found[own].outcome = Outcome::Around;
        }
        Ok(())
    }

    /// Whether a loop becomes a kernel, or several, by any of the ways.
    fn as_a_whole(
        &mut self,
        one: &Loop,
        rejected: &mut Option<String>,
    ) -> Result<bool, InputError> {
        if self.kernel(one, rejected)? || self.in_parts(one)? {
            return Ok(true);
        }
        match self.attempt(Move::Sum, Some(one))? {
            Tried::Accepted => Ok(true),
            Tried::NotThere => Ok(false),
            Tried::Reorders => {
                *rejected = Some(
                    "with atomics, floats would be added up in another order, which `--modulo assoc-comm` admits"
                        .to_owned(),
                );
                Ok(false)
            }
            Tried::Rejected(why) => {
                rejected.get_or_insert(why);
                Ok(false)
            }
        }
    }

    /// One kernel, of the loop as it is or with the one inside it.
    fn kernel(&mut self, one: &Loop, rejected: &mut Option<String>) -> Result<bool, InputError> {
        for way in [Move::Nest, Move::Kernel] {
            match self.attempt(way, Some(one))? {
                Tried::Accepted => return Ok(true),
                Tried::NotThere | Tried::Reorders => {}
                Tried::Rejected(why) => *rejected = Some(why),
            }
        }
        let before = self.mark();
        if matches!(self.attempt(Move::Interchange, Some(one))?, Tried::Accepted) {
            // Which is outside now the rule does not say.
            for inner in one.inner.iter().filter(|inner| inner.counter.is_some()) {
                let selector = inner.counter.clone();
                for way in [Move::Nest, Move::Kernel] {
                    let tried = self.attempt_at(way, Some(one), selector.clone())?;
                    if matches!(tried, Tried::Accepted) {
                        return Ok(true);
                    }
                }
            }
        }
        self.back_to(before);
        Ok(false)
    }

    /// A loop for each of the statements, inside out, and kernels of those loops that can be any.
    fn in_parts(&mut self, one: &Loop) -> Result<bool, InputError> {
        let before = self.mark();
        let mut is_parted = false;
        for inner in one.inside_out() {
            is_parted |= matches!(self.attempt(Move::Split, Some(inner))?, Tried::Accepted);
        }
        let mut n_kernels = 0;
        while is_parted && n_kernels < MOST_PARTS && self.kernel(one, &mut None)? {
            n_kernels += 1;
        }
        // A kernel for what costs little, in the midst of what costs much, is none that is worth it.
        let is_worth_it = n_kernels > 0 && self.left(one) <= MOST_LEFT;
        if !is_worth_it {
            self.back_to(before);
        }
        Ok(is_worth_it)
    }

    /// Of the steps that basic operators in a loop of the source take, the share of those that are still on the host.
    fn left(&self, one: &Loop) -> f64 {
        let steps = |stage: &Stage| {
            let program = &stage.prepared.surface;
            let operators = program.operators().into_iter();
            let on_host = operators.filter(|(proc, op)| {
                matches!(op.kind, OpKind::Basic(_)) && program.proc(*proc).kind == ProcKind::Host
            });
            let places: BTreeSet<Span> = on_host.map(|(_, op)| op.span).collect();
            let within = places.iter().filter(|place| is_within(**place, one.whole));
            let times = |place: &Span| -> u64 {
                let of_runs = self.counts.iter().filter_map(|run| run.places.get(place));
                of_runs.sum()
            };
            within.map(times).sum::<u64>() as f64
        };
        match (self.stages.first(), self.stages.last()) {
            (Some(source), Some(last)) => steps(last) / steps(source).max(1.0),
            _ => 1.0,
        }
    }

    fn mark(&self) -> usize {
        self.planned.len()
    }

    /// Forgets what was planned since.
    fn back_to(&mut self, mark: usize) {
        self.planned.truncate(mark);
        self.judged.truncate(mark);
        self.stages.truncate(mark + 1);
    }

    /// Applies a rewriting to the program as it stands, and keeps it if the judgement accepts it.
    fn attempt(&mut self, way: Move, one: Option<&Loop>) -> Result<Tried, InputError> {
        self.attempt_at(way, one, one.map(|one| one.selector(self.loops)))
    }

    /// The same with the loop that a selector names; the name of the step says where it comes from.
    fn attempt_at(
        &mut self,
        way: Move,
        one: Option<&Loop>,
        selected: Option<String>,
    ) -> Result<Tried, InputError> {
        let planned = Planned {
            name: self.name(way, one),
            way,
            selected,
            procedure: one.map(|one| one.procedure.clone()),
        };
        let step = self.step(&planned, Blocks::SMALL);
        let from = self.stages.len() - 1;
        let mut derived =
            match step::try_derive(&step, &self.stages[from], self.folder, &self.oracle) {
                Ok(derived) => derived,
                Err(NotDerived::Inapplicable(_)) => return Ok(Tried::NotThere),
                Err(NotDerived::Wrong(error)) => return Err(error),
            };
        // Another loop may have the same counter.
        let is_elsewhere =
            |place: &Span| one.is_some_and(|one| !place.is_none() && !is_within(*place, one.whole));
        if derived.places.iter().any(is_elsewhere) {
            return Ok(Tried::NotThere);
        }
        derived.stage.from = Some(from);
        let assumed = derived.assumptions.texts();
        // Of samples, those whose sums are exact would be the same in any order: no run shows what is lost.
        if self.modulo.is_none() && assumed.iter().any(|text| text.contains(REORDERED)) {
            return Ok(Tried::Reorders);
        }
        self.stages.push(derived.stage);
        let expect = &step.expectations[0];
        let judged = step::judge(
            self.file,
            &step,
            &self.stages,
            from + 1,
            expect,
            self.request,
        )?;
        if !step::is_accepted(judged.verdict) {
            self.stages.pop();
            let kinds = judged.defects.iter().map(|defect| defect.kind.name());
            let kinds: Vec<&str> = kinds.collect();
            let kinds = match kinds.is_empty() {
                true => String::new(),
                false => format!(" ({})", kinds.join(", ")),
            };
            return Ok(Tried::Rejected(format!(
                "as {} it is not accepted{kinds}: {}",
                way.words(),
                judged.explanation
            )));
        }
        if let Some(stage) = self.stages.last_mut() {
            stage.accepted.push(self.profile.to_owned());
        }
        self.planned.push(planned);
        self.judged.push(judged);
        Ok(Tried::Accepted)
    }

    /// A name that no step has yet.
    fn name(&self, way: Move, one: Option<&Loop>) -> String {
        let name = match one {
            Some(one) => format!("line {}: {}", one.span.line, way.words()),
            None => way.words().to_owned(),
        };
        let is_free = |name: &String| self.planned.iter().all(|step| step.name != *name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut names = [name.clone()].into_iter().chain(numbered);
        names.find(is_free).unwrap_or(name)
    }

    /// A planned rewriting as a step of a pipeline.
    pub fn step(&self, planned: &Planned, blocks: Blocks) -> Step {
        let mut rewriting = planned.way.rewriting(planned.selected.as_deref(), blocks);
        rewriting.procedure.clone_from(&planned.procedure);
        if planned.way.makes_a_kernel() {
            rewriting.modulo = self.modulo.map(str::to_owned);
        }
        Step {
            name: planned.name.clone(),
            from: None,
            rewriting,
            cases: None,
            expectations: vec![Expectation {
                profile: self.profile.to_owned(),
                at_least: Some("passed".to_owned()),
                ..Expectation::default()
            }],
        }
    }

    /// Why a loop is no kernel as it is, if it is none.
    fn reason(&self, one: &Loop) -> Result<Option<String>, InputError> {
        let way = Move::Kernel;
        let asked = way.rewriting(Some(&one.selector(self.loops)), Blocks::SMALL);
        let request = record::Request {
            strategy: asked.strategy,
            params: asked
                .params
                .into_iter()
                .map(|(name, value)| (name, value.to_string()))
                .collect::<BTreeMap<_, _>>(),
            procedure: Some(one.procedure.clone()),
            ..record::Request::default()
        };
        let system = rule_system(way.system(), self.folder)?;
        let Some(stage) = self.stages.last() else {
            return Ok(None);
        };
        let program = &stage.prepared.surface;
        let derivation = apply::apply(program, &system, &request, &self.oracle)
            .map_err(|error| InputError::usage(format!("rules `{}`: {error}", system.name())))?;
        let here = |line: u32| line == one.span.line;
        let mut refusals = derivation.refusals.iter();
        let refusal = refusals.find(|refusal| here(refusal.span.line));
        let mut missed = derivation.missed.iter();
        let missed = missed.find(|missed| here(missed.span.line));
        Ok(refusal
            .map(refusals::why)
            .or(missed.map(|missed| missed.part.clone())))
    }
}
