//! Proving properties of a kernel.

use crate::kernel::analysis::{Analysis, Attempt, Obstacle};
use crate::kernel::outcome::{ProofOutcome, ProofStatus, PropertyProof};
use crate::kernel::request::ProofRequest;
use crate::solver::solve::Answer;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Property, Reason};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use std::time::Instant;

/// Tries to prove `request.properties` of `kernel`. Takes either form of the program.
///
/// The claim is about independent threads; it covers lockstep warps, which allow fewer runs.
pub fn prove_kernel(program: &Program, kernel: ProcId, request: &ProofRequest) -> ProofOutcome {
    prove_and_tell(program, kernel, request, &mut |_, _| {})
}

/// [`prove_kernel`], which tells of each property as soon as it is judged, with what is taken for granted: the
/// process may not live to tell the rest.
pub fn prove_and_tell(
    program: &Program,
    kernel: ProcId,
    request: &ProofRequest,
    tell: &mut Tell<'_>,
) -> ProofOutcome {
    let start = Instant::now();
    // A context of its own: what the solver answers does not depend on what was asked before.
    let mut outcome = z3::with_z3_config(&z3::Config::new(), || {
        attempt(program, kernel, request, tell)
    });
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome
}

/// Hears of a property, and of the assumptions so far.
pub type Tell<'a> = dyn FnMut(&PropertyProof, &Statements<Assumption>) + Send + Sync + 'a;

fn attempt(
    program: &Program,
    kernel: ProcId,
    request: &ProofRequest,
    tell: &mut Tell<'_>,
) -> ProofOutcome {
    if !request.profile.admits_canonical_run() {
        let why = "the two-thread argument needs collective barriers, divergence same-barrier, \
                   granularity access and firing one";
        return all_open(request, &Obstacle::new(Reason::Unsupported, why));
    }
    if program.proc(kernel).kind != ProcKind::Kernel {
        let why = format!("{} is not a kernel", program.proc(kernel).name);
        return all_open(request, &Obstacle::new(Reason::Unsupported, why));
    }
    let mut analysis = match Analysis::new(program, kernel, request) {
        Ok(analysis) => analysis,
        Err(stopped) => {
            let obstacle = Obstacle::new(Reason::Unsupported, stopped.to_string());
            return all_open(request, &obstacle);
        }
    };
    match analysis.ask(&[], &[]) {
        Answer::Satisfiable(_) => {}
        Answer::Unsatisfiable => {
            let why = "no valid launch satisfies the assumptions";
            let obstacle = Obstacle::new(Reason::Vacuous, why);
            return finish(analysis, all_open(request, &obstacle).results);
        }
        Answer::Open(why) => {
            let obstacle = analysis.gave_up("whether a valid launch exists", &why);
            return finish(analysis, all_open(request, &obstacle).results);
        }
    }
    stage(program, kernel, "what threads do between barriers");
    analysis.walk_intervals();
    let alignment = analysis.alignment();
    let aligned = matches!(alignment, Attempt::Holds(_));
    let divergence = analysis.divergence(alignment);
    let mut divergence = Some(divergence);
    let mut races_hold = None;
    let mut results = Vec::new();
    for &property in &request.properties {
        stage(program, kernel, property.name());
        let attempt = match property {
            Property::Divergence => divergence
                .take()
                .unwrap_or_else(|| Attempt::NotJudged("asked for twice".to_owned())),
            Property::Races => {
                let races = analysis.races(aligned);
                races_hold = Some(matches!(races, Attempt::Holds(_)));
                races
            }
            Property::Bounds => analysis.bounds(),
            Property::Assertions => analysis.assertions(),
            Property::Deadlock => analysis.deadlock(aligned),
            Property::Host | Property::Equivalence => {
                Attempt::NotJudged("not a property of a kernel alone".to_owned())
            }
            Property::Arithmetic => analysis.arithmetic(),
            Property::UninitialisedReads => {
                let races = match races_hold {
                    Some(hold) => hold,
                    None => matches!(analysis.races(aligned), Attempt::Holds(_)),
                };
                analysis.uninitialised_reads(races)
            }
        };
        let judged = result(request, property, attempt);
        tell(&judged, &analysis.assumptions);
        results.push(judged);
    }
    if request.beginnings && !request.properties.contains(&Property::Bounds) {
        look_below_beginnings(&mut analysis);
    }
    finish(analysis, results)
}

/// Adds the candidates of bounds, and leaves the rest of the outcome as it is.
fn look_below_beginnings(analysis: &mut Analysis<'_>) {
    let assumptions = analysis.assumptions.clone();
    let remarks = analysis.remarks.clone();
    let cut = analysis.prover.cut;
    analysis.bounds();
    analysis.assumptions = assumptions;
    analysis.remarks = remarks;
    analysis.prover.cut = cut;
}

fn result(request: &ProofRequest, property: Property, attempt: Attempt) -> PropertyProof {
    let (status, why) = match attempt {
        Attempt::Holds(why) => {
            let assurance = if request.launch.is_none() && request.scalars.is_empty() {
                Assurance::AllInputsAllSizes
            } else {
                Assurance::AllInputs
            };
            (ProofStatus::Proved { assurance }, why)
        }
        Attempt::Suspected(why) => (ProofStatus::Candidate, why),
        Attempt::Open(obstacle) => {
            let reason = obstacle.reason;
            (ProofStatus::Unknown { reason }, obstacle.why)
        }
        Attempt::NotJudged(why) => (ProofStatus::NotJudged, why),
    };
    PropertyProof {
        property,
        status,
        why,
    }
}

fn all_open(request: &ProofRequest, obstacle: &Obstacle) -> ProofOutcome {
    let open = |&property: &Property| result(request, property, Attempt::Open(obstacle.clone()));
    ProofOutcome {
        results: request.properties.iter().map(open).collect(),
        assumptions: Statements::default(),
        candidates: vec![],
        remarks: Statements::default(),
        queries: 0,
        steps: 0,
        seconds: 0.0,
        limits_hit: vec![],
    }
}

fn finish(analysis: Analysis, results: Vec<PropertyProof>) -> ProofOutcome {
    let mut limits_hit = Vec::new();
    limits_hit.extend(analysis.prover.cut.map(|cut| cut.to_string()));
    ProofOutcome {
        results,
        assumptions: analysis.assumptions,
        candidates: analysis.candidates,
        remarks: analysis.remarks,
        queries: analysis.prover.queries,
        steps: analysis.prover.steps_taken,
        seconds: 0.0,
        limits_hit,
    }
}

/// Tells who listens what is being done.
fn stage(program: &Program, kernel: ProcId, what: &str) {
    tracing::info!(target: "stage", "proving {}: {what}", program.proc(kernel).name);
}
