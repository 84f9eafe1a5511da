//! Replays of what a proof could not exclude: a model of the solver is a candidate, and only what its run
//! shows is a defect.

use super::behind;
use super::open_shared;
use super::out_of_the_ordinary;
use super::so_far::SoFar;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::{Request, Sampling};
use crate::run::trial::{self, Decision};
use crate::subject::EntryPoint;
use crate::subject::declared_contents;
use crate::subject::indices::Named;
use crate::subject::prepared::Prepared;
use crate::subject::sampled_contents::Bounds;
use crate::words::sentences::note;
use gridlock_checker::limits::{self, Limits};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::verdict::{Engine, Property, Reason};
use gridlock_proofs::Candidate;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::{Arg, Contents, Setup};
use gridlock_semantics::transition::Actor;

/// Loop iterations of one thread in the first run of a candidate. The solver chose its inputs for what two threads do
/// to each other, not for a run that ends: a list may come out as a ring, a length as 2^31 - 1.
const FEW_STEPS: u64 = 1 << 16;

/// What replays of one subject's candidates read, and what they write into.
pub(super) struct Replays<'a> {
    pub table: &'a mut Table,
    pub judgement: &'a mut Judgement,
    pub subject_index: usize,
    pub prepared: &'a Prepared,
    pub point: &'a EntryPoint,
    pub request: &'a Request,
    pub deadline: Deadline,
    pub so_far: &'a SoFar<'a>,
}

/// A configuration of a candidate, whose run the first iterations do not end.
pub(super) struct Cut {
    candidate: Candidate,
    setup: Setup,
}

impl Replays<'_> {
    /// Replays all candidates whose properties are open, with few iterations each. What that cuts is left for later:
    /// samples may show the same sooner.
    pub fn all(&mut self, candidates: &[Candidate]) -> Result<Vec<Cut>, InputError> {
        let depth = FEW_STEPS.min(self.request.limits.depth);
        let mut cut = Vec::new();
        for candidate in candidates {
            if self.is_over(candidate.kind.property()) {
                continue;
            }
            let program = &self.prepared.surface;
            let sampling = self.request.sampling;
            for setup in of_candidate(&candidate.setup, program, self.point, sampling)? {
                if !self.run(candidate, &setup, depth) && depth < self.request.limits.depth {
                    let candidate = candidate.clone();
                    cut.push(Cut { candidate, setup });
                }
                if self.is_over(candidate.kind.property()) {
                    break;
                }
            }
            self.so_far.tell(self.judgement, self.table);
        }
        Ok(cut)
    }

    /// Replays what was cut, if its property is still open, with as many iterations as a run may have.
    pub fn again(&mut self, cut: Vec<Cut>) {
        for Cut { candidate, setup } in cut {
            if !self.is_over(candidate.kind.property()) {
                self.run(&candidate, &setup, self.request.limits.depth);
                self.so_far.tell(self.judgement, self.table);
            }
        }
    }

    /// Whether nothing more is to be run for a property: it is decided, or the time is over.
    fn is_over(&mut self, property: Property) -> bool {
        if self.table.is_closed(property) {
            return true;
        }
        let is_late = self.deadline.left() <= 0.0;
        if is_late {
            note(&mut self.judgement.limits_hit, limits::TIME.to_owned());
        }
        is_late
    }

    /// Runs one configuration, of each thread so many loop iterations. `false`: a limit cut it before it showed what was
    /// foreseen.
    fn run(&mut self, candidate: &Candidate, setup: &Setup, depth: u64) -> bool {
        let (prepared, point, deadline) = (self.prepared, self.point, self.deadline);
        let limits = Limits {
            depth,
            ..self.request.limits
        };
        let request = &Request {
            limits,
            ..self.request.clone()
        };
        let mut setup = setup.clone();
        let trial = loop {
            let trial = trial::run(prepared, &setup, request, deadline);
            self.judgement.statistics += trial.statistics;
            let (defects, launch) = (&trial.defects, setup.launch);
            match open_shared::with_more(defects, &prepared.surface, point, launch) {
                Some(more) => setup.launch = Some(more),
                None => break trial,
            }
        };
        // What the candidate's run shows besides is not the symbolic engine's doing.
        let (other, is_whole) = match trial.decision {
            Decision::Decided(engine) => (engine, true),
            Decision::Undecided { reason, .. } => (Engine::Explorer, reason != Reason::Limit),
        };
        // The defect foreseen may lie behind another, which the run of its threads in order comes to first.
        let is_shown = |d: &Defect| d.kind == candidate.kind;
        let hidden = match trial.defects.iter().any(is_shown) {
            true => Vec::new(),
            false => {
                let first: Vec<Actor> = candidate.sites.iter().map(|s| s.actor).collect();
                let mut open = self.table.open();
                open.retain(|p| trial.defects.iter().all(|d| d.kind.property() != *p));
                behind::look(prepared, &trial, request, &first, &open, deadline)
            }
        };
        let seen = trial.defects.into_iter().map(|defect| (defect, other));
        let hidden = hidden.into_iter().map(|d| (d, Engine::Explorer));
        let mut is_done = is_whole;
        for (defect, other) in seen.chain(hidden) {
            is_done |= is_shown(&defect);
            self.take(candidate, defect, other);
        }
        is_done
    }

    /// Takes over a defect that a candidate's run showed, found by the engine `other` if it is not the one
    /// foreseen.
    fn take(&mut self, candidate: &Candidate, mut defect: Defect, other: Engine) {
        defect.subject = self.subject_index;
        let foreseen = defect.kind == candidate.kind;
        if !candidate.is_ordinary {
            if foreseen {
                let program = &self.prepared.surface;
                out_of_the_ordinary::note_defect(self.table, self.judgement, program, defect);
            }
            return;
        }
        if !foreseen {
            self.table.refute(defect, other);
            return;
        }
        if self.table.counts_if_shown(defect.kind.property()) {
            let assumptions = &mut self.judgement.assumptions;
            assumptions.note(Assumption::FirstElements {});
        }
        self.table.refute_foreseen(defect, Engine::Symbolic);
    }
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
