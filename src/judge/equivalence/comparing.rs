//! The samples of a comparison, one after the other, and what comes of them.
//!
//! First those of small numbers, on which the original must show no defect. Then *wide* ones over the whole
//! range of the types, as long as they take branches that no sample took before: one that leads to a defect
//! of the original, or that it does not come to an end with, asks for more than it was made for, and does not
//! count.

use super::difference::{not_equivalent, overflows, rounds};
use super::file_variables::FileVariables;
use super::launches::{LaunchPair, launches};
use super::paired::paired_setup;
use super::sides::{Compared, EquivOptions};
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::run::trial::{self, Decision, Trial};
use crate::subject::indices::Flow;
use crate::subject::{self, EntryPoint, Floats, Wide, data_scalars, may_be_dropped, premises};
use crate::words::sentences::{note, with_article};
use gridlock_checker::equiv::{
    self, CompareOptions, Comparison, Difference, Modulo, NamesOfSides, ObservationMap,
};
use gridlock_checker::explore::Outcome;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::quoted;
use gridlock_checker::report::tolerance::{LargestDifference, Tolerance, larger};
use gridlock_checker::verdict::{Engine, Reason};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::arithmetic::NULL;
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::setup::{Arg, Launch, Setup};
use std::collections::BTreeMap;
use std::time::Instant;

/// Wide samples of a launch at least, and at most.
const LEAST_WIDE: u32 = 2;
const MOST_WIDE: u32 = 12;
/// More at least where an argument is a size: those without elements, and two of unequal ones.
const OF_SIZES: u32 = 4;
/// Wide samples in a row that take no new branch, after which there are no more.
const IN_VAIN: u32 = 2;
/// Of a run of the original over the whole range: so many times the slowest run before, and seconds.
const TIMES_SLOWEST: f64 = 20.0;
const SECONDS: f64 = 0.5;

/// Of floats that differ as real numbers: closer ones may be rounded.
const FAR_APART: Tolerance = Tolerance {
    ulps: None,
    relative: 1e-3,
    absolute: 1e-3,
};

pub(super) struct Comparing<'a> {
    pub(super) old: &'a Compared<'a>,
    pub(super) new: &'a Compared<'a>,
    pub(super) request: &'a Request,
    pub(super) options: &'a EquivOptions,
    pub(super) map: &'a ObservationMap,
    pub(super) variables: FileVariables,
    pub(super) modulo: Modulo,
    pub(super) floats: Floats,
    pub(super) judgement: Judgement,
    pub(super) deadline: Deadline,
    pub(super) engine: Engine,
    pub(super) n_runs: u32,
    /// Values that were compared.
    pub(super) n_values: u64,
    pub(super) n_wide: u32,
    pub(super) n_left_out: u32,
    /// Why the answer is not that all is well.
    pub(super) open: Option<(Reason, String)>,
    /// The same where that is a difference of floats which another order of summation may explain: a proof may.
    pub(super) rounded: Option<(Reason, String)>,
    /// In words, what refutes.
    pub(super) refuted: Option<String>,
    pub(super) largest: Option<LargestDifference>,
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
pub(super) enum Sample {
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
#[derive(Clone)]
pub(super) struct How {
    /// Over the whole range of types: the original need not be made for that.
    pub is_wide: bool,
    /// Contents that are indices leave their arrays.
    pub leaves_range: bool,
    /// The cell that is known to differ as a real number, by much more than rounding explains.
    pub apart: Option<(String, i64)>,
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
            (Modulo::AssocComm | Modulo::Reals, _) => Floats::Exact,
            (_, Some(_)) => Floats::Ordinary,
            _ => Floats::Any,
        };
        Comparing {
            old,
            new,
            request,
            options,
            map,
            variables: FileVariables::of(old, new, map),
            modulo,
            floats: options.floats.unwrap_or(usual),
            judgement,
            deadline: request.deadline(1),
            engine: Engine::CanonicalRun,
            n_runs: 0,
            n_values: 0,
            n_wide: 0,
            n_left_out: 0,
            open: None,
            rounded: None,
            refuted: None,
            largest: None,
            slowest: 0.0,
            proof: None,
            suspects_are_run: true,
            not_at_all_sizes: None,
        }
    }

    pub fn judge(mut self) -> Result<Judgement, InputError> {
        let unpaired = [
            ("old", &self.variables.lost, "new"),
            ("new", &self.variables.added, "old"),
        ];
        for (writes, names, other) in unpaired {
            if !names.is_empty() {
                self.open.get_or_insert((
                    Reason::Inconclusive,
                    format!(
                        "the {writes} program may write {}, and nothing of the {other} one uses such a variable: an \
                         observation map says what it corresponds to (--observe)",
                        quoted(names)
                    ),
                ));
            }
        }
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
        self.take_back_what_is_proved();
        self.describe_inputs();
        self.note_premises();
        self.note_overflows();
        self.conclude();
        crate::judge::overall::summarise(&mut self.judgement);
        Ok(self.judgement)
    }

    /// What lies apart in samples is right where a proof for all inputs says so.
    fn take_back_what_is_proved(&mut self) {
        let Some((reason, why)) = self.rounded.take() else {
            return;
        };
        let why = match &self.proof {
            Some(Proof::AllSizes(_) | Proof::Whole) => return,
            Some(Proof::Stopped(stopped)) if !stopped.is_empty() => {
                format!("{why}; not proved for all inputs: {stopped}")
            }
            _ => why,
        };
        self.open.get_or_insert((reason, why));
    }

    /// Whether no proof speaks beside the samples.
    pub(super) fn proof_is_none(&self) -> bool {
        matches!(self.proof, None | Some(Proof::Stopped(_)))
    }

    /// Whether the values of all parameters of both sides are given, so that there is one input.
    pub(super) fn has_one_input(&self) -> bool {
        let is_given = |side: &Compared| side.point.has_one_input(&side.prepared.surface);
        is_given(self.old) && (is_given(self.new) || self.old_gives_all())
    }

    /// Whether no scalar argument of either side is given.
    pub(super) fn gives_no_argument(&self) -> bool {
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

    pub(super) fn n_compared(&self) -> u32 {
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
        let has_sizes = self.has_sizes();
        for number in 0..MOST_WIDE {
            let is_worth = missed > 0 && in_vain < IN_VAIN && self.engine == Engine::CanonicalRun;
            let least = match self.engine {
                Engine::CanonicalRun if has_sizes => LEAST_WIDE + OF_SIZES,
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
        let mut new = paired_setup(self.old, self.new, &mut old, new_launch, of_new)?;
        [old.observed, new.observed] = self.variables.observed();
        Ok((old, new))
    }

    pub(super) fn sample(
        &mut self,
        old_launch: Option<Launch>,
        new_launch: Option<Launch>,
        sample: Sample,
    ) -> Result<After, InputError> {
        let (old_setup, new_setup) = match self.setups(old_launch, new_launch, sample) {
            Err(_) if self.may_be_dropped() => {
                self.n_left_out += 1;
                return Ok(After::GoOn);
            }
            setups => setups?,
        };
        let how = How {
            is_wide: matches!(sample, Sample::Wide(_)),
            leaves_range: self.leaves_range(sample),
            apart: None,
        };
        self.pair(old_setup, new_setup, how)
    }

    fn may_be_dropped(&self) -> bool {
        let drops = |side: &Compared| may_be_dropped(&side.prepared.surface, &side.point);
        drops(self.old) || drops(self.new)
    }

    /// Whether an argument that is not given is a size or a place.
    fn has_sizes(&self) -> bool {
        [self.old, self.new].iter().any(|side| {
            let program = &side.prepared.surface;
            let procedure = program.proc(side.point.proc);
            let data = data_scalars(program, side.point.proc);
            procedure.params.iter().any(|var| {
                let ty = procedure.vars[var.0 as usize].ty;
                let is_integer = matches!(ty, Type::Scalar(ty) if ty.is_integer());
                is_integer && !data.contains(var) && !side.point.scalars.contains_key(var)
            })
        })
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
        let old_trial =
            trial::with_outcomes(self.old.prepared, &old_setup, self.request, until).to_its_end();
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
        let new_trial =
            trial::with_outcomes(self.new.prepared, &new_setup, self.request, until).to_its_end();
        self.judgement.statistics += new_trial.statistics;
        let is_cut = !new_trial.limits_hit.is_empty() && new_trial.defects.is_empty();
        if is_wide && is_cut && self.deadline.left() > 0.0 {
            self.n_left_out += 1;
            return Ok(After::GoOn);
        }
        self.take_over(&new_trial);
        if old_trial.vacuous {
            return Ok(After::GoOn);
        }
        if new_trial.vacuous {
            self.open.get_or_insert((
                Reason::Inconclusive,
                "the new program assumes what the old one does not: inputs that the old program takes do not meet it"
                    .to_owned(),
            ));
            return Ok(After::GoOn);
        }
        self.n_runs += 1;
        self.n_wide += u32::from(is_wide);
        let asks = self.asks();
        if old_trial.outcomes.defective && !self.options.allow_source_defects {
            let mut defects = old_trial.defects;
            defects.iter_mut().for_each(|d| d.subject = 0);
            let kind = with_article(defects.first().map_or("defect", |d| d.kind.name()));
            self.open = Some((
                Reason::SourceDefective,
                format!("the original has {kind} itself, which makes the question moot"),
            ));
            self.judgement.defects.extend(defects);
            return Ok(After::Stop);
        }
        if let Some(first) = new_trial.defects.first() {
            let kind = with_article(first.kind.name());
            if asks {
                self.open.get_or_insert((
                    Reason::Inconclusive,
                    format!(
                        "the new program has {kind} for some arbitrary values; whether the \
                         original has one for others is open"
                    ),
                ));
                return Ok(After::GoOn);
            }
            if is_wide && overflows((self.old, &old_setup), &[], self.request) {
                self.open
                    .get_or_insert(beyond_c(&format!("the new program has {kind}")));
                return Ok(After::GoOn);
            }
            self.refuted = Some(format!(
                "the new program has a defect the original has not: {}",
                first.kind.name()
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
        self.compare((&old_trial, &old_setup), (&new_trial, &new_setup), &how)
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
        of_pair: &How,
    ) -> Result<After, InputError> {
        let is_wide = of_pair.is_wide;
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
        let floats_decide = how.floats_decide;
        if [old_trial, new_trial]
            .iter()
            .any(|trial| gives_pointer(trial))
        {
            self.open.get_or_insert((
                Reason::Unsupported,
                "what the pointer that is returned leads to is not compared".to_owned(),
            ));
        }
        let comparison =
            equiv::compare_outcomes(&new_trial.outcomes, &old_trial.outcomes, self.map, &how)
                .map_err(|error| InputError::usage(error.to_string()))?;
        match comparison {
            Comparison::Equivalent {
                largest,
                n_compared,
            } => {
                self.n_values += n_compared;
                let tolerance = self.options.tolerance.as_ref();
                self.largest = larger(self.largest.take(), largest, tolerance);
            }
            Comparison::Refines { .. } if self.open.is_none() => {
                // What is missing was compared.
                self.n_values += 1;
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
                return Ok(self.refute(
                    (old, old_setup),
                    (new, new_setup),
                    &difference,
                    &how,
                    is_wide,
                ));
            }
            Comparison::Unknown { apart: Some(_), .. } if let Some(cell) = &of_pair.apart => {
                return self.compare_far_apart(
                    (old_trial, old_setup),
                    (new_trial, new_setup),
                    &how,
                    cell,
                );
            }
            Comparison::Unknown {
                apart: Some(difference),
                ..
            } if self.modulo == Modulo::AssocComm
                && is_one(old_trial)
                && is_one(new_trial)
                && !rounds((old, old_setup), &difference.old_schedule, self.request)
                && !rounds((new, new_setup), &difference.new_schedule, self.request) =>
            {
                let how = CompareOptions {
                    modulo: Modulo::Exact,
                    ..how
                };
                let after = self.refute(
                    (old, old_setup),
                    (new, new_setup),
                    &difference,
                    &how,
                    is_wide,
                );
                if let Some(why) = &mut self.refuted {
                    why.push_str("; neither run rounds a sum or product of floats");
                }
                return Ok(after);
            }
            Comparison::Unknown { reason, why, .. } => {
                // What floats decide is no float, and two orders of a sum may decide otherwise.
                let is_rounded = self.modulo != Modulo::Exact
                    && reason == Reason::Unsupported
                    && (!floats_decide || self.modulo == Modulo::Reals);
                let open = match is_rounded {
                    true => &mut self.rounded,
                    false => &mut self.open,
                };
                open.get_or_insert((reason, why));
            }
        }
        Ok(After::GoOn)
    }

    /// Compares two runs whose values of a cell are known to differ as real numbers: what lies so far apart there refutes.
    fn compare_far_apart(
        &mut self,
        (old_trial, old_setup): (&Trial, &Setup),
        (new_trial, new_setup): (&Trial, &Setup),
        how: &CompareOptions<'_>,
        (array, cell): &(String, i64),
    ) -> Result<After, InputError> {
        let how = CompareOptions {
            modulo: Modulo::Exact,
            tolerance: Some(FAR_APART),
            constants: how.constants.clone(),
            ..*how
        };
        let comparison =
            equiv::compare_outcomes(&new_trial.outcomes, &old_trial.outcomes, self.map, &how)
                .map_err(|error| InputError::usage(error.to_string()))?;
        let Comparison::Different(difference) = comparison else {
            return Ok(After::GoOn);
        };
        // Another cell may be rounded as far apart.
        if difference.array.as_ref() != Some(array) || difference.index != Some(*cell) {
            return Ok(After::GoOn);
        }
        let (old, new) = (self.old, self.new);
        let after = self.refute((old, old_setup), (new, new_setup), &difference, &how, true);
        if let Some(why) = &mut self.refuted {
            why.push_str("; as real numbers they differ, too");
        }
        Ok(after)
    }

    /// Takes a difference for what it is, if running both sides again shows it.
    fn refute(
        &mut self,
        old: (&Compared<'_>, &Setup),
        new: (&Compared<'_>, &Setup),
        difference: &Difference,
        how: &CompareOptions<'_>,
        is_wide: bool,
    ) -> After {
        if is_wide && overflows(old, &difference.old_schedule, self.request) {
            self.open.get_or_insert(beyond_c(&difference.message));
            return After::GoOn;
        }
        match not_equivalent(old, new, difference, self.map, how, self.request) {
            Some(defect) => {
                self.refuted = Some(refutation(difference));
                self.largest = difference.largest.clone();
                self.judgement.defects.push(defect);
                After::Stop
            }
            None => {
                self.open = Some((
                    Reason::Inconclusive,
                    "a difference was found that a replay does not show".to_owned(),
                ));
                After::GoOn
            }
        }
    }
}

/// The ways of branches of a side that no run has gone.
pub(super) fn missed(side: &Compared) -> Vec<gridlock_checker::compiled::Missed> {
    let reachable = premises::features(&side.prepared.surface, side.point.proc).reachable;
    side.prepared.compiled.branches(reachable).missed
}

/// Whether every schedule ends alike.
fn is_one(trial: &Trial) -> bool {
    trial.outcomes.outcomes.len() == 1
}

/// Whether some run ends with a pointer as its result.
fn gives_pointer(trial: &Trial) -> bool {
    let is_pointer = |value: &Value| matches!(value, Value::Pointer(_)) && *value != NULL;
    trial.outcomes.outcomes.keys().any(|outcome| match outcome {
        Outcome::Observation(seen) => seen.result.as_ref().is_some_and(is_pointer),
        _ => false,
    })
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
pub(super) fn most(largest: Option<&LargestDifference>) -> Option<String> {
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
pub(super) fn floats_decide(program: &Program) -> bool {
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
pub(super) fn constants(old: &Compared, setup: &Setup) -> BTreeMap<String, i64> {
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
