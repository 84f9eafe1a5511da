//! `check`: is this kernel or host program free of defects? Symbolic first, then the canonical
//! run and the explorer; the report says what each established.

mod ahead;
mod at_launch;
mod at_ordinary;
mod behind;
mod beyond;
mod candidates;
mod conditional;
mod conditions;
mod contents;
mod entry;
mod established;
mod grades;
mod harmless;
mod host_code;
mod judged;
mod meant;
mod meeting;
mod open_shared;
mod out_of_the_ordinary;
mod runs;
mod so_far;
mod symbolic;
mod table;
mod unasked;
mod vacuous;

use crate::input::error::InputError;
use crate::input::request::{EntryRequest, Request, launches_keep, limits_of_launch};
use crate::subject::declared_contents::filled_by_host;
use crate::subject::prepared::Prepared;
use crate::subject::taken::{TakenForGranted, beyond_devices};
use crate::subject::{self, EntryPoint, entries};
use ahead::{Ahead, free_threads};
use beyond::Beyond;
pub(crate) use entry::{When, judge_entry};
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::verdict::{Property, PropertyResult, Reason, Verdict};
use gridlock_frontend::{ParseOptions, Parsed};
use gridlock_proofs::defects::Safety;
use gridlock_semantics::algebra::ids::ProcId;
use judged::Judged;
pub use judged::empty_judgement;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

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
    let mut base = empty_judgement(request);
    taken.note(&prepared.surface, &chosen.procs, &mut base.assumptions);
    let launched = match entry.launch.is_given() {
        true => BTreeSet::new(),
        false => entries::launched_by_host(&prepared.surface, &chosen.procs),
    };
    let (mut kernels, mut others) = (Vec::new(), Vec::new());
    for &proc in &chosen.procs {
        let mut point = subject::resolve_entry(&prepared.surface, proc, entry, device.as_ref())?;
        point.device = launches_keep(request);
        base.assumptions.extend(beyond_devices(&point));
        match launched.contains(&proc) {
            true => kernels.push(point),
            false => others.push(point),
        }
    }
    // Host code gives the launch of these kernels, so that is what is judged.
    let beyond = Beyond::new(base, prepared.surface.clone());
    let told = beyond.clone();
    let request = &Request {
        told: request.told.through(move |others| told.with(others)),
        ..request.clone()
    };
    let of = (file, &prepared, &taken);
    for point in &mut others {
        point.filled = filled_by_host(&prepared.surface, point, &fillable);
    }
    let ahead = Ahead::new(others.len());
    let judge_all = || {
        let mut judgement = empty_judgement(request);
        let (later, before) = (procs(&others), RefCell::default());
        for (position, point) in others.iter().enumerate() {
            let when = When {
                deadline: request.deadline(later.len() - position),
                later: &later[position + 1..],
                before: &before,
                chosen: taken.with_chosen_numbers(point.proc),
                ahead: Some((&ahead, position)),
            };
            let device = device.as_ref();
            judge_entry(
                &mut judgement,
                file,
                &prepared,
                point,
                request,
                device,
                &when,
            )?;
        }
        Ok(judgement)
    };
    let n_free = free_threads(1 + usize::from(!kernels.is_empty()));
    let judged = beyond.beside(of, kernels, request, device.as_ref(), || {
        let prove = |position: usize| {
            let entry = Judged {
                file,
                subject: position,
                prepared: &prepared,
                point: &others[position],
                request,
                device: device.as_ref(),
            };
            symbolic::ahead(&entry, request.deadline(others.len() - position))
        };
        ahead.beside(n_free, prove, judge_all)
    })?;
    let mut judgement = beyond.with(judged);
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

fn procs(points: &[EntryPoint]) -> Vec<ProcId> {
    points.iter().map(|point| point.proc).collect()
}
