//! What the symbolic engine establishes: all inputs, and all sizes unless the launch is fixed. A
//! model of the solver is a candidate; only its replay at that launch makes it a defect.

use super::candidates::{Cut, Replays};
use super::judged::Judged;
use super::so_far::SoFar;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::judge::question::question;
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use crate::words::sentences::note;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Engine, Property, Reason, Verdict};
use gridlock_proofs::{Budget, ProofOutcome, ProofRequest, ProofStatus, PropertyProof};
use gridlock_semantics::algebra::program::ProcKind;
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

/// What is asked for a proof of an entry.
enum Asking {
    Ask(Box<ProofRequest>),
    /// Nothing that a proof speaks of is open.
    Nothing,
    /// A proof does not speak for it, and why.
    NotAttempted(String),
}

impl Asking {
    /// The question of what is open.
    fn of(
        table: &Table,
        prepared: &Prepared,
        point: &EntryPoint,
        request: &Request,
        deadline: Deadline,
    ) -> Asking {
        if !request.profile.admits_canonical_run() {
            return Asking::NotAttempted(format!(
                "the symbolic engine does not speak for profile {}",
                request.profile.name
            ));
        }
        // A proof takes every pointer argument for an array of its own.
        if !point.nulls.is_empty() {
            return Asking::NotAttempted("proofs do not speak of null arguments".to_owned());
        }
        let time = Duration::from_secs_f64(deadline.left() * SHARE_OF_TIME);
        let budget = Budget::of_seconds(SHARE * about(request.limits.seconds, deadline.left()));
        let mut properties = table.open();
        // A proof takes what arrays hold as given.
        if point.has_unset_contents() {
            properties.retain(|property| *property != Property::UninitialisedReads);
            if properties.is_empty() {
                return Asking::Nothing;
            }
        }
        let mut question = question(prepared, point, request, properties, budget, time);
        question.bounds_launches = !request.large_launches;
        if table.counts_if_shown(Property::Bounds) {
            // What is not judged is refuted only by what no choice of arguments would mend.
            question.beginnings = true;
            question.places.clear();
        }
        Asking::Ask(Box::new(question))
    }
}

/// The proof of a kernel of which nothing is established yet, if there is one to be made: who judges it takes it then.
pub(super) fn ahead(entry: &Judged<'_>, deadline: Deadline) -> Option<ProofOutcome> {
    let Judged {
        prepared,
        point,
        request,
        ..
    } = *entry;
    let is_kernel = prepared.surface.proc(point.proc).kind == ProcKind::Kernel;
    if !is_kernel || !request.symbolic {
        return None;
    }
    let table = Table::of(prepared, point, request);
    match Asking::of(&table, prepared, point, request, deadline) {
        Asking::Ask(question) => Some(gridlock_proofs::prove_and_tell(
            &prepared.atomic,
            point.proc,
            &question,
            &mut |_, _| {},
        )),
        Asking::Nothing | Asking::NotAttempted(_) => None,
    }
}

/// Asks for a proof, if none was `made` ahead, and replays the candidates: those whose runs were cut come back.
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
    made: Option<ProofOutcome>,
) -> Result<Vec<Cut>, InputError> {
    let question = match Asking::of(table, prepared, point, request, deadline) {
        Asking::Ask(question) => question,
        Asking::Nothing => return Ok(Vec::new()),
        Asking::NotAttempted(why) => {
            for property in table.open() {
                table.explain_unknown(property, Reason::NotAttempted, why.clone());
            }
            return Ok(Vec::new());
        }
    };
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
        made.unwrap_or_else(|| {
            gridlock_proofs::prove_and_tell(&prepared.atomic, point.proc, &question, &mut tell)
        })
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
    let mut replays = Replays {
        table,
        judgement,
        subject_index,
        prepared,
        point,
        request,
        deadline,
        so_far,
    };
    replays.all(&outcome.candidates)
}
