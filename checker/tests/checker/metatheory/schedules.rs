//! Every schedule of a program, by plain search over the reference: no reduction, states kept
//! whole, no engine of the checker involved.

use gridlock_generation::random::Generated;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Access, Actor, Label, TransitionSystem};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How a run may end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Final(Observation),
    /// The kind of a fault, without the positions it lists.
    Fault(String),
    Deadlock,
}

/// A transition out of a state.
pub type Step = (Label, State);

/// What all schedules together show.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Schedules {
    pub ends: BTreeSet<End>,
    /// Pairs of operators whose accesses, of different threads, conflict and are next together.
    /// Only under firing `one`.
    pub races: BTreeSet<(OpId, OpId)>,
    pub n_states: usize,
}

impl Schedules {
    pub fn finals(&self) -> BTreeSet<&End> {
        let is_final = |end: &&End| matches!(end, End::Final(_));
        self.ends.iter().filter(is_final).collect()
    }
}

pub fn system(g: &Generated, profile: &Profile) -> ProgramSystem {
    let program = Arc::new(g.program.clone());
    ProgramSystem::new(program, g.setup.clone(), profile.clone()).expect("well-formed")
}

/// All schedules; `None` beyond `most` states.
pub fn all(g: &Generated, profile: &Profile, most: usize) -> Option<Schedules> {
    all_with(&system(g, profile), most, &mut |_, _| {})
}

/// The same, with a look at every state and the transitions out of it.
pub fn all_with(
    system: &ProgramSystem,
    most: usize,
    visit: &mut dyn FnMut(&State, &[Step]),
) -> Option<Schedules> {
    let mut found = Schedules::default();
    let mut seen: FxHashSet<State> = system.initial().into_iter().collect();
    let mut frontier: Vec<State> = seen.iter().cloned().collect();
    let mut successors = Vec::new();
    while let Some(state) = frontier.pop() {
        if seen.len() > most {
            return None;
        }
        successors.clear();
        system.successors(&state, &mut successors);
        if let Some(fault) = state.fault() {
            found.ends.insert(End::Fault(fault_name(&fault.kind)));
        } else if system.is_final(&state) {
            found.ends.insert(End::Final(system.observe(&state)));
        } else if successors.is_empty() && !system.is_discarded(&state) {
            found.ends.insert(End::Deadlock);
        }
        visit(&state, &successors);
        for (i, (a, _)) in successors.iter().enumerate() {
            for (b, _) in &successors[i + 1..] {
                races(a, b, &mut found.races);
            }
        }
        for (_, next) in successors.drain(..) {
            if seen.insert(next.clone()) {
                frontier.push(next);
            }
        }
    }
    found.n_states = seen.len();
    Some(found)
}

/// Whether accesses of the two transitions touch one cell and one of them changes it; two atomics
/// do too.
pub fn conflict(a: &Label, b: &Label) -> bool {
    let pairs = a
        .accesses
        .iter()
        .flat_map(|x| b.accesses.iter().map(move |y| (x, y)));
    pairs.into_iter().any(|(x, y)| touch(x, y))
}

/// Whether two accesses touch one cell and one of them changes it.
fn touch(x: &Access, y: &Access) -> bool {
    let one_writes = x.mode != AccessMode::Read || y.mode != AccessMode::Read;
    let block = |actor: Actor| match actor {
        Actor::Thread { block, .. } | Actor::Block(block) => Some(block),
        _ => None,
    };
    let is_shared = matches!(x.array, ArrayRef::Shared(_));
    let same_instance = !is_shared || block(x.actor) == block(y.actor);
    x.array == y.array && same_instance && x.index == y.index && one_writes
}

fn races(a: &Label, b: &Label, found: &mut BTreeSet<(OpId, OpId)>) {
    for x in &a.accesses {
        for y in &b.accesses {
            let both_atomic = x.mode.is_atomic() && y.mode.is_atomic();
            let looks = x.mode.reads_only() && y.mode.reads_only();
            if x.actor != y.actor && touch(x, y) && !both_atomic && !looks {
                found.insert((x.op.min(y.op), x.op.max(y.op)));
            }
        }
    }
}

fn fault_name(kind: &FaultKind) -> String {
    match kind {
        FaultKind::BarrierDivergence { .. } => "BarrierDivergence".to_owned(),
        other => format!("{other:?}"),
    }
}
