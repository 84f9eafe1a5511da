//! Following a run with a cycle, and whether the progress guarantee allows it.
//!
//! The cycle must come back to the very state it began in, but for numbers that nothing depends on: in the
//! whole program ([`crate::progress::Idle`]), or in what the cycle does ([`crate::progress::is_cycle`]).
//! And each agent that is owed a move must move in it or, in some state of it, be unable to: asked here of the states of the cycle
//! one by one, whatever graph the engine had in mind.

use crate::finding::ScheduleStep;
use crate::progress::guarantee::is_unstarted;
use crate::progress::{
    Claims, Flow, Flows, Guarantee, Idle, agents_of, is_cycle, recurrence_applies,
};
use crate::system::ExploredProgram;
use crate::system::array_name::{array_name, space_of};
use crate::system::follow::Run;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{Basic, Effect, OpId, OpKind};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};
use std::collections::{BTreeMap, BTreeSet};

/// A run with a cycle.
pub struct Lasso<'a> {
    pub run: Run<'a>,
    /// Number of transitions before the cycle.
    pub n_before: usize,
    pub agents: Vec<Circling>,
}

/// What one agent does in the cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Circling {
    pub position: ThreadPosition,
    /// The first loop, in the order of the source, whose condition it tests.
    pub tests: Option<OpId>,
    pub does: Doing,
}

/// A place looked at again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub access: Access,
    /// The array's name.
    pub name: String,
    pub space: Option<Space>,
    /// What it held, if that was the same each time.
    pub value: Option<Value>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Doing {
    /// It moves. What it reads, or updates atomically without effect: each place once.
    Spins {
        looks_at: Vec<Seen>,
    },
    /// It cannot move in any state of the cycle.
    Waits,
    /// It stands at nothing that makes it wait, and is not chosen: by an unfair scheduler, or
    /// because its warp, in lockstep, goes on with another path.
    PassedOver,
    /// Its block has not started.
    NotStarted,
    Ended,
}

/// Follows a finding's run from each initial state; the first with a cycle that is allowed.
/// `system` is the one for termination.
pub fn follow<'a>(
    system: &'a ExploredProgram,
    prefix: &[ScheduleStep],
    cycle: &[ScheduleStep],
) -> Option<Lasso<'a>> {
    let starts = system.initial().into_iter();
    starts
        .into_iter()
        .find_map(|start| from(system, start, prefix, cycle))
}

fn from<'a>(
    system: &'a ExploredProgram,
    start: State,
    prefix: &[ScheduleStep],
    cycle: &[ScheduleStep],
) -> Option<Lasso<'a>> {
    let mut run = Run::new(system, start);
    run.follow_exactly(prefix).ok()?;
    let begin = run.state.clone();
    let n_before = run.followed.len();
    let mut watched = Watched::new(system);
    watched.state(&run.state);
    let flows = recurrence_applies(system).then(|| Flows::new(system));
    let mut done: Vec<Flow> = Vec::new();
    let single = cycle
        .iter()
        .flat_map(|step| (0..step.steps).map(move |_| step));
    for step in single {
        // All that every actor may do is asked in each state: dear in a large launch.
        if system.is_late() {
            return None;
        }
        let before = run.state.clone();
        run.exactly(&step.actors, step.choice).ok()?;
        let label = &run.followed.last()?.label;
        watched.transition(&before, label);
        done.extend(flows.iter().map(|flows| flows.of(&before, label)));
        watched.state(&run.state);
    }
    let idle = Idle::of(system.program());
    let comes_back = idle.same(&run.state, &begin)
        || flows.is_some() && is_cycle(&begin, &run.state, &done).is_ok();
    let is_round = run.followed.len() > n_before && comes_back;
    (is_round && watched.is_allowed()).then(|| Lasso {
        agents: watched.circling(&run, n_before),
        run,
        n_before,
    })
}

/// The claims of the states of a cycle, and who moved.
struct Watched<'a> {
    system: &'a ExploredProgram,
    /// Agents owed a move in every state so far; `None` before the first.
    owed: Option<BTreeSet<Actor>>,
    /// A start is owed in every state so far.
    owes_start: bool,
    moved: BTreeSet<Actor>,
    /// Agents that could move in some state.
    able: BTreeSet<Actor>,
}

impl<'a> Watched<'a> {
    fn new(system: &'a ExploredProgram) -> Watched<'a> {
        Watched {
            system,
            owed: None,
            owes_start: true,
            moved: BTreeSet::new(),
            able: BTreeSet::new(),
        }
    }

    fn state(&mut self, state: &State) {
        let mut found = Vec::new();
        self.system.successors(state, &mut found);
        let labels = || found.iter().map(|(label, _)| label);
        let progress = self.system.profile().axes.termination.progress;
        let Claims { owed, owes_start } = Guarantee(progress).claims(state, labels());
        self.able.extend(labels().flat_map(|l| agents_of(state, l)));
        self.owes_start &= owes_start;
        let owed: BTreeSet<Actor> = owed.into_iter().collect();
        self.owed = Some(match self.owed.take() {
            None => owed,
            Some(before) => before.intersection(&owed).copied().collect(),
        });
    }

    /// Whether it stands at an operator that lets threads wait for others.
    fn waits(&self, position: &ThreadPosition) -> bool {
        let operators = self.system.program().operators();
        let at = operators.iter().find(|(_, op)| Some(op.id) == position.op);
        at.is_some_and(|(_, op)| match &op.kind {
            OpKind::Basic(basic) => makes_wait(basic),
            _ => false,
        })
    }

    fn transition(&mut self, before: &State, label: &Label) {
        self.moved.extend(agents_of(before, label));
    }

    fn is_allowed(&self) -> bool {
        let owed = self.owed.iter().flatten();
        !self.owes_start && owed.into_iter().all(|agent| self.moved.contains(agent))
    }

    /// What each agent does in the cycle that `run` has ended with.
    fn circling(&self, run: &Run<'_>, n_before: usize) -> Vec<Circling> {
        let mut looks_at: BTreeMap<Actor, Vec<Seen>> = BTreeMap::new();
        let mut tests: BTreeMap<Actor, OpId> = BTreeMap::new();
        for followed in &run.followed[n_before..] {
            if let (Rule::R3, Some(op)) = (followed.label.rule, followed.label.op) {
                for &actor in &followed.label.actors {
                    let first = tests.entry(actor).or_insert(op);
                    *first = (*first).min(op);
                }
            }
            for access in &followed.label.accesses {
                let (old, new) = followed.cells(self.system, access);
                if access.mode == AccessMode::Write || old != new {
                    continue;
                }
                let places = looks_at.entry(access.actor).or_default();
                let same = |seen: &&mut Seen| {
                    (seen.access.array, seen.access.index) == (access.array, access.index)
                };
                match places.iter_mut().find(same) {
                    Some(seen) if seen.value != old => seen.value = None,
                    Some(_) => {}
                    None => places.push(Seen {
                        access: *access,
                        name: array_name(self.system.program(), &run.state, access.array),
                        space: space_of(&run.state, access.array),
                        value: old,
                    }),
                }
            }
        }
        let positions = self.system.system().positions(&run.state);
        let circling = positions.into_iter().map(|position| {
            let actor = position.actor;
            let does = if self.moved.contains(&actor) {
                let looks_at = looks_at.remove(&actor).unwrap_or_default();
                Doing::Spins { looks_at }
            } else if position.op.is_none() {
                Doing::Ended
            } else if is_unstarted(&run.state, actor) {
                Doing::NotStarted
            } else if self.able.contains(&actor) || !self.waits(&position) {
                Doing::PassedOver
            } else {
                Doing::Waits
            };
            let tests = tests.remove(&actor);
            Circling {
                position,
                tests,
                does,
            }
        });
        circling.collect()
    }
}

/// Whether threads may have to wait at it.
fn makes_wait(basic: &Basic) -> bool {
    matches!(
        basic.effect(),
        Effect::Meets | Effect::Exchanges | Effect::Manages
    )
}
