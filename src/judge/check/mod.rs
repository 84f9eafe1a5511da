//! `check`: is this kernel or host program free of defects? Symbolic first, then the canonical
//! run and the explorer; the report says what each established.

mod at_launch;
mod behind;
mod conditional;
mod conditions;
mod contents;
mod established;
mod grades;
mod harmless;
mod host_code;
mod judged;
mod meeting;
mod open_shared;
mod out_of_the_ordinary;
mod runs;
mod so_far;
mod symbolic;
mod table;
mod unasked;
mod vacuous;

use crate::input::contents::ContentsSpec;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, Request, launches_keep, limits_of_launch};
use crate::judge::pointer_premises::Entry;
use crate::judge::preconditions::Portable;
use crate::subject::declared_contents::filled_by_host;
use crate::subject::prepared::Prepared;
use crate::subject::taken::{TakenForGranted, beyond_devices};
use crate::subject::{self, EntryPoint, entries, premises};
use established::established;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::verdict::{Property, PropertyResult, Reason, Verdict};
use gridlock_frontend::{ParseOptions, Parsed};
use gridlock_proofs::defects::Safety;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use judged::Judged;
pub use judged::empty_judgement;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// Seconds for a kernel that host code launches, beyond the launches that it makes.
const MOST_BEYOND: f64 = 2.0;

/// Reads a file and judges the entries asked for.
///
/// # Errors
/// Bad input: a missing file, a syntax error, an unsupported construct reachable from the chosen
/// entry (or from every kernel), names that do not resolve, a launch the device refuses.
pub fn check_file(
    file: &Path,
    parse: &ParseOptions,
    entry: &EntryRequest,
    request: &Request,
) -> Result<Judgement, InputError> {
    let parsed = crate::input::source::parse(file, parse)?;
    check_parsed(&file.display().to_string(), parsed, entry, request)
}

/// Judges the entries of a parsed file.
pub fn check_parsed(
    file: &str,
    parsed: Parsed,
    entry: &EntryRequest,
    request: &Request,
) -> Result<Judgement, InputError> {
    let started = Instant::now();
    let chosen = entries::choose(file, &parsed, entry)?;
    let entry = &crate::input::source::launch_from_headers(entry, &parsed)?;
    let device = limits_of_launch(request, entry)?;
    let taken = TakenForGranted::of(&parsed);
    let fillable = parsed.fillable.clone();
    let prepared = Prepared::new(parsed.program);
    let mut judgement = empty_judgement(request);
    taken.note(&prepared.surface, &chosen.procs, &mut judgement.assumptions);
    let launched = match entry.launch.is_given() {
        true => BTreeSet::new(),
        false => entries::launched_by_host(&prepared.surface, &chosen.procs),
    };
    let n_entries = chosen.procs.len();
    let before = RefCell::default();
    for (position, &proc) in chosen.procs.iter().enumerate() {
        let mut point = subject::resolve_entry(&prepared.surface, proc, entry, device.as_ref())?;
        point.device = launches_keep(request);
        judgement.assumptions.extend(beyond_devices(&point));
        let when = When {
            deadline: request.deadline(n_entries - position),
            later: &chosen.procs[position + 1..],
            before: &before,
            chosen: taken.with_chosen_numbers(proc),
        };
        if !launched.contains(&proc) {
            point.filled = filled_by_host(&prepared.surface, &point, &fillable);
            judge_entry(
                &mut judgement,
                file,
                &prepared,
                &point,
                request,
                device.as_ref(),
                &when,
            )?;
            continue;
        }
        // Host code gives the launch, so that is what is judged. Beyond it, a proof for all
        // launches strengthens the report, and a defect is a condition.
        let mut beyond = empty_judgement(request);
        point.host_launches.clear();
        let when = When {
            deadline: Deadline::after(MOST_BEYOND.min(when.deadline.left())),
            ..when
        };
        judge_entry(
            &mut beyond,
            file,
            &prepared,
            &point,
            &Request {
                conditional: false,
                ..request.told_to_nobody()
            },
            device.as_ref(),
            &when,
        )?;
        crate::judge::overall::summarise(&mut beyond);
        conditions::merge(&mut judgement, beyond, &prepared.surface);
    }
    for lost in chosen.unsupported {
        let place = format!("{}:{}:{}", lost.file, lost.line, lost.column);
        let why = format!("{} ({place})", lost.message);
        let name = lost.proc.to_string();
        unread(
            &mut judgement,
            file,
            name,
            Property::Races,
            Reason::Unsupported,
            why,
        );
    }
    if let Some(left_out) = chosen.left_out {
        let index = judgement.subjects.len();
        unread(
            &mut judgement,
            file,
            "main".to_owned(),
            Property::Host,
            left_out.reason,
            left_out.open,
        );
        judgement.not_judged.note(NotJudged {
            subject: index,
            gap: left_out.gap,
            place: left_out.place,
        });
    }
    crate::judge::overall::summarise(&mut judgement);
    judgement.statistics.seconds = started.elapsed().as_secs_f64();
    Ok(judgement)
}

/// Whether a kernel at a launch that is given is proved to have no defect by a run on unknown inputs alone.
///
/// # Errors
/// As [`check_file`].
pub fn is_safe_at_launch(
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
) -> Result<bool, InputError> {
    let entry = Judged {
        file: "",
        subject: 0,
        prepared,
        point,
        request,
        device: None,
    };
    let deadline = request.deadline(1);
    let question = at_launch::Question::of(&entry, deadline)?;
    let found = question.map(|question| question.asked(&entry, deadline));
    Ok(matches!(found, Some(Safety::Safe)))
}

/// An entry that could not be judged at all, so that the whole file is undecided.
fn unread(
    judgement: &mut Judgement,
    file: &str,
    name: String,
    property: Property,
    reason: Reason,
    why: String,
) {
    let subject = judgement.subjects.len();
    judgement.subjects.push(Subject {
        file: file.to_owned(),
        kernel: name,
        launch: Default::default(),
        inputs: "none".to_owned(),
        host_launches: Vec::new(),
        host_tried: None,
    });
    judgement.properties.push(PropertyResult {
        subject,
        kind: property,
        verdict: Verdict::Unknown,
        reason: Some(reason),
        assurance: None,
        engine: None,
        explanation: why,
    });
}

/// Until when an entry is judged, and what comes after it.
pub(crate) struct When<'a> {
    pub deadline: Deadline,
    /// The entries judged later.
    pub later: &'a [ProcId],
    /// Conditions found for those judged before.
    pub before: &'a RefCell<Vec<Portable>>,
    /// The instance of a template that it is, where numbers in it were chosen.
    pub chosen: Option<&'a str>,
}

/// Judges one entry and adds what was found to the judgement. A host function that is closed (no
/// parameters) has one input, so that all schedules of it are all inputs.
pub(crate) fn judge_entry(
    judgement: &mut Judgement,
    file: &str,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    when: &When<'_>,
) -> Result<(), InputError> {
    let deadline = when.deadline;
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    let index = judgement.subjects.len();
    let entry = Judged {
        file,
        subject: index,
        prepared,
        point,
        request,
        device,
    };
    let (mut table, inputs) = established(judgement, &entry, deadline, when.later)?;
    if procedure.kind == ProcKind::Kernel {
        host_code::grade(&mut table, program, point);
    }
    if procedure.kind == ProcKind::Kernel
        && !contents::attempt(&mut table, judgement, &entry, deadline)?
        && !conditional::as_before(
            &mut table,
            judgement,
            &entry,
            &when.before.borrow(),
            deadline,
        )?
    {
        let hanging = grades::hang_on(&mut table, prepared, point, request, device, deadline);
        judgement.assumptions.extend(hanging.assumptions.clone());
        harmless::grade(&mut table, prepared, point, request, device, deadline);
        let found = conditional::attempt(&mut table, judgement, &entry, hanging, deadline)?;
        when.before.borrow_mut().extend(found);
        if let Some(instance) = when.chosen {
            unasked::leave_instance_open(&mut table, judgement, &entry, instance);
        }
        unasked::leave_choices_open(&mut table, judgement, &entry, deadline);
    }

    judgement.subjects.push(Subject {
        file: file.to_owned(),
        kernel: procedure.name.to_string(),
        launch: subject::describe(program, point),
        inputs,
        host_launches: subject::described(point),
        host_tried: table.host_tried().cloned(),
    });
    let bounds_asked = request
        .properties
        .as_ref()
        .is_none_or(|p| p.contains(&Property::Bounds));
    let entry = Entry {
        subject: index,
        program,
        point,
    };
    if bounds_asked {
        let is_known = |v| point.extents.contains_key(&v) || point.nulls.contains(&v);
        entry.note_open_bounds(&mut judgement.not_judged, is_known);
    }
    entry.note_aliasing(judgement);
    entry.note_not_null(&mut judgement.assumptions);
    let filled: Vec<&str> = point
        .filled
        .iter()
        .map(|id| &*program.array(*id).name)
        .collect();
    if !filled.is_empty() {
        judgement.remarks.note(Remark::FilledByHost {
            kernel: procedure.name.to_string(),
            arrays: owned(&filled),
        });
    }
    let is_open = |id: &ArrayId| {
        point.filled.contains(id)
            || point
                .declared
                .get(id)
                .is_some_and(|spec| *spec != ContentsSpec::Initial)
    };
    let declared: Vec<&str> = premises::declared_arrays(program, point.proc)
        .into_iter()
        .filter(|id| !is_open(id))
        .map(|id| &*program.array(id).name)
        .collect();
    if procedure.kind == ProcKind::Kernel && !declared.is_empty() {
        judgement.assumptions.note(Assumption::ContentsAsDeclared {
            kernel: procedure.name.to_string(),
            arrays: owned(&declared),
        });
    }
    table.into_results(index, judgement);
    Ok(())
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
