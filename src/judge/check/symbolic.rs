//! What the symbolic engine establishes: all inputs, and all sizes unless the launch is fixed. A
//! model of the solver is a candidate; only its replay at that launch makes it a defect.

use super::behind;
use super::open_shared;
use super::out_of_the_ordinary;
use super::so_far::SoFar;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::{Request, Sampling};
use crate::judge::question::question;
use crate::run::trial::{self, Decision};
use crate::subject::EntryPoint;
use crate::subject::declared_contents;
use crate::subject::indices::Named;
use crate::subject::prepared::Prepared;
use crate::subject::sampled_contents::Bounds;
use crate::words::sentences::note;
use gridlock_checker::limits;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Engine, Property, Reason, Verdict};
use gridlock_proofs::{Budget, ProofStatus, PropertyProof};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::{Arg, Contents, Setup};
use gridlock_semantics::transition::Actor;
use std::time::Duration;

/// Share of an entry's time the proof may take before samples are tried, as steps of the solver; on a
/// machine too slow for them, as time.
const SHARE: f64 = 0.4;
const SHARE_OF_TIME: f64 = 0.75;
/// So many times the time left is counted on.
const MORE_THAN_LEFT: f64 = 1.5;

/// Seconds for an entry of which so many are left, in halves of those for all: not each run has other ones.
fn about(all: f64, left: f64) -> f64 {
    let mut seconds = all;
    while seconds > MORE_THAN_LEFT * left && left > 0.0 {
        seconds /= 2.0;
    }
    seconds
}

/// Asks for a proof and replays the candidates.
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
    deadline: Deadline,
    so_far: &SoFar<'_>,
) -> Result<(), InputError> {
    if !request.profile.admits_canonical_run() {
        for property in table.open() {
            table.explain_unknown(
                property,
                Reason::NotAttempted,
                format!(
                    "the symbolic engine does not speak for profile {}",
                    request.profile.name
                ),
            );
        }
        return Ok(());
    }
    // A proof takes every pointer argument for an array of its own.
    if !point.nulls.is_empty() {
        for property in table.open() {
            let why = "proofs do not speak of null arguments".to_owned();
            table.explain_unknown(property, Reason::NotAttempted, why);
        }
        return Ok(());
    }
    let time = Duration::from_secs_f64(deadline.left() * SHARE_OF_TIME);
    let budget = Budget::of_seconds(SHARE * about(request.limits.seconds, deadline.left()));
    let mut properties = table.open();
    // A proof takes what arrays hold as given.
    if point.has_unset_contents() {
        properties.retain(|property| *property != Property::UninitialisedReads);
        if properties.is_empty() {
            return Ok(());
        }
    }
    let mut question = question(prepared, point, request, properties, budget, time);
    question.bounds_launches = !request.large_launches;
    if table.counts_if_shown(Property::Bounds) {
        // What is not judged is refuted only by what no choice of arguments would mend.
        question.beginnings = true;
        question.places.clear();
    }
    // What is proved is told at once: the process may be ended before the rest is.
    let outcome = {
        let judgement = &*judgement;
        let table = &mut *table;
        let mut tell = |proof: &PropertyProof, assumptions: &Statements<Assumption>| {
            if let ProofStatus::Proved { assurance } = proof.status {
                let (by, why) = (Engine::Symbolic, proof.why.clone());
                table.establish(proof.property, Verdict::Proved, assurance, by, why);
                let mut told = judgement.clone();
                told.assumptions.extend(assumptions.iter().cloned());
                so_far.tell(&told, table);
            }
        };
        gridlock_proofs::prove_and_tell(&prepared.atomic, point.proc, &question, &mut tell)
    };
    judgement.statistics.queries += outcome.queries;
    outcome
        .limits_hit
        .iter()
        .for_each(|l| note(&mut judgement.limits_hit, l.clone()));
    judgement.remarks.extend(outcome.remarks);
    let mut any_proved = false;
    for result in &outcome.results {
        match &result.status {
            ProofStatus::Proved { assurance } => {
                any_proved = true;
                table.establish(
                    result.property,
                    Verdict::Proved,
                    *assurance,
                    Engine::Symbolic,
                    result.why.clone(),
                );
            }
            ProofStatus::Candidate => table.explain_unknown(
                result.property,
                Reason::Inconclusive,
                format!("not proved: {}", result.why),
            ),
            ProofStatus::Unknown { reason } => {
                table.explain_unknown(result.property, *reason, result.why.clone());
            }
            ProofStatus::NotJudged => {}
        }
    }
    if any_proved {
        judgement.assumptions.extend(outcome.assumptions);
    }
    so_far.tell(judgement, table);
    for candidate in &outcome.candidates {
        if table.is_closed(candidate.kind.property()) {
            continue;
        }
        if deadline.left() <= 0.0 {
            note(&mut judgement.limits_hit, limits::TIME.to_owned());
            break;
        }
        for setup in of_candidate(&candidate.setup, &prepared.surface, point, request.sampling)? {
            let mut setup = setup;
            let trial = loop {
                let trial = trial::run(prepared, &setup, request, deadline);
                judgement.statistics += trial.statistics;
                let (defects, launch) = (&trial.defects, setup.launch);
                match open_shared::with_more(defects, &prepared.surface, point, launch) {
                    Some(more) => setup.launch = Some(more),
                    None => break trial,
                }
            };
            // What the candidate's run shows besides is not the symbolic engine's doing.
            let other = match trial.decision {
                Decision::Decided(engine) => engine,
                Decision::Undecided { .. } => Engine::Explorer,
            };
            // The defect foreseen may lie behind another, which the run of its threads in order comes to first.
            let is_shown = |d: &Defect| d.kind == candidate.kind;
            let hidden = match trial.defects.iter().any(is_shown) {
                true => Vec::new(),
                false => {
                    let first: Vec<Actor> = candidate.sites.iter().map(|s| s.actor).collect();
                    let mut open = table.open();
                    open.retain(|p| trial.defects.iter().all(|d| d.kind.property() != *p));
                    behind::look(prepared, &trial, request, &first, &open, deadline)
                }
            };
            let seen = trial.defects.into_iter().map(|defect| (defect, other));
            let hidden = hidden.into_iter().map(|d| (d, Engine::Explorer));
            for (mut defect, other) in seen.chain(hidden) {
                defect.subject = subject_index;
                let foreseen = defect.kind == candidate.kind;
                if !candidate.is_ordinary {
                    if foreseen {
                        out_of_the_ordinary::note_defect(
                            table,
                            judgement,
                            &prepared.surface,
                            defect,
                        );
                    }
                    continue;
                }
                if !foreseen {
                    table.refute(defect, other);
                    continue;
                }
                if table.counts_if_shown(defect.kind.property()) {
                    judgement.assumptions.note(Assumption::FirstElements {});
                }
                table.refute_foreseen(defect, Engine::Symbolic);
            }
            if table.is_closed(candidate.kind.property()) || deadline.left() <= 0.0 {
                break;
            }
        }
        so_far.tell(judgement, table);
    }
    Ok(())
}

/// The configurations a candidate stands for: with the contents that the solver's model has, then with
/// random ones, then with what a host may have put into constant memory. What the user gave of
/// contents is so in all of them: the proof spoke of any.
fn of_candidate(
    candidate: &Setup,
    program: &Program,
    point: &EntryPoint,
    sampling: Sampling,
) -> Result<Vec<Setup>, InputError> {
    let params = &program.proc(point.proc).params;
    let declared = |sample| {
        declared_contents::sampled(
            program,
            point,
            candidate.launch,
            sampling,
            sample,
            &Default::default(),
        )
    };
    let mut first = candidate.clone();
    first.device = point.device;
    // What the model does not say is in range of what it indexes.
    let extent = |(var, arg): (&VarId, &Arg)| match arg {
        Arg::Array(index) => Some((Named::Param(*var), candidate.arrays[*index].extent?)),
        _ => None,
    };
    let extents = params.iter().zip(&candidate.args).filter_map(extent);
    let bounds = Bounds::of(program, point, candidate.launch, &extents.collect());
    for (var, arg) in params.iter().zip(&candidate.args) {
        if let Arg::Array(index) = arg
            && let array = &mut first.arrays[*index]
            && let Contents::Random { seed } = array.contents
        {
            array.contents = bounds.contents(Named::Param(*var), array.elem, seed, 0);
        }
    }
    let mut is_told = first.arrays != candidate.arrays;
    let of_model = std::mem::take(&mut first.declared).into_iter();
    let of_model: Vec<_> = of_model
        .filter(|(id, _)| point.filled.contains(id))
        .collect();
    is_told |= !of_model.is_empty();
    first.declared = declared(0)?;
    first.declared.extend(of_model);
    let mut random = candidate.clone();
    random.device = point.device;
    random.declared = declared(0)?;
    for (var, arg) in params.iter().zip(&candidate.args) {
        let Arg::Array(index) = arg else { continue };
        let given = point.contents.get(var);
        for setup in [&mut first, &mut random] {
            let array = &mut setup.arrays[*index];
            if let Some(given) = given {
                array.contents = given.resolve(&array.name, array.elem)?;
            }
        }
        let array = &mut random.arrays[*index];
        if given.is_none() && matches!(array.contents, Contents::Values(_)) {
            is_told = true;
            array.contents = Contents::Random { seed: 1 };
        }
    }
    let mut setups = vec![first];
    if is_told {
        setups.push(random.clone());
    }
    if !point.filled.is_empty() {
        for sample in [1, 2] {
            let declared = declared(sample)?;
            setups.push(Setup {
                declared,
                ..random.clone()
            });
        }
    }
    Ok(setups)
}
