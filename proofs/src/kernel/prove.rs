//! Proving properties of a kernel.

use crate::kernel::analysis::{Analysis, Attempt, Obstacle};
use crate::kernel::outcome::{Candidate, ProofOutcome, ProofStatus, PropertyProof};
use crate::kernel::request::ProofRequest;
use crate::solver::budget::Cut;
use crate::solver::context::in_fresh_context;
use crate::solver::solve::Answer;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Property, Reason};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use std::time::Instant;

/// Threads in each dimension of the launches that are asked about where what is possible needs more than can be run: four
/// and 16 times as many elements have numbers of 31 bits.
const BOUNDS: [u64; 2] = [1 << 29, FEWEST_THREADS];
/// The least of them.
pub const FEWEST_THREADS: u64 = 1 << 27;

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
    let mut outcome = in_fresh_context(|| attempt(program, kernel, request, tell));
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
    let shared_cut = analysis.prover.cut.take();
    let mut judging = Judging {
        analysis,
        divergence: None,
        aligned: false,
        races_hold: None,
    };
    let n = request.properties.len();
    judging.analysis.prover.share_with(n);
    judging.align();
    // Each has its share of the solver's steps, and what those before it have left; then those that met its end have
    // all that is left.
    let mut cuts = Vec::new();
    let mut results = Vec::new();
    // Which are open for launches too large to run.
    let mut of_size = Vec::new();
    for (number, &property) in request.properties.iter().enumerate() {
        stage(program, kernel, property.name());
        judging.analysis.prover.share_with(n - number - 1);
        let attempt = judging.attempt(property);
        of_size.push(is_of_size(&attempt));
        let judged = result(request, property, attempt);
        tell(&judged, &judging.analysis.assumptions);
        cuts.push(judging.analysis.prover.cut.take());
        results.push(judged);
    }
    judging.analysis.prover.share_with(0);
    let was_aligned = judging.aligned;
    let open = results.iter_mut().zip(&mut cuts).zip(&mut of_size);
    for ((judged, cut), of_size) in open {
        let is_cut_short = matches!(cut, Some(Cut::Query | Cut::Total));
        let rests_on_barriers = matches!(
            judged.property,
            Property::Races | Property::Deadlock | Property::UninitialisedReads
        );
        let is_worth = is_cut_short || rests_on_barriers && judging.aligned && !was_aligned;
        let is_open = matches!(judged.status, ProofStatus::Unknown { .. });
        if !is_open || !is_worth || judging.analysis.prover.is_spent() {
            continue;
        }
        let property = judged.property;
        stage(program, kernel, property.name());
        let is_other = |c: &Candidate| c.kind.property() != property;
        judging.analysis.candidates.retain(is_other);
        let attempt = judging.attempt(property);
        *of_size = is_of_size(&attempt);
        *judged = result(request, property, attempt);
        tell(judged, &judging.analysis.assumptions);
        *cut = judging.analysis.prover.cut.take();
    }
    if request.bounds_launches && request.launch.is_none() {
        judging.bound_launches(request, &mut results, &mut of_size, tell);
    }
    let mut analysis = judging.analysis;
    analysis.note_overflows();
    analysis.prover.cut = shared_cut.or(cuts.into_iter().flatten().next());
    if request.beginnings && !request.properties.contains(&Property::Bounds) {
        look_below_beginnings(&mut analysis);
    }
    finish(analysis, results)
}

/// The properties of a kernel, one after the other.
struct Judging<'a> {
    analysis: Analysis<'a>,
    /// What [`Analysis::alignment`] came to, until it is told.
    divergence: Option<Attempt>,
    aligned: bool,
    races_hold: Option<bool>,
}

impl Judging<'_> {
    /// Asks again about what is open for launches too large to run, of those that have fewer threads.
    fn bound_launches(
        &mut self,
        request: &ProofRequest,
        results: &mut [PropertyProof],
        of_size: &mut [bool],
        tell: &mut Tell<'_>,
    ) {
        let kernel = self
            .analysis
            .program
            .proc(self.analysis.kernel)
            .name
            .to_string();
        let n_facts = self.analysis.machine.launch.facts.len();
        for threads in BOUNDS {
            let machine = &mut self.analysis.machine;
            let bounds = machine.launch.bound(&mut machine.terms, threads);
            machine.launch.facts.extend(bounds);
            let mut is_shown = false;
            for (judged, of_size) in results.iter_mut().zip(&mut *of_size) {
                // What was read is known only where nothing races.
                let rests_on_others = is_shown
                    && judged.property == Property::UninitialisedReads
                    && matches!(judged.status, ProofStatus::Unknown { .. });
                if !*of_size && !rests_on_others || self.analysis.prover.is_spent() {
                    continue;
                }
                let property = judged.property;
                let (known, cut) = (self.analysis.candidates.len(), self.analysis.prover.cut);
                let assumptions = self.analysis.assumptions.clone();
                let attempt = self.attempt(property);
                self.analysis.prover.cut = cut;
                if !matches!(attempt, Attempt::Holds(_)) {
                    *of_size &= is_of_size(&attempt);
                    // What it came to without a bound stands.
                    self.analysis.candidates.truncate(known);
                    self.analysis.assumptions = assumptions;
                    continue;
                }
                (*of_size, is_shown) = (false, true);
                self.analysis.assumptions.note(Assumption::LaunchThreads {
                    kernel: kernel.clone(),
                    threads,
                });
                *judged = result(request, property, attempt);
                tell(judged, &self.analysis.assumptions);
            }
        }
        self.analysis.machine.launch.facts.truncate(n_facts);
    }

    /// Whether barriers are met together, which others rest on.
    fn align(&mut self) {
        let alignment = self.analysis.alignment();
        self.aligned = matches!(alignment, Attempt::Holds(_));
        self.divergence = Some(self.analysis.divergence(alignment));
    }

    fn attempt(&mut self, property: Property) -> Attempt {
        match property {
            Property::Divergence => {
                if self.divergence.is_none() {
                    self.align();
                }
                self.divergence
                    .take()
                    .unwrap_or_else(|| Attempt::NotJudged("asked for twice".to_owned()))
            }
            Property::Races => {
                let races = self.analysis.races(self.aligned);
                self.races_hold = Some(matches!(races, Attempt::Holds(_)));
                races
            }
            Property::Bounds => self.analysis.bounds(),
            Property::Assertions => self.analysis.assertions(),
            Property::Deadlock => self.analysis.deadlock(self.aligned),
            Property::Host | Property::Equivalence => {
                Attempt::NotJudged("not a property of a kernel alone".to_owned())
            }
            Property::Arithmetic => self.analysis.arithmetic(),
            Property::UninitialisedReads => {
                let races = match self.races_hold {
                    Some(hold) => hold,
                    None => matches!(self.analysis.races(self.aligned), Attempt::Holds(_)),
                };
                self.analysis.uninitialised_reads(races)
            }
        }
    }
}

fn is_of_size(attempt: &Attempt) -> bool {
    matches!(attempt, Attempt::Open(obstacle) if obstacle.is_of_size)
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
