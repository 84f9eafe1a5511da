//! What the canonical run and the explorer establish: every schedule of sampled inputs, at the
//! launch given or over a ladder of small ones.

use super::host_code;
use super::meeting;
use super::open_shared;
use super::so_far::SoFar;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::run::trial::{Decision, Rest, Trial};
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use crate::words::sentences::note;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::not_judged::{Gap, NotJudged, Place};
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::{Assurance, Engine, Property, Reason, Verdict};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::analysis::begins_anew::may_begin_anew;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// Share of the time for runs of what a kernel with a defect leaves open.
const BESIDE_A_DEFECT: f64 = 0.2;

/// Transitions of host code after which no further contents are sampled: one run of a program that takes seconds says
/// nearly what three do.
const MOST_OF_HOST_CODE: u64 = 50_000_000;

/// The same of host code of which a defect is known.
const MOST_BEHIND_A_DEFECT: u64 = 1_000_000;

/// Runs trials for the properties still open; gives the inputs in words.
#[expect(
    clippy::too_many_arguments,
    reason = "one call site; each is a different concern"
)]
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    subject_index: usize,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
    so_far: &SoFar<'_>,
) -> Result<String, InputError> {
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    let closed = procedure.kind == ProcKind::Host && procedure.params.is_empty();
    if request.sampling.all_only && !closed {
        for property in table.open() {
            table.explain_unknown(
                property,
                Reason::Inconclusive,
                "not proved for all inputs, and samples do not count".to_owned(),
            );
        }
        return Ok("all".to_owned());
    }
    let launches: Vec<Option<Launch>> = match (procedure.kind, point.launch) {
        (ProcKind::Kernel, None) if !point.tried.is_empty() => {
            point.tried.iter().map(|at| at.launch).collect()
        }
        (ProcKind::Kernel, None) => subject::launch_ladder(program, point, device)
            .into_iter()
            .map(Some)
            .collect(),
        (_, launch) => vec![launch],
    };
    let of_host = host_code::tries(program, point, device);
    let beside_a_defect = Deadline::after(BESIDE_A_DEFECT * deadline.left());
    let given = !closed && point.has_one_input(program);
    let mut samples = match closed || given {
        true => 1,
        false => request.sampling.count,
    };
    let further = match closed || given {
        true => 0,
        false => subject::n_further(program, point),
    };
    let mut undecided: Option<(Reason, String)> = None;
    let mut endings: Option<(Reason, String)> = None;
    let (mut n_runs, mut n_transitions) = (0u64, 0u64);
    let mut engines: Vec<Engine> = Vec::new();
    let mut n_vacuous = 0u64;
    let mut n_without_launch = 0u64;
    let mut tried: Vec<Launch> = Vec::new();
    let mut dropped: Option<String> = None;
    let (sampled, host_ends) = (samples + further, host_code::ends(deadline));
    let has_host_launches = !of_host.is_empty();
    let of_host = of_host.iter().map(|(at, site)| (at, at.launch, Some(site)));
    let of_ladder = launches.iter().enumerate();
    let of_ladder =
        of_ladder.map(|(n, launch)| (point.tried.get(n).unwrap_or(point), *launch, None));
    'launches: for (point, launch, site) in of_host.chain(of_ladder) {
        let sampled = match site {
            Some(_) => sampled.min(host_code::SAMPLES),
            None => sampled,
        };
        if site.is_some() && (host_ends.left() <= 0.0 || !host_code::is_wanted(table)) {
            continue;
        }
        // Launches of host code may have left nothing open.
        if site.is_none() && has_host_launches && table.open().is_empty() {
            break;
        }
        let mut seen = host_code::Seen::default();
        'samples: for sample in 0..sampled {
            // Of a launch that nobody gave it is asked next what the defect hangs on.
            let is_open = site.is_none() && point.launch.is_none() && request.conditional;
            let deadline = match is_open && table.has_refutation() {
                true => beside_a_defect,
                false => deadline,
            };
            if deadline.left() <= 0.0 {
                let what = limits::TIME.to_owned();
                note(&mut judgement.limits_hit, what.clone());
                undecided = Some((Reason::Limit, what));
                break 'launches;
            }
            let mut launch = launch;
            let mut trial = loop {
                let setup = match subject::sampled_setup(
                    program,
                    point,
                    launch,
                    request.sampling,
                    sample,
                ) {
                    Ok(setup) => setup,
                    Err(error) if subject::may_be_dropped(program, point) => {
                        dropped.get_or_insert(error.message);
                        continue 'samples;
                    }
                    Err(error) => return Err(error),
                };
                let ends = if site.is_some() { host_ends } else { deadline };
                let trial = meeting::run(prepared, point, &setup, request, ends);
                match open_shared::with_more(&trial.defects, program, point, launch) {
                    Some(more) => launch = Some(more),
                    None => break trial,
                }
            };
            if let Some(site) = site {
                host_code::note(&mut trial, site);
                seen.note(&trial, table);
                // A launch of the host's may be too large; others are tried.
                if host_code::is_beyond_limits(&trial) {
                    judgement.statistics += trial.statistics;
                    continue 'launches;
                }
            }
            judgement.statistics += trial.statistics;
            judgement.remarks.extend(trial.remarks.iter().cloned());
            trial
                .limits_hit
                .iter()
                .for_each(|l| note(&mut judgement.limits_hit, l.clone()));
            if trial.vacuous {
                n_vacuous += 1;
                continue;
            }
            if let Some(rest) = &trial.rest {
                judgement
                    .not_judged
                    .note(left_out(subject_index, program, rest));
            }
            n_runs += 1;
            n_transitions += trial.statistics.transitions;
            let is_same =
                |known: &&Launch, l: &Launch| (known.grid, known.block) == (l.grid, l.block);
            tried.extend(launch.filter(|l| tried.last().filter(|k| is_same(k, l)).is_none()));
            n_without_launch += u64::from(trial.launched_nothing);
            endings = endings.or(trial.ending.clone());
            if let Some(open) = absorb(table, subject_index, &trial, &mut engines) {
                undecided.get_or_insert(open);
            }
            let others = trial.defects.into_iter();
            let others = others.filter(|d| !table.asks_about(d.kind.property()));
            for mut defect in others {
                defect.subject = subject_index;
                super::conditions::not_asked_about(judgement, program, defect);
            }
            so_far.tell(judgement, table);
            let most = match table.has_refutation() {
                true => MOST_BEHIND_A_DEFECT,
                false => MOST_OF_HOST_CODE,
            };
            if procedure.kind == ProcKind::Host && n_transitions > most {
                samples = samples.min(sample + 1);
                break;
            }
        }
        if site.is_some()
            && let Some(fails) = seen.outcome()
        {
            table.note_host_launch(fails);
        }
        // A launch that shows no defect of its own says nothing of larger ones, whatever has been refuted
        // before. Where a defect hides what else there is, larger launches only repeat it.
        let is_hidden = undecided.is_some() || table.has_fatal_refutation();
        let is_over = table.open().is_empty() || table.has_refutation() && is_hidden;
        if is_over && (site.is_none() || !host_code::is_wanted(table)) {
            break;
        }
    }
    // Of input sets that cannot be made nothing is known; where others were, these count.
    if n_runs == 0
        && n_vacuous == 0
        && let Some(why) = dropped
    {
        undecided.get_or_insert((Reason::Limit, why));
    }
    if procedure.kind == ProcKind::Host {
        let is_idle = n_runs > 0 && n_without_launch == n_runs;
        of_host_code(judgement, subject_index, prepared, point, is_idle);
    }
    if let Some((reason, why)) = endings {
        table.leave_open(Property::Deadlock, reason, why);
    }
    let kind = match closed {
        true if may_begin_anew(program, point.proc) => Inputs::NoneButLeftOvers,
        true => Inputs::None,
        false => Inputs::Sampled,
    };
    conclude(
        table,
        kind,
        n_runs,
        n_vacuous,
        &tried_in_words(&launches, &tried),
        &engines,
        undecided,
    );
    Ok(if closed {
        "none (a closed program)".to_owned()
    } else if given {
        "as given".to_owned()
    } else {
        let constants = match further {
            0 => "",
            _ => subject::further_in_words(program, point),
        };
        format!(
            "random, {} a launch, seed {}{constants}",
            samples, request.sampling.seed
        )
    })
}

/// The rest of host code that a limit cut.
fn left_out(subject: usize, program: &Program, rest: &Rest) -> NotJudged {
    let cut = program
        .operators()
        .into_iter()
        .find(|(_, op)| op.id == rest.from);
    let at = cut.filter(|(_, op)| op.span.line > 0);
    NotJudged {
        subject,
        gap: Gap::RestOfHostCode {
            limit: rest.what.clone(),
        },
        place: at.map(|(_, op)| Place {
            file: program.file_name(op.span).to_owned(),
            line: op.span.line,
            column: op.span.column,
        }),
    }
}

/// Says what to do about host code that launched nothing, or is too large for the limits.
fn of_host_code(
    judgement: &mut Judgement,
    subject_index: usize,
    prepared: &Prepared,
    point: &EntryPoint,
    launched_nothing: bool,
) {
    let program = &prepared.surface;
    let name = &program.proc(point.proc).name;
    if launched_nothing && program.procs_of_kind(ProcKind::Kernel).next().is_some() {
        let entry = name.to_string();
        judgement.not_judged.note(NotJudged {
            subject: subject_index,
            gap: Gap::NothingLaunched { entry },
            place: None,
        });
    }
    if !judgement.limits_hit.is_empty() {
        judgement.remarks.note(Remark::SmallerSizes {});
    }
}

/// Takes over a trial's defects; gives why it was not decided, if it was not.
fn absorb(
    table: &mut Table,
    subject_index: usize,
    trial: &Trial,
    engines: &mut Vec<Engine>,
) -> Option<(Reason, String)> {
    let engine = match &trial.decision {
        Decision::Decided(engine) => *engine,
        Decision::Undecided { .. } => Engine::Explorer,
    };
    for defect in &trial.defects {
        let mut defect = defect.clone();
        defect.subject = subject_index;
        table.refute(defect, engine);
    }
    match &trial.decision {
        Decision::Decided(engine) => {
            if !engines.contains(engine) {
                engines.push(*engine);
            }
            defect_in_the_way(table, trial, *engine)
        }
        Decision::Undecided { reason, why } => Some((*reason, why.clone())),
    }
}

/// Why a decided trial does not speak for the properties that it shows no defect of: one run
/// stands for every schedule only if it met nothing, and what ends runs hides what comes after,
/// whether or not it was asked about.
fn defect_in_the_way(table: &Table, trial: &Trial, engine: Engine) -> Option<(Reason, String)> {
    let shown = trial.defects.iter().map(|d| d.kind);
    let mut found = shown.chain(trial.unconfirmed.iter().copied());
    let hides = |kind: DefectKind| {
        let of_order = !kind.ends_run();
        kind != DefectKind::Leak
            && (engine == Engine::CanonicalRun || !of_order && !table.asks_about(kind.property()))
    };
    let kind = found.find(|kind| hides(*kind))?;
    let why = format!(
        "the inputs tried lead to a defect ({}); what other schedules do, and what comes after \
         it, was not seen",
        kind.name()
    );
    Some((Reason::Inconclusive, why))
}

/// What the inputs tried are to those that there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    Sampled,
    /// The program has none: its runs are all there are.
    None,
    /// Neither, but a run may find in an array what is no value there.
    NoneButLeftOvers,
}

fn conclude(
    table: &mut Table,
    inputs: Inputs,
    n_runs: u64,
    n_vacuous: u64,
    tried: &str,
    engines: &[Engine],
    undecided: Option<(Reason, String)>,
) {
    let unknown = match undecided {
        Some(open) => Some(open),
        None if n_runs == 0 && n_vacuous > 0 => Some((
            Reason::Vacuous,
            "no input tried meets the program's assumptions".to_owned(),
        )),
        None if n_runs == 0 => Some((Reason::NotAttempted, "no launch could be tried".to_owned())),
        None => None,
    };
    // A refuted entry ends some runs early: what comes after the defect was not seen.
    let cut_short = table.has_fatal_refutation();
    for property in table.open() {
        if let Some((reason, why)) = &unknown {
            table.explain_unknown(property, *reason, why.clone());
        } else if cut_short {
            table.explain_unknown(
                property,
                Reason::Inconclusive,
                "runs end in the defect shown; what comes after it was not seen".to_owned(),
            );
        } else if inputs == Inputs::NoneButLeftOvers && property == Property::UninitialisedReads {
            table.establish(
                property,
                Verdict::Passed,
                Assurance::AllSchedules,
                engines.first().copied().unwrap_or(Engine::CanonicalRun),
                "no defect in any schedule of this closed program, in which arrays that may begin anew in a \
                 loop or a call keep what was left in them"
                    .to_owned(),
            );
        } else if inputs != Inputs::Sampled {
            table.establish(
                property,
                Verdict::Proved,
                Assurance::AllInputs,
                engines.first().copied().unwrap_or(Engine::CanonicalRun),
                "no defect in any schedule of this closed program".to_owned(),
            );
        } else {
            table.establish(
                property,
                Verdict::Passed,
                Assurance::AllSchedules,
                engines.first().copied().unwrap_or(Engine::CanonicalRun),
                format!("no defect in any schedule of {n_runs} sampled inputs{tried}"),
            );
        }
    }
}

/// The launches of the ladder at which an input counted; nothing where one launch was asked about.
fn tried_in_words(ladder: &[Option<Launch>], tried: &[Launch]) -> String {
    if ladder.len() < 2 || tried.is_empty() {
        return String::new();
    }
    let extents = |extents: [u32; 3]| match extents {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("({x},{y})"),
        [x, y, z] => format!("({x},{y},{z})"),
    };
    let mut sizes: Vec<String> = Vec::new();
    for launch in tried {
        let text = format!("{} × {}", extents(launch.grid), extents(launch.block));
        if !sizes.contains(&text) {
            sizes.push(text);
        }
    }
    format!(
        ", at these launches of blocks × threads: {}",
        sizes.join(", ")
    )
}
