//! The samples of a comparison, one after the other, and what comes of them.
//!
//! First those of small numbers, on which the original must show no defect. Then *wide* ones over the whole
//! range of the types, as long as they take branches that no sample took before: one that leads to a defect
//! of the original, or that it does not come to an end with, asks for more than it was made for, and does not
//! count.

use super::difference::{not_equivalent, overflows};
use super::launches::{LaunchPair, launches};
use super::paired::paired_setup;
use super::sides::{Compared, EquivOptions};
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::run::trial::{self, Decision, Trial};
use crate::subject::indices::Flow;
use crate::subject::{self, EntryPoint, Floats, Wide, premises};
use crate::words::sentences::note;
use gridlock_checker::equiv::{
    self, CompareOptions, Comparison, Difference, Modulo, NamesOfSides, ObservationMap,
};
use gridlock_checker::report::remark::{Remark, Way};
use gridlock_checker::report::tolerance::{LargestDifference, larger};
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::verdict::{Assurance, Engine, Property, PropertyResult, Reason, Verdict};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::setup::{Arg, Launch, Setup};
use std::collections::BTreeMap;
use std::time::Instant;

/// Wide samples of a launch at least, and at most.
const LEAST_WIDE: u32 = 2;
const MOST_WIDE: u32 = 12;
/// Wide samples in a row that take no new branch, after which there are no more.
const IN_VAIN: u32 = 2;
/// Of a run of the original over the whole range: so many times the slowest run before, and seconds.
const TIMES_SLOWEST: f64 = 20.0;
const SECONDS: f64 = 0.5;
/// Branches named in a remark at most.
const MOST_BRANCHES: usize = 8;

pub(super) struct Comparing<'a> {
    pub(super) old: &'a Compared<'a>,
    pub(super) new: &'a Compared<'a>,
    pub(super) request: &'a Request,
    pub(super) options: &'a EquivOptions,
    map: &'a ObservationMap,
    pub(super) modulo: Modulo,
    floats: Floats,
    pub(super) judgement: Judgement,
    pub(super) deadline: Deadline,
    engine: Engine,
    n_runs: u32,
    n_wide: u32,
    n_left_out: u32,
    /// Why the answer is not that all is well.
    open: Option<(Reason, String)>,
    /// In words, what refutes.
    refuted: Option<String>,
    largest: Option<LargestDifference>,
    slowest: f64,
    /// How far the proof for all inputs came, where it was tried.
    pub(super) proof: Option<Proof>,
    pub(super) suspects_are_run: bool,
    /// In words, what the proof at every launch stopped at.
    pub(super) not_at_all_sizes: Option<String>,
}

/// Whether there is more to try.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    GoOn,
    Stop,
}

/// Which input set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sample {
    Usual(u32),
    Wide(u32),
}

/// How far the proof came.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    /// For all inputs at every launch; in words, of which blocks if not of all.
    AllSizes(Option<String>),
    /// At the launch that was asked for: for all inputs.
    Whole,
    /// At every launch tried, or with some arguments as in a sample. In words, what it covers.
    Part(String),
    /// In words, what it stopped at.
    Stopped(String),
}

/// What a pair of runs is for.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Over the whole range of types: the original need not be made for that.
    pub is_wide: bool,
    /// Contents that are indices leave their arrays.
    pub leaves_range: bool,
}

impl<'a> Comparing<'a> {
    pub fn new(
        old: &'a Compared<'a>,
        new: &'a Compared<'a>,
        request: &'a Request,
        options: &'a EquivOptions,
        map: &'a ObservationMap,
        modulo: Modulo,
        judgement: Judgement,
    ) -> Comparing<'a> {
        let usual = match (modulo, options.tolerance) {
            (Modulo::AssocComm, _) => Floats::Exact,
            (_, Some(_)) => Floats::Ordinary,
            _ => Floats::Any,
        };
        Comparing {
            old,
            new,
            request,
            options,
            map,
            modulo,
            floats: options.floats.unwrap_or(usual),
            judgement,
            deadline: request.deadline(1),
            engine: Engine::CanonicalRun,
            n_runs: 0,
            n_wide: 0,
            n_left_out: 0,
            open: None,
            refuted: None,
            largest: None,
            slowest: 0.0,
            proof: None,
            suspects_are_run: true,
            not_at_all_sizes: None,
        }
    }

    pub fn judge(mut self) -> Result<Judgement, InputError> {
        for (old_launch, new_launch) in launches(self.old, self.new)? {
            if self.at_launch(old_launch, new_launch)? == After::Stop {
                break;
            }
        }
        if self.refuted.is_none() && self.open.is_none() {
            match self.n_runs {
                // The solver may know inputs that meet what the programs assume.
                0 => self.prove_beyond_samples()?,
                _ => self.prove()?,
            }
        }
        self.describe_inputs();
        self.conclude();
        crate::judge::overall::summarise(&mut self.judgement);
        Ok(self.judgement)
    }

    /// Whether the values of all parameters of both sides are given, so that there is one input.
    fn has_one_input(&self) -> bool {
        let is_given = |side: &Compared| side.point.has_one_input(&side.prepared.surface);
        is_given(self.old) && (is_given(self.new) || self.old_gives_all())
    }

    /// Whether no scalar argument of either side is given.
    fn gives_no_argument(&self) -> bool {
        self.old.point.scalars.is_empty() && self.new.point.scalars.is_empty()
    }

    /// Whether every parameter of the new side gets its value from the old one.
    fn old_gives_all(&self) -> bool {
        let procedure = |side: &Compared| side.prepared.surface.proc(side.point.proc).params.len();
        self.new.point.filled.is_empty() && procedure(self.new) <= procedure(self.old)
    }

    /// Samples of small numbers: those asked for, and those with what arguments are compared with. Indices
    /// of -1 are left out: where the original has none, they would only make the question moot.
    fn n_usual(&self) -> u32 {
        match self.has_one_input() {
            true => 1,
            false => self.request.sampling.count + self.n_compared(),
        }
    }

    fn n_compared(&self) -> u32 {
        subject::n_compared(&self.old.prepared.surface, &self.old.point)
    }

    fn at_launch(
        &mut self,
        old_launch: Option<Launch>,
        new_launch: Option<Launch>,
    ) -> Result<After, InputError> {
        for number in 0..self.n_usual() {
            if self.deadline.left() <= 0.0 {
                self.open = Some((Reason::Limit, gridlock_checker::limits::TIME.to_owned()));
                return Ok(After::Stop);
            }
            let sample = Sample::Usual(number);
            if self.sample(old_launch, new_launch, sample)? == After::Stop {
                return Ok(After::Stop);
            }
        }
        if self.has_one_input() {
            return Ok(After::GoOn);
        }
        let mut missed = self.n_missed();
        let mut in_vain = 0;
        for number in 0..MOST_WIDE {
            let is_worth = missed > 0 && in_vain < IN_VAIN && self.engine == Engine::CanonicalRun;
            let least = match self.engine {
                Engine::CanonicalRun => LEAST_WIDE,
                _ => 1,
            };
            if number >= least && !is_worth || self.deadline.left() <= 0.0 {
                break;
            }
            let sample = Sample::Wide(number);
            if self.sample(old_launch, new_launch, sample)? == After::Stop {
                return Ok(After::Stop);
            }
            let now = self.n_missed();
            in_vain = if now < missed { 0 } else { in_vain + 1 };
            missed = now;
        }
        Ok(After::GoOn)
    }

    /// Ways of branches of both programs that no run has gone.
    fn n_missed(&self) -> usize {
        [self.old, self.new]
            .map(|side| missed(side).len())
            .iter()
            .sum()
    }

    fn setups(
        &self,
        old_launch: Option<Launch>,
        new_launch: Option<Launch>,
        sample: Sample,
    ) -> Result<(Setup, Setup), InputError> {
        let sampling = self.request.sampling;
        let drawn = |program: &Program, point: &EntryPoint, launch| match sample {
            Sample::Usual(number) => {
                subject::sampled_setup(program, point, launch, sampling, number)
            }
            Sample::Wide(number) => {
                let floats = self.floats;
                let wide = Wide { number, floats };
                subject::wide_setup(program, point, launch, sampling, wide)
            }
        };
        let mut old = drawn(&self.old.prepared.surface, &self.old.point, old_launch)?;
        let of_new = |point: &EntryPoint, launch| drawn(&self.new.prepared.surface, point, launch);
        let new = paired_setup(self.old, self.new, &mut old, new_launch, of_new)?;
        Ok((old, new))
    }

    fn sample(
        &mut self,
        old_launch: Option<Launch>,
        new_launch: Option<Launch>,
        sample: Sample,
    ) -> Result<After, InputError> {
        let (old_setup, new_setup) = self.setups(old_launch, new_launch, sample)?;
        let how = How {
            is_wide: matches!(sample, Sample::Wide(_)),
            leaves_range: self.leaves_range(sample),
        };
        self.pair(old_setup, new_setup, how)
    }

    /// The setups that a proof leaves the unknowns of out of.
    pub(super) fn setups_of_proof(&self, pair: LaunchPair) -> Result<(Setup, Setup), InputError> {
        self.setups(pair.0, pair.1, Sample::Usual(0))
    }

    /// Runs both sides, each on its setup.
    pub(super) fn pair(
        &mut self,
        old_setup: Setup,
        new_setup: Setup,
        how: How,
    ) -> Result<After, InputError> {
        let is_wide = how.is_wide;
        let until = match is_wide {
            true => Deadline::after(
                self.deadline
                    .left()
                    .min(TIMES_SLOWEST * self.slowest + SECONDS),
            ),
            false => self.deadline,
        };
        let started = Instant::now();
        let old_trial = trial::run(self.old.prepared, &old_setup, self.request, until);
        self.judgement.statistics += old_trial.statistics;
        if !is_wide {
            self.slowest = self.slowest.max(started.elapsed().as_secs_f64());
        }
        let is_trying = is_wide || how.leaves_range;
        let is_decided = matches!(old_trial.decision, Decision::Decided(_));
        let is_beyond = old_trial.outcomes.defective || !is_decided || old_trial.ending.is_some();
        if is_trying && !old_trial.vacuous && is_beyond {
            self.n_left_out += 1;
            return Ok(After::GoOn);
        }
        self.take_over(&old_trial);
        // What the original does at once the other may take as long for as it likes, over whole ranges too; but no
        // sample has all of the time.
        let until =
            match is_wide {
                true => Deadline::after(self.deadline.left().min(
                    TIMES_SLOWEST * self.slowest.max(started.elapsed().as_secs_f64()) + SECONDS,
                )),
                false => self.deadline,
            };
        let new_trial = trial::run(self.new.prepared, &new_setup, self.request, until);
        self.judgement.statistics += new_trial.statistics;
        let is_cut = !new_trial.limits_hit.is_empty() && new_trial.defects.is_empty();
        if is_wide && is_cut && self.deadline.left() > 0.0 {
            self.n_left_out += 1;
            return Ok(After::GoOn);
        }
        self.take_over(&new_trial);
        if old_trial.vacuous || new_trial.vacuous {
            return Ok(After::GoOn);
        }
        self.n_runs += 1;
        self.n_wide += u32::from(is_wide);
        let asks = self.asks();
        if old_trial.outcomes.defective && !self.options.allow_source_defects {
            let mut defects = old_trial.defects;
            defects.iter_mut().for_each(|d| d.subject = 0);
            let kind = defects.first().map_or("defect", |d| d.kind.name());
            self.open = Some((
                Reason::SourceDefective,
                format!("the original has a {kind} itself, which makes the question moot"),
            ));
            self.judgement.defects.extend(defects);
            return Ok(After::Stop);
        }
        if let Some(first) = new_trial.defects.first() {
            let kind = first.kind.name();
            if asks {
                self.open.get_or_insert((
                    Reason::Inconclusive,
                    format!(
                        "the new program has a {kind} for some arbitrary values; whether the \
                         original has one for others is open"
                    ),
                ));
                return Ok(After::GoOn);
            }
            if is_wide && overflows((self.old, &old_setup), &[], self.request) {
                self.open
                    .get_or_insert(beyond_c(&format!("the new program has a {kind}")));
                return Ok(After::GoOn);
            }
            self.refuted = Some(format!(
                "the new program has a defect the original has not: {kind}"
            ));
            for mut defect in new_trial.defects {
                defect.subject = 1;
                self.judgement.defects.push(defect);
            }
            return Ok(After::Stop);
        }
        for trial in [&old_trial, &new_trial] {
            if let Some(why) = &trial.ending {
                self.open.get_or_insert(why.clone());
            }
            match &trial.decision {
                Decision::Decided(by) => self.engine = self.engine.min(*by),
                Decision::Undecided { reason, why } => {
                    self.open.get_or_insert((*reason, why.clone()));
                }
            }
        }
        self.compare((&old_trial, &old_setup), (&new_trial, &new_setup), is_wide)
    }

    /// Whether arrays whose contents are indices hold others than those in range: an original that does not ask
    /// about them is not made for that.
    fn leaves_range(&self, sample: Sample) -> bool {
        match sample {
            Sample::Usual(number) => {
                let side = self.old;
                let flow = Flow::of(&side.prepared.surface, side.point.proc);
                subject::has_any_indices(number) && !flow.indexed().is_empty()
            }
            Sample::Wide(_) => false,
        }
    }

    /// Whether a side asks for values that the file does not state.
    fn asks(&self) -> bool {
        [self.old, self.new].iter().any(|side| {
            let procedure = side.prepared.surface.proc(side.point.proc);
            let mut params = procedure.params.iter();
            params.any(|var| procedure.is_arbitrary(*var))
        })
    }

    fn take_over(&mut self, trial: &Trial) {
        self.judgement.remarks.extend(trial.remarks.iter().cloned());
        trial
            .limits_hit
            .iter()
            .for_each(|l| note(&mut self.judgement.limits_hit, l.clone()));
    }

    fn compare(
        &mut self,
        (old_trial, old_setup): (&Trial, &Setup),
        (new_trial, new_setup): (&Trial, &Setup),
        is_wide: bool,
    ) -> Result<After, InputError> {
        let (old, new) = (self.old, self.new);
        let old_names = ArrayNames::new(&old.prepared.surface, old.point.proc);
        let new_names = ArrayNames::new(&new.prepared.surface, new.point.proc);
        let how = CompareOptions {
            modulo: self.modulo,
            tolerance: self.options.tolerance,
            floats_decide: [old, new]
                .iter()
                .any(|side| floats_decide(&side.prepared.surface)),
            allow_source_defects: self.options.allow_source_defects,
            constants: constants(old, old_setup),
            names: Some(NamesOfSides {
                new: &new_names,
                old: &old_names,
            }),
        };
        let comparison =
            equiv::compare_outcomes(&new_trial.outcomes, &old_trial.outcomes, self.map, &how)
                .map_err(|error| InputError::usage(error.to_string()))?;
        match comparison {
            Comparison::Equivalent { largest } => {
                let tolerance = self.options.tolerance.as_ref();
                self.largest = larger(self.largest.take(), largest, tolerance);
            }
            Comparison::Refines { .. } if self.open.is_none() => {
                self.judgement.remarks.note(Remark::Refines {});
            }
            Comparison::Refines { .. } => {}
            // The original is free to be given other values than the new program was.
            Comparison::Different(_) if self.asks() => {
                self.open.get_or_insert((
                    Reason::Inconclusive,
                    "given the same arbitrary values, the two differ; whether the original \
                     gives the same for others is open"
                        .to_owned(),
                ));
            }
            Comparison::Different(difference) => {
                let along = &difference.old_schedule;
                if is_wide && overflows((old, old_setup), along, self.request) {
                    self.open.get_or_insert(beyond_c(&difference.message));
                    return Ok(After::GoOn);
                }
                let defect = not_equivalent(
                    (old, old_setup),
                    (new, new_setup),
                    &difference,
                    self.map,
                    &how,
                    self.request,
                );
                match defect {
                    Some(defect) => {
                        self.refuted = Some(refutation(&difference));
                        self.largest = difference.largest;
                        self.judgement.defects.push(defect);
                    }
                    None => {
                        self.open = Some((
                            Reason::Inconclusive,
                            "a difference was found that a replay does not show".to_owned(),
                        ));
                        return Ok(After::GoOn);
                    }
                }
                return Ok(After::Stop);
            }
            Comparison::Unknown { reason, why } => {
                self.open.get_or_insert((reason, why));
            }
        }
        Ok(After::GoOn)
    }

    fn describe_inputs(&mut self) {
        let one = self.has_one_input();
        let inputs = match one {
            true => "as given".to_owned(),
            false => {
                let sampling = self.request.sampling;
                let compared = match self.n_compared() {
                    0 => "",
                    _ => subject::WHAT_IS_COMPARED,
                };
                let wide = match (self.n_wide, self.floats) {
                    (0, _) => "",
                    (_, Floats::Any) => ", and whole ranges",
                    (_, Floats::Ordinary) => ", and whole ranges with floats of ordinary size",
                    (_, Floats::Exact) => ", and whole ranges with floats whose sums are exact",
                };
                format!(
                    "random, {} a launch, seed {}{compared}{wide}",
                    sampling.count, sampling.seed
                )
            }
        };
        let subjects = [self.old, self.new].map(|side| Subject {
            file: side.file.clone(),
            kernel: side.prepared.surface.proc(side.point.proc).name.to_string(),
            launch: subject::describe(&side.prepared.surface, &side.point),
            host_launches: Vec::new(),
            host_tried: None,
            inputs: inputs.clone(),
        });
        self.judgement.subjects.extend(subjects);
    }

    fn conclude(&mut self) {
        let mut result = PropertyResult {
            subject: 1,
            kind: Property::Equivalence,
            verdict: Verdict::Unknown,
            reason: Some(Reason::NotAttempted),
            assurance: None,
            engine: None,
            explanation: String::new(),
        };
        if let Some(why) = self.refuted.take() {
            result.verdict = Verdict::Refuted;
            result.reason = None;
            result.explanation = why;
        } else if let Some((reason, why)) = self.open.take() {
            result.reason = Some(reason);
            result.explanation = why;
        } else if self.n_runs == 0 && self.proof.is_none() {
            result.reason = Some(Reason::Vacuous);
            result.explanation = "no input meets the programs' assumptions".to_owned();
        } else {
            if !matches!(self.proof, Some(Proof::AllSizes(_) | Proof::Whole)) {
                self.note_branches();
            }
            self.all_alike(&mut result);
        }
        result.engine = match (result.verdict, &self.proof) {
            (Verdict::Unknown, _) => None,
            (Verdict::Proved, Some(Proof::Whole | Proof::AllSizes(_))) => Some(Engine::Symbolic),
            _ => Some(self.engine),
        };
        let tells = self.options.tolerance.is_some() || result.verdict == Verdict::Refuted;
        self.judgement.largest_difference = self.largest.take().filter(|_| tells);
        self.judgement.properties.push(result);
    }

    fn all_alike(&self, result: &mut PropertyResult) {
        let n = self.n_runs;
        let within = match &self.options.tolerance {
            Some(tolerance) => format!(" within {tolerance}"),
            None => String::new(),
        };
        let left_out = match self.n_left_out {
            0 => String::new(),
            n => format!(", {n} more left out for a defect of the original or a limit"),
        };
        let seen = match self.engine {
            Engine::Explorer => format!(
                "the same outcomes{within} in every schedule explored of {n} sampled inputs{left_out}"
            ),
            _ => format!(
                "the same outcome{within} in every schedule of {n} sampled inputs{left_out}, by the \
                 canonical run"
            ),
        };
        let seen = match (&self.options.tolerance, most(self.largest.as_ref())) {
            (Some(_), Some(most)) => format!("{seen}; {most}"),
            _ => seen,
        };
        let seen = match &self.proof {
            Some(Proof::Whole) => {
                result.verdict = Verdict::Proved;
                result.reason = None;
                result.assurance = Some(Assurance::AllInputs);
                result.explanation = "the same contents of memory in every schedule".to_owned();
                return;
            }
            Some(Proof::AllSizes(blocks)) => {
                let is_of_all = blocks.is_none() && self.gives_no_argument();
                result.verdict = Verdict::Proved;
                result.reason = None;
                result.assurance = Some(match is_of_all {
                    true => Assurance::AllInputsAllSizes,
                    false => Assurance::AllInputs,
                });
                let same = "the same contents of memory in every schedule";
                result.explanation = match blocks {
                    Some(blocks) => format!("{same}, and at every other launch of {blocks}"),
                    None => same.to_owned(),
                };
                return;
            }
            Some(Proof::Part(what)) => format!("{seen}; proved {what}"),
            Some(Proof::Stopped(why)) => format!("{seen}; not proved for all inputs: {why}"),
            None => seen,
        };
        let is_closed = |side: &Compared| {
            let procedure = side.prepared.surface.proc(side.point.proc);
            procedure.kind == ProcKind::Host && procedure.params.is_empty()
        };
        if !self.request.sampling.all_only {
            result.verdict = Verdict::Passed;
            result.reason = None;
            result.assurance = Some(Assurance::AllSchedules);
            result.explanation = seen;
        } else if is_closed(self.old) && is_closed(self.new) && self.options.tolerance.is_none() {
            result.verdict = Verdict::Proved;
            result.reason = None;
            result.assurance = Some(Assurance::AllInputs);
            result.explanation =
                "the same outcomes in every schedule of two closed programs".to_owned();
        } else {
            result.reason = Some(Reason::Inconclusive);
            result.explanation = format!(
                "{seen}; equivalence is not proved for all inputs, and samples do not count (--inputs all)"
            );
        }
    }

    /// Says which branches no run took.
    fn note_branches(&mut self) {
        if !self.options.tell_branches || self.engine != Engine::CanonicalRun {
            return;
        }
        for (side, name) in [(self.old, "old"), (self.new, "new")] {
            let mut ways: Vec<Way> = Vec::new();
            for missed in missed(side) {
                let span = side.prepared.compiled.span(missed.op);
                let way = Way {
                    line: span.line,
                    holds: missed.way,
                };
                if way.line > 0 && !ways.contains(&way) {
                    ways.push(way);
                }
            }
            let n = ways.len();
            ways.truncate(MOST_BRANCHES);
            if n > 0 {
                self.judgement.remarks.note(Remark::BranchesNotTaken {
                    program: name.to_owned(),
                    ways,
                    more: n.saturating_sub(MOST_BRANCHES) as u32,
                });
            }
        }
    }
}

/// The ways of branches of a side that no run has gone.
fn missed(side: &Compared) -> Vec<gridlock_checker::compiled::Missed> {
    let reachable = premises::features(&side.prepared.surface, side.point.proc).reachable;
    side.prepared.compiled.branches(reachable).missed
}

/// Why a difference does not count: the original's behaviour is undefined in C.
fn beyond_c(what: &str) -> (Reason, String) {
    (
        Reason::Inconclusive,
        format!(
            "signed arithmetic of the original overflows for some numbers, which C leaves undefined, and for \
             these: {what}"
        ),
    )
}

fn refutation(difference: &Difference) -> String {
    match most(difference.largest.as_ref()) {
        Some(most) => format!("{}; {most}", difference.message),
        None => difference.message.clone(),
    }
}

/// Where floats differ most, and how far.
fn most(largest: Option<&LargestDifference>) -> Option<String> {
    let largest = largest?;
    let by = match &largest.distance {
        Some(distance) => format!("by {distance}"),
        None => format!("{} for {}", largest.new_value, largest.old_value),
    };
    Some(format!(
        "floats differ most in `{}`: {by}",
        largest.relation
    ))
}

/// Whether something that is no float is computed from one, anywhere in a program: a comparison, a
/// conversion, bits. Over-approximates.
fn floats_decide(program: &Program) -> bool {
    let is_float = |e: &Expr| e.ty.scalar().is_some_and(ScalarType::is_float);
    program.operators().iter().any(|(_, op)| {
        let mut found = false;
        for expr in op.expressions() {
            expr.walk(&mut |e| found |= !is_float(e) && e.operands().into_iter().any(is_float));
        }
        found
    })
}

/// What names in an observation map stand for: `gridDim` and `blockDim` of the old side's launch
/// (with `_y`, `_z` for the other dimensions), and its integer arguments by name.
fn constants(old: &Compared, setup: &Setup) -> BTreeMap<String, i64> {
    let mut constants = BTreeMap::new();
    if let Some(launch) = setup.launch {
        for (what, dims) in [("gridDim", launch.grid), ("blockDim", launch.block)] {
            for (suffix, extent) in ["", "_y", "_z"].iter().zip(dims) {
                constants.insert(format!("{what}{suffix}"), extent as i64);
            }
        }
    }
    let procedure = old.prepared.surface.proc(old.point.proc);
    for (var, arg) in procedure.params.iter().zip(&setup.args) {
        if let Arg::Scalar(value) = arg
            && let Some(number) = value.as_integer().and_then(|n| i64::try_from(n).ok())
        {
            constants.insert(procedure.vars[var.0 as usize].name.to_string(), number);
        }
    }
    constants
}
