//! `equiv`: does the new program do what the old one did? Both run from the same inputs, each
//! through its own launch; what may be observed of them is compared through an observation map.

mod all_inputs;
mod all_sizes;
mod comparing;
mod concluding;
mod difference;
mod file_variables;
mod launches;
pub mod output;
mod paired;
mod sides;

pub use sides::{Compared, EquivOptions, Side};

use crate::input::error::InputError;
use crate::input::request::{Request, launches_keep, limits_of_launch};
use crate::subject::declared_contents::filled_by_host;
use crate::subject::prepared::Prepared;
use crate::subject::printed::not_compared;
use crate::subject::taken::{TakenForGranted, beyond_devices};
use crate::subject::{self, EntryPoint, premises};
use comparing::Comparing;
use gridlock_checker::equiv::{self, Modulo, ObservationMap};
use gridlock_checker::finding::Statistics;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::{Gap, NotJudged};
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::algebra::program::ProcKind;
use std::time::Instant;

/// Reads two files and compares them.
///
/// # Errors
/// Bad input on either side, or in the observation map; two kernels of which no launch is known.
pub fn equiv_files(
    old: &Side,
    new: &Side,
    request: &Request,
    options: &EquivOptions,
) -> Result<Judgement, InputError> {
    let started = Instant::now();
    let mut assumptions = Statements::default();
    let mut remarks = Statements::default();
    let mut printed = Vec::new();
    let mut read = |side: &Side| -> Result<(String, Prepared, EntryPoint), InputError> {
        let shown = side.file.display().to_string();
        let parsed = crate::input::source::parse(&side.file, &side.parse)?;
        let entry = crate::input::source::launch_from_headers(&side.entry, &parsed)?;
        let device = limits_of_launch(request, &entry)?;
        let proc = crate::subject::entries::single_entry(&shown, &parsed, &entry)?;
        let taken = TakenForGranted::of(&parsed);
        printed.push(not_compared(&parsed, proc));
        let fillable = parsed.fillable.clone();
        let prepared = Prepared::new(parsed.program);
        let program = &prepared.surface;
        taken.note(program, &[proc], &mut assumptions);
        let mut point = subject::resolve_entry(program, proc, &entry, device.as_ref())?;
        point.device = launches_keep(request);
        assumptions.extend(beyond_devices(&point));
        point.filled = filled_by_host(program, &point, &fillable);
        // A table that has contents is taken with these: a host seldom writes over what the file says.
        let is_empty = |init: &[_]| init.is_empty();
        point
            .filled
            .retain(|id| program.array(*id).init.as_deref().is_none_or(is_empty));
        note_contents(&prepared, &point, &mut assumptions, &mut remarks);
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
    if launches::is_open(&old, &new)
        && let Some(why) = stops_at_all_sizes(&old, &new, request, options)?
    {
        return Err(launches::asked_for(&old, request, &why));
    }
    let mut judgement = compare(&old, &new, request, options)?;
    judgement.assumptions.extend(assumptions);
    judgement.remarks.extend(remarks);
    if !options.ignore_output && printed.iter().any(Option::is_some) {
        output::withdraw(&mut judgement);
    }
    for (subject, gap) in printed.into_iter().enumerate() {
        let told = |gap: &Gap| judgement.not_judged.iter().any(|told| told.gap == *gap);
        let gap = gap.filter(|gap| !told(gap)).map(|gap| NotJudged {
            subject,
            gap,
            place: None,
        });
        judgement.not_judged.extend(gap);
    }
    judgement.statistics.seconds = started.elapsed().as_secs_f64();
    Ok(judgement)
}

/// What the memory of a file holds when its kernel starts: an input, or what the file declares.
fn note_contents(
    prepared: &Prepared,
    point: &EntryPoint,
    assumptions: &mut Statements<Assumption>,
    remarks: &mut Statements<Remark>,
) {
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    if procedure.kind != ProcKind::Kernel {
        return;
    }
    let name = |id: &_| program.array(*id).name.to_string();
    let kernel = procedure.name.to_string();
    if !point.filled.is_empty() {
        remarks.note(Remark::FilledByHost {
            kernel: kernel.clone(),
            arrays: point.filled.iter().map(name).collect(),
        });
    }
    let declared = premises::declared_arrays(program, point.proc);
    let is_open = |id: &&_| point.filled.contains(*id) || point.declared.contains_key(*id);
    let arrays: Vec<String> = declared
        .iter()
        .filter(|id| !is_open(id))
        .map(name)
        .collect();
    if !arrays.is_empty() {
        assumptions.note(Assumption::ContentsAsDeclared { kernel, arrays });
    }
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
    prepared(old, new, request, options, &mut |comparing| {
        comparing.judge()
    })
}

/// Whether two kernels are proved to leave the same for all inputs, at the launches that [`compare`] compares them at,
/// whatever samples say: for tests that contradict.
///
/// # Errors
/// Those of [`compare`].
pub fn is_proved(
    old: &Compared,
    new: &Compared,
    request: &Request,
    options: &EquivOptions,
) -> Result<bool, InputError> {
    prepared(old, new, request, options, &mut |comparing| {
        comparing.proof_goes_through()
    })
}

/// Whether two kernels are proved to leave the same at every launch, whatever samples say.
///
/// # Errors
/// Those of [`compare`].
pub fn is_proved_at_all_sizes(
    old: &Compared,
    new: &Compared,
    request: &Request,
    options: &EquivOptions,
) -> Result<bool, InputError> {
    Ok(stops_at_all_sizes(old, new, request, options)?.is_none())
}

/// What the proof at every launch stops at; `None`: it goes through.
fn stops_at_all_sizes(
    old: &Compared,
    new: &Compared,
    request: &Request,
    options: &EquivOptions,
) -> Result<Option<String>, InputError> {
    prepared(old, new, request, options, &mut |comparing| {
        comparing.stops_at_all_sizes()
    })
}

/// What `judge` makes of the comparison.
fn prepared<T>(
    old: &Compared,
    new: &Compared,
    request: &Request,
    options: &EquivOptions,
    judge: &mut dyn FnMut(Comparing<'_>) -> Result<T, InputError>,
) -> Result<T, InputError> {
    let map = observation_map(options)?;
    let modulo = modulo(options)?;
    if modulo != Modulo::Exact && options.tolerance.is_some() {
        return Err(InputError::usage(
            "--modulo beside --ulps, --rtol or --atol: floats are compared in one way",
        ));
    }
    let old_prepared = old.prepared.watched();
    let new_prepared = new.prepared.watched();
    let old = Compared {
        file: old.file.clone(),
        prepared: &old_prepared,
        point: EntryPoint {
            elsewhere: paired::compared_by_the_other(old, new),
            ..old.point.clone()
        },
    };
    let new = Compared {
        file: new.file.clone(),
        prepared: &new_prepared,
        point: new.point.clone(),
    };
    let judgement = empty(request, options);
    judge(Comparing::new(
        &old, &new, request, options, &map, modulo, judgement,
    ))
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
        Some("reals") => Ok(Modulo::Reals),
        Some(other) => Err(InputError::usage(format!(
            "--modulo {other}: floats are compared bit by bit, modulo assoc-comm, or as real numbers (--modulo reals)"
        ))),
    }
}

fn empty(request: &Request, options: &EquivOptions) -> Judgement {
    Judgement {
        profile: request.profile.clone(),
        subjects: Vec::new(),
        verdict: Verdict::Unknown,
        reason: None,
        assurance: None,
        modulo: options.modulo.clone(),
        tolerance: options.tolerance,
        largest_difference: None,
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
