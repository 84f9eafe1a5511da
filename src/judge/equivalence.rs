//! `equiv`: does the new program do what the old one did? Both run from the same inputs, each
//! through its own launch; what may be observed of them is compared through an observation map.

use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, Request};
use crate::input::request::{device_limits, launches_keep};
use crate::run::trial::{self, Decision, Trial};
use crate::subject::compared::compared;
use crate::subject::compared_contents::compared_contents;
use crate::subject::declared_contents;
use crate::subject::indices::{Flow, Named};
use crate::subject::prepared::Prepared;
use crate::subject::taken::TakenForGranted;
use crate::subject::{self, Elsewhere, EntryPoint};
use crate::words::sentences::note;
use gridlock_checker::equiv::{
    self, CompareOptions, Comparison, Modulo, NamesOfSides, ObservationMap, OutcomeSet,
};
use gridlock_checker::finding::{DefectKind, ScheduleStep, Statistics};
use gridlock_checker::replay;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::explanation::ComparedSide;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::site::Site;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::report::witness::{Whose, WitnessDifference};
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::verdict::{Assurance, Engine, Property, PropertyResult, Reason, Verdict};
use gridlock_frontend::ParseOptions;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::setup::arbitrary;
use gridlock_semantics::setup::{Arg, ArrayArg, Launch, Setup};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// One side as the command line names it.
#[derive(Clone, Debug)]
pub struct Side {
    /// The source file.
    pub file: PathBuf,
    /// How the front end reads it.
    pub parse: ParseOptions,
    /// What of it is compared, and with which inputs.
    pub entry: EntryRequest,
}

/// How observables are compared.
#[derive(Clone, Debug, Default)]
pub struct EquivOptions {
    /// Relations of an observation map; empty for the identity.
    pub observe: Vec<String>,
    /// `assoc-comm`; floats are compared bit by bit when absent.
    pub modulo: Option<String>,
    /// Compare even where the original is itself defective.
    pub allow_source_defects: bool,
}

/// A program with its entry, ready to be compared.
pub struct Compared<'a> {
    /// As reports name it.
    pub file: String,
    /// The program in all its forms.
    pub prepared: &'a Prepared,
    /// The entry with what the user fixed of it.
    pub point: EntryPoint,
}

/// Reads two files and compares them.
///
/// # Errors
/// Bad input on either side, or in the observation map.
pub fn equiv_files(
    old: &Side,
    new: &Side,
    request: &Request,
    options: &EquivOptions,
) -> Result<Judgement, InputError> {
    let started = Instant::now();
    let device = device_limits(request)?;
    let mut assumptions = Statements::default();
    let mut read = |side: &Side| -> Result<(String, Prepared, EntryPoint), InputError> {
        let shown = side.file.display().to_string();
        let parsed = crate::input::source::parse(&side.file, &side.parse)?;
        let entry = crate::input::source::launch_from_headers(&side.entry, &parsed)?;
        let proc = crate::subject::entries::single_entry(&shown, &parsed, &entry)?;
        let taken = TakenForGranted::of(&parsed);
        let prepared = Prepared::new(parsed.program);
        taken.note(&prepared.surface, &[proc], &mut assumptions);
        let mut point = subject::resolve_entry(&prepared.surface, proc, &entry, device.as_ref())?;
        point.device = launches_keep(request);
        Ok((shown, prepared, point))
    };
    let (old_file, old_prepared, old_point) = read(old)?;
    let (new_file, new_prepared, new_point) = read(new)?;
    let old = Compared {
        file: old_file,
        prepared: &old_prepared,
        point: old_point,
    };
    let new = Compared {
        file: new_file,
        prepared: &new_prepared,
        point: new_point,
    };
    let mut judgement = compare(&old, &new, request, options)?;
    judgement.assumptions.extend(assumptions);
    judgement.statistics.seconds = started.elapsed().as_secs_f64();
    Ok(judgement)
}

/// Compares two programs.
///
/// # Errors
/// An observation map that does not parse; entries that do not correspond; extents that do not
/// evaluate.
pub fn compare(
    old: &Compared,
    new: &Compared,
    request: &Request,
    options: &EquivOptions,
) -> Result<Judgement, InputError> {
    let map = observation_map(options)?;
    let modulo = modulo(options)?;
    let floats_decide = [old, new]
        .iter()
        .any(|side| floats_decide(&side.prepared.surface));
    let deadline = request.deadline(1);
    let mut judgement = empty(request, options);
    let old = &Compared {
        file: old.file.clone(),
        prepared: old.prepared,
        point: EntryPoint {
            elsewhere: compared_by_the_other(old, new),
            ..old.point.clone()
        },
    };
    // Indices of -1 are left out: where the original has none, they would only make the question moot.
    let further = subject::n_compared(&old.prepared.surface, &old.point);
    for side in [old, new] {
        judgement.subjects.push(Subject {
            file: side.file.clone(),
            kernel: side.prepared.surface.proc(side.point.proc).name.to_string(),
            launch: subject::describe(&side.prepared.surface, &side.point),
            inputs: format!(
                "random, {} a launch, seed {}{}",
                request.sampling.count,
                request.sampling.seed,
                match further {
                    0 => "",
                    _ => subject::WHAT_IS_COMPARED,
                }
            ),
        });
    }
    let mut result = PropertyResult {
        subject: 1,
        kind: Property::Equivalence,
        verdict: Verdict::Unknown,
        reason: Some(Reason::NotAttempted),
        assurance: None,
        engine: None,
        explanation: String::new(),
    };
    let mut engine = Engine::CanonicalRun;
    let mut n_runs = 0;
    let mut open: Option<(Reason, String)> = None;
    let asks = [old, new].iter().any(|side| {
        let procedure = side.prepared.surface.proc(side.point.proc);
        let mut params = procedure.params.iter();
        params.any(|var| procedure.is_arbitrary(*var))
    });
    let old_names = ArrayNames::new(&old.prepared.surface, old.point.proc);
    let new_names = ArrayNames::new(&new.prepared.surface, new.point.proc);
    'all: for (old_launch, new_launch) in launches(old, new)? {
        for sample in 0..request.sampling.count + further {
            if deadline.left() <= 0.0 {
                open = Some((Reason::Limit, gridlock_checker::limits::TIME.to_owned()));
                break 'all;
            }
            let old_setup = subject::sampled_setup(
                &old.prepared.surface,
                &old.point,
                old_launch,
                request.sampling,
                sample,
            )?;
            let new_setup = paired_setup(old, new, &old_setup, new_launch)?;
            let old_trial = run_side(old, &old_setup, request, deadline, &mut judgement);
            let new_trial = run_side(new, &new_setup, request, deadline, &mut judgement);
            if old_trial.vacuous || new_trial.vacuous {
                continue;
            }
            n_runs += 1;
            if old_trial.outcomes.defective && !options.allow_source_defects {
                let mut defects = old_trial.defects.clone();
                defects.iter_mut().for_each(|d| d.subject = 0);
                let kind = defects.first().map_or("defect", |d| d.kind.name());
                open = Some((
                    Reason::SourceDefective,
                    format!("the original has a {kind} itself, which makes the question moot"),
                ));
                judgement.defects.extend(defects);
                break 'all;
            }
            if !new_trial.defects.is_empty() && asks {
                let kind = new_trial.defects[0].kind.name();
                open.get_or_insert((
                    Reason::Inconclusive,
                    format!(
                        "the new program has a {kind} for some arbitrary values; whether the \
                             original has one for others is open"
                    ),
                ));
                continue;
            }
            if !new_trial.defects.is_empty() {
                result.verdict = Verdict::Refuted;
                result.explanation = format!(
                    "the new program has a defect the original has not: {}",
                    new_trial.defects[0].kind.name()
                );
                for mut defect in new_trial.defects.clone() {
                    defect.subject = 1;
                    judgement.defects.push(defect);
                }
                break 'all;
            }
            for trial in [&old_trial, &new_trial] {
                if let Some(why) = &trial.ending {
                    open.get_or_insert(why.clone());
                }
                match &trial.decision {
                    Decision::Decided(by) => engine = engine.min(*by),
                    Decision::Undecided { reason, why } => {
                        open.get_or_insert((*reason, why.clone()));
                    }
                }
            }
            let how = CompareOptions {
                modulo,
                floats_decide,
                allow_source_defects: options.allow_source_defects,
                constants: constants(old, &old_setup),
                names: Some(NamesOfSides {
                    new: &new_names,
                    old: &old_names,
                }),
            };
            let comparison =
                equiv::compare_outcomes(&new_trial.outcomes, &old_trial.outcomes, &map, &how)
                    .map_err(|error| InputError::usage(error.to_string()))?;
            match comparison {
                Comparison::Equivalent => {}
                Comparison::Refines { .. } if open.is_none() => {
                    judgement.remarks.note(Remark::Refines {});
                }
                Comparison::Refines { .. } => {}
                // The original is free to be given other values than the new program was.
                Comparison::Different(_) if asks => {
                    open.get_or_insert((
                        Reason::Inconclusive,
                        "given the same arbitrary values, the two differ; whether the original \
                         gives the same for others is open"
                            .to_owned(),
                    ));
                }
                Comparison::Different(difference) => {
                    let defect = not_equivalent(
                        (old, &old_setup),
                        (new, &new_setup),
                        &difference,
                        &map,
                        &how,
                        request,
                    );
                    if let Some(defect) = defect {
                        result.verdict = Verdict::Refuted;
                        result.explanation = difference.message.clone();
                        judgement.defects.push(defect);
                        break 'all;
                    }
                    open = Some((
                        Reason::Inconclusive,
                        "a difference was found that a replay does not show".to_owned(),
                    ));
                }
                Comparison::Unknown { reason, why } => {
                    open.get_or_insert((reason, why));
                }
            }
        }
    }
    if result.verdict != Verdict::Refuted {
        match open {
            Some((reason, why)) => {
                result.reason = Some(reason);
                result.explanation = why;
            }
            None if n_runs == 0 => {
                result.reason = Some(Reason::Vacuous);
                result.explanation = "no input meets the programs' assumptions".to_owned();
            }
            None => {
                result.verdict = Verdict::Passed;
                result.reason = None;
                result.assurance = Some(Assurance::AllSchedules);
                result.explanation = match engine {
                    Engine::Explorer => format!(
                        "the same outcomes in every schedule explored of {n_runs} sampled inputs"
                    ),
                    _ => format!(
                        "the same outcome in every schedule of {n_runs} sampled inputs, by the \
                         canonical run"
                    ),
                };
            }
        }
    } else {
        result.reason = None;
    }
    if result.verdict != Verdict::Unknown {
        result.engine = Some(engine);
    }
    judgement.properties.push(result);
    crate::judge::overall::summarise(&mut judgement);
    Ok(judgement)
}

fn observation_map(options: &EquivOptions) -> Result<ObservationMap, InputError> {
    options
        .observe
        .join("; ")
        .parse()
        .map_err(|error: equiv::MapError| InputError::usage(error.to_string()))
}

fn modulo(options: &EquivOptions) -> Result<Modulo, InputError> {
    match options.modulo.as_deref() {
        None => Ok(Modulo::Exact),
        Some("assoc-comm") => Ok(Modulo::AssocComm),
        Some(other) => Err(InputError::usage(format!(
            "--modulo {other}: floats are compared bit by bit, or modulo assoc-comm; whether two programs \
             agree over the real numbers is not decided"
        ))),
    }
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

fn empty(request: &Request, options: &EquivOptions) -> Judgement {
    Judgement {
        profile: request.profile.clone(),
        subjects: Vec::new(),
        verdict: Verdict::Unknown,
        reason: None,
        assurance: None,
        modulo: options.modulo.clone(),
        properties: Vec::new(),
        defects: Vec::new(),
        assumptions: crate::subject::taken::of_the_machine(&request.profile),
        conditions: Vec::new(),
        remarks: Statements::default(),
        not_judged: Statements::default(),
        limits_hit: Vec::new(),
        statistics: Statistics::default(),
    }
}

/// A launch of the old side and one of the new; host functions have none.
type LaunchPair = (Option<Launch>, Option<Launch>);

/// The launches to compare at: those given; a kernel without one takes the other side's; two
/// kernels without any go over the ladder together.
fn launches(old: &Compared, new: &Compared) -> Result<Vec<LaunchPair>, InputError> {
    let is_kernel =
        |side: &Compared| side.prepared.surface.proc(side.point.proc).kind == ProcKind::Kernel;
    let (a, b) = (old.point.launch, new.point.launch);
    Ok(match (is_kernel(old), is_kernel(new)) {
        (false, false) => vec![(None, None)],
        (true, true) if a.is_none() && b.is_none() => {
            let either = EntryPoint {
                asked: old.point.asked.or(new.point.asked),
                ..old.point.clone()
            };
            subject::launch_ladder(&old.prepared.surface, &either, None)
                .into_iter()
                .map(|l| (Some(l), Some(l)))
                .collect()
        }
        (true, true) => vec![(a.or(b), b.or(a))],
        (true, false) if a.is_some() => vec![(a, None)],
        (false, true) if b.is_some() => vec![(None, b)],
        _ => {
            return Err(InputError::usage(
                "comparing a kernel with a host function needs the kernel's launch \
                 (--a-grid/--a-block or --b-grid/--b-block)",
            ));
        }
    })
}

/// The new side's setup with the old side's inputs: parameters correspond by name, else by
/// position.
fn paired_setup(
    old: &Compared,
    new: &Compared,
    old_setup: &Setup,
    launch: Option<Launch>,
) -> Result<Setup, InputError> {
    let old_proc = old.prepared.surface.proc(old.point.proc);
    let new_proc = new.prepared.surface.proc(new.point.proc);
    let mut args = Vec::new();
    let mut arrays: Vec<ArrayArg> = Vec::new();
    let mut scalars = new.point.scalars.clone();
    for (position, &var) in new_proc.params.iter().enumerate() {
        let decl = &new_proc.vars[var.0 as usize];
        let partner = partner(old_proc, new_proc, position, var);
        if let (Type::Scalar(_), Some(Arg::Scalar(value))) =
            (decl.ty, partner.map(|p| &old_setup.args[p]))
        {
            scalars.entry(var).or_insert(*value);
        }
    }
    for (position, &var) in new_proc.params.iter().enumerate() {
        let decl = &new_proc.vars[var.0 as usize];
        let partner = partner(old_proc, new_proc, position, var);
        let unpaired = || {
            InputError::usage(format!(
                "parameter `{}` of `{}` has no counterpart in `{}`; give it with --b-arg or \
                 --b-extent",
                decl.name, new_proc.name, old_proc.name
            ))
        };
        match decl.ty {
            Type::Scalar(_) => {
                args.push(Arg::Scalar(*scalars.get(&var).ok_or_else(unpaired)?));
            }
            // Values that only the new program asks for may be any.
            Type::Pointer(pointer) if partner.is_none() && new_proc.is_arbitrary(var) => {
                args.push(Arg::Array(arrays.len()));
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent: None,
                    contents: arbitrary::contents(&decl.name, pointer.elem, position as u64),
                    observed: false,
                });
            }
            Type::Pointer(_)
                if new.point.nulls.contains(&var)
                    || partner.is_some_and(|p| old_setup.args[p] == Arg::Null) =>
            {
                args.push(Arg::Null);
            }
            Type::Pointer(pointer) => {
                let Some(Arg::Array(index)) = partner.map(|p| &old_setup.args[p]) else {
                    return Err(unpaired());
                };
                let source = &old_setup.arrays[*index];
                if source.elem != pointer.elem {
                    return Err(unpaired());
                }
                let extent = match new.point.extents.get(&var) {
                    Some(spec) => Some(subject::evaluate_extent(
                        &new.prepared.surface,
                        new.point.proc,
                        spec,
                        &scalars,
                    )?),
                    None => source.extent,
                };
                args.push(Arg::Array(arrays.len()));
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent,
                    contents: source.contents.clone(),
                    observed: !pointer.is_const,
                });
            }
        }
    }
    let new_program = &new.prepared.surface;
    let declared = old_setup.declared.iter().filter_map(|(id, contents)| {
        let name = &old.prepared.surface.array(*id).name;
        let (found, _) = declared_contents::named(new_program, new_proc, name)?;
        Some((found, contents.clone()))
    });
    Ok(Setup {
        device: old_setup.device,
        declared: declared.collect(),
        entry: new.point.proc,
        launch,
        args,
        arrays,
    })
}

/// The position of the old side's parameter that the new side's number `position`, `var`, corresponds to: by
/// name, else by position.
fn partner(old: &Procedure, new: &Procedure, position: usize, var: VarId) -> Option<usize> {
    let name = &new.vars[var.0 as usize].name;
    let is_named = |v: &VarId| old.vars[v.0 as usize].name == *name;
    let found = old.params.iter().position(is_named);
    if new.is_arbitrary(var) {
        return found.or_else(|| corresponding(old, new, var));
    }
    found.or((position < old.own_params().count()).then_some(position))
}

/// What the new side compares the inputs with, by the old side's parameters.
fn compared_by_the_other(old: &Compared, new: &Compared) -> Elsewhere {
    let program = &new.prepared.surface;
    let (old_proc, new_proc) = (
        old.prepared.surface.proc(old.point.proc),
        program.proc(new.point.proc),
    );
    let flow = Flow::of(program, new.point.proc);
    let mut contents = compared_contents(program, &flow, new.point.proc);
    let mut scalars = compared(program, new.point.proc);
    let mut elsewhere = Elsewhere::default();
    for (position, var) in new_proc.params.iter().enumerate() {
        let Some(partner) = partner(old_proc, new_proc, position, *var) else {
            continue;
        };
        let of_old = old_proc.params[partner];
        let constants = contents.remove(&Named::Param(*var)).unwrap_or_default();
        elsewhere
            .contents
            .entry(of_old)
            .or_default()
            .extend(constants);
        let constants = scalars.remove(var).unwrap_or_default();
        elsewhere
            .scalars
            .entry(of_old)
            .or_default()
            .extend(constants);
    }
    elsewhere
}

/// The position of the old side's parameter that holds the values the new side's `var` does: both
/// are the so-manieth place that asks for values of this type.
fn corresponding(old: &Procedure, new: &Procedure, var: VarId) -> Option<usize> {
    let ty = new.vars[var.0 as usize].ty;
    let asks = |proc: &Procedure, v: VarId| {
        proc.is_arbitrary(v) && proc.vars[v.0 as usize].ty.same_shape(ty)
    };
    let earlier = new.params.iter().take_while(|v| **v != var);
    let number = earlier.filter(|v| asks(new, **v)).count();
    let same = old.params.iter().enumerate();
    let mut same = same.filter(|(_, v)| asks(old, **v));
    same.nth(number).map(|(position, _)| position)
}

fn run_side(
    side: &Compared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
    judgement: &mut Judgement,
) -> Trial {
    let trial = trial::run(side.prepared, setup, request, deadline);
    judgement.statistics += trial.statistics;
    judgement.remarks.extend(trial.remarks.iter().cloned());
    trial
        .limits_hit
        .iter()
        .for_each(|l| note(&mut judgement.limits_hit, l.clone()));
    trial
}

/// The defect of a difference, when running both sides again on the reference shows it: each
/// follows its schedule and then goes on in canonical order to its end.
fn not_equivalent(
    old: (&Compared, &Setup),
    new: (&Compared, &Setup),
    difference: &equiv::Difference,
    map: &ObservationMap,
    how: &CompareOptions<'_>,
    request: &Request,
) -> Option<Defect> {
    let seen = |(side, setup): (&Compared, &Setup), schedule: &[ScheduleStep]| {
        let program = &side.prepared.surface;
        let system = ExploredProgram::new(program, setup, &request.profile).ok()?;
        replay::observation_after(&system, schedule).map(OutcomeSet::deterministic)
    };
    let old_seen = seen(old, &difference.old_schedule)?;
    let new_seen = seen(new, &difference.new_schedule)?;
    let again = equiv::compare_outcomes(&new_seen, &old_seen, map, how).ok()?;
    let Comparison::Different(shown) = again else {
        return None;
    };
    let witness = |(side, setup): (&Compared, &Setup), whose: Whose| {
        let (schedule, cells) = match whose {
            Whose::Old => (&difference.old_schedule, &shown.old_cells),
            Whose::New => (&difference.new_schedule, &shown.new_cells),
        };
        let program = &side.prepared.surface;
        let kind = DefectKind::NotEquivalent;
        let mut witness = replay::witness(program, setup, &request.profile, kind, schedule.clone());
        witness.difference = Some(WitnessDifference {
            side: whose,
            cells: cells.clone(),
            new_value: shown.new_value,
            old_value: shown.old_value,
            relation: shown.relation.clone(),
        });
        let told = replay::compared_side(&witness, program).ok();
        (witness, told)
    };
    let (original, old_told) = witness(old, Whose::Old);
    let (witness, new_told) = witness(new, Whose::New);
    let compared: Vec<ComparedSide> = old_told.into_iter().chain(new_told).collect();
    Some(Defect {
        subject: 1,
        kind: DefectKind::NotEquivalent,
        message: shown.message.clone(),
        array: shown.array.clone(),
        index: shown.index,
        element: None,
        space: None,
        accesses: compared.iter().flat_map(last_writers).collect(),
        threads: Vec::new(),
        explanation: Some(replay::compared(&witness, compared)),
        grade: Default::default(),
        confirmed: true,
        witness: Some(witness),
        original: Some(original),
    })
}

/// Where what one side leaves was written last, before it was copied.
fn last_writers(side: &ComparedSide) -> Vec<Site> {
    let origins = side.cells.iter().filter_map(|cell| cell.wrote.last());
    origins
        .map(|moment| Site {
            state: format!("writes here last, in the {} program", side.side.name()),
            ..moment.site.clone()
        })
        .collect()
}
