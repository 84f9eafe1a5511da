//! What a proof attempt knows about its kernel: the generic run, its barrier intervals, the launch
//! and the extents of arrays.

use crate::counters::settle;
use crate::kernel::given_extents::GivenExtents;
use crate::kernel::interval::Interval;
use crate::kernel::outcome::Candidate;
use crate::kernel::request::ProofRequest;
use crate::machine::launch::{Given, SymbolicLaunch};
use crate::machine::state::{Access, Followed, Item, Log, Machine, before};
use crate::machine::value::{State, SymValue};
use crate::solver::budget::Cut;
use crate::solver::possible::Possible;
use crate::solver::solve::{Answer, Prover, Reading};
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{TermId, Terms};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::FxHashMap;
use z3::ast::Bool;

/// Why a property is not proved.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub reason: Reason,
    pub why: String,
    /// The situation was found possible, and in no launch small enough to run.
    pub is_of_size: bool,
}

impl Obstacle {
    pub fn new(reason: Reason, why: impl Into<String>) -> Obstacle {
        Obstacle {
            reason,
            why: why.into(),
            is_of_size: false,
        }
    }
}

/// What the attempt at one property came to.
pub enum Attempt {
    Holds(String),
    /// The solver has models; candidates were added where one became a launch.
    Suspected(String),
    Open(Obstacle),
    NotJudged(String),
}

/// What has come up so far while one property is judged.
#[derive(Default)]
pub struct Doubts {
    /// Message of the first model that became a candidate.
    pub suspected: Option<String>,
    /// The first query that stayed open, or whose model is too large to replay.
    pub open: Option<Obstacle>,
    /// Models seen. None is lost: each leaves a mark in one of the fields above.
    pub models: usize,
}

impl Doubts {
    /// Models after which no more are looked for.
    const ENOUGH: usize = 3;

    pub fn are_enough(&self) -> bool {
        self.models >= Doubts::ENOUGH
    }

    /// The attempt these doubts make of one that holds otherwise.
    pub fn or(self, holds: impl FnOnce() -> Attempt) -> Attempt {
        match (self.suspected, self.open) {
            (Some(why), _) => Attempt::Suspected(why),
            (None, Some(obstacle)) => Attempt::Open(obstacle),
            (None, None) => holds(),
        }
    }
}

/// An index as `row * length + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub row: TermId,
    pub length: TermId,
    pub column: TermId,
}

pub struct Analysis<'p> {
    pub program: &'p Program,
    pub kernel: ProcId,
    pub request: &'p ProofRequest,
    pub machine: Machine<'p>,
    pub prover: Prover,
    pub entry: State,
    /// Every access and barrier, each once, for an arbitrary interval.
    pub whole: Log<'p>,
    pub intervals: Vec<Interval>,
    /// Number of elements, 64 bits, of the arrays for which it is known.
    pub extents: FxHashMap<ArrayKey, TermId>,
    /// Indices taken apart, by index and path.
    pub rows: FxHashMap<(TermId, TermId), Option<Row>>,
    pub candidates: Vec<Candidate>,
    pub assumptions: Statements<Assumption>,
    pub remarks: Statements<Remark>,
}

impl<'p> Analysis<'p> {
    /// Runs the kernel symbolically; nothing is judged yet.
    pub fn new(
        program: &'p Program,
        kernel: ProcId,
        request: &'p ProofRequest,
    ) -> Followed<Analysis<'p>> {
        let mut terms = Terms::default();
        let given = Given {
            grid: request.launch.map(|launch| launch.grid),
            block: request.launch.map(|launch| launch.block).or(request.block),
        };
        let launch = SymbolicLaunch::with(&mut terms, program, kernel, given, request.asked);
        let assumptions = launch.assumptions.iter().cloned().collect();
        let mut machine = Machine::new(program, launch, terms);
        // In lockstep, lanes that part from a barrier wait for the others where the ways meet
        // again, and do not end.
        let axes = &request.profile.axes;
        machine.ended_arrive = axes.exited_threads.excuses(false) && !axes.warps.is_lockstep();
        let scalar = |var: VarId| request.scalars.get(&var).copied();
        let entry = machine.entry_state(kernel, &scalar)?;
        let body = &program.proc(kernel).body;
        let mut prover = Prover::new(request.budget, request.total_timeout);
        // Before counters are asked about: that an extent is no negative number may keep them in their range.
        let given = GivenExtents::new(&mut machine, kernel, request, &entry)?;
        let settled = settle(&mut machine, &mut prover, &mut |machine| {
            // Once to learn which arrays are written, once more with what never changes known.
            machine.written = None;
            machine.execute(body, &mut entry.clone(), &None)?;
            let log = std::mem::take(&mut machine.log);
            let is_written = |a: &&Access| a.mode != AccessMode::Read;
            machine.written = Some(
                log.accesses
                    .iter()
                    .filter(is_written)
                    .map(|a| a.array)
                    .collect(),
            );
            machine.execute(body, &mut entry.clone(), &None)?;
            Ok(std::mem::take(&mut machine.log))
        })?;
        let mut analysis = Analysis {
            program,
            kernel,
            request,
            machine,
            prover,
            entry,
            whole: settled.log,
            intervals: vec![],
            extents: given.elements,
            rows: FxHashMap::default(),
            candidates: vec![],
            assumptions,
            remarks: settled.remarks.into_iter().collect(),
        };
        analysis.assumptions.extend(given.assumptions);
        analysis.assume_apart();
        analysis.assumptions.extend(settled.assumptions);
        Ok(analysis)
    }

    /// Walks the barrier intervals.
    pub fn walk_intervals(&mut self) {
        let program = self.program;
        let body = &program.proc(self.kernel).body;
        let rest = before(Item::Op(body), None);
        let mut starts = vec![(self.entry.clone(), rest)];
        let barriers = self.whole.barriers.iter();
        starts.extend(barriers.map(|b| (b.state.clone(), b.rest.clone())));
        for (state, rest) in starts {
            let interval = self.machine.interval(state, rest, &mut self.prover);
            self.intervals.push(interval);
        }
    }

    /// What kept the walks from being complete, if anything did.
    pub fn incomplete(&self) -> Option<Obstacle> {
        let stopped = self.intervals.iter().find_map(|i| i.stopped.as_ref())?;
        let reason = if self.prover.is_spent() {
            Reason::Limit
        } else {
            Reason::Unsupported
        };
        Some(Obstacle::new(reason, stopped.to_string()))
    }

    pub fn ask(&mut self, readings: &[Reading], extra: &[Bool]) -> Answer {
        self.prover
            .ask(&self.machine.terms, &self.machine.launch, readings, extra)
    }

    /// The same where any model will do.
    pub fn ask_for_any(&mut self, readings: &[Reading], extra: &[Bool]) -> Answer {
        let machine = &self.machine;
        self.prover
            .ask_for_any(&machine.terms, &machine.launch, readings, extra)
    }

    /// Whether a thread can satisfy `path`.
    pub fn is_possible(&mut self, path: TermId) -> Possible {
        let machine = &self.machine;
        self.prover
            .is_possible(&machine.terms, &machine.launch, &[path])
    }

    pub fn array_name(&self, array: ArrayKey) -> String {
        match array {
            ArrayKey::Null => "null".to_owned(),
            ArrayKey::Param(var) => {
                let vars = &self.program.proc(self.kernel).vars;
                vars[var.0 as usize].name.to_string()
            }
            ArrayKey::Declared(id) => self.program.array(id).name.to_string(),
        }
    }

    fn assume_apart(&mut self) {
        let procedure = self.program.proc(self.kernel);
        let is_pointer = |v: &VarId| matches!(procedure.vars[v.0 as usize].ty, Type::Pointer(_));
        let pointers = procedure.own_params().filter(is_pointer).count();
        let globals = self.program.arrays.iter().any(|a| a.space == Space::Global);
        if pointers > 1 || pointers == 1 && globals {
            let kernel = procedure.name.to_string();
            self.assumptions.note(Assumption::NoAliasing { kernel });
        }
    }

    /// The values of the kernel's scalar parameters.
    pub fn scalar_param(&self, var: VarId) -> Option<TermId> {
        match self.entry.get(var) {
            Some(SymValue::Scalar(term)) => Some(*term),
            _ => None,
        }
    }

    /// Turns an unanswered query into its obstacle.
    pub fn gave_up(&self, what: &str, cut: &Cut) -> Obstacle {
        let within = match cut {
            Cut::Solver => "",
            Cut::Query | Cut::Total | Cut::Time => "not decided within ",
        };
        Obstacle::new(Reason::Limit, format!("{what}: {within}{cut}"))
    }
}
