//! Plain exhaustive exploration: every state, no reduction.

use gridlock_semantics::host::State;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Label, TransitionSystem};
use std::collections::{BTreeSet, HashSet};

/// How a run may end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Final(Observation),
    /// The kind of a fault, without its data where that is about threads.
    Fault(String),
    Deadlock,
}

#[derive(Debug, Default)]
pub struct Exploration {
    pub outcomes: BTreeSet<Outcome>,
    pub n_states: usize,
    pub n_transitions: usize,
    /// Every state was visited.
    pub complete: bool,
}

/// Explores up to `limit` states, calling `visit` on each transition.
pub fn explore_with(
    system: &ProgramSystem,
    limit: usize,
    visit: &mut dyn FnMut(&State, &Label, &State),
) -> Exploration {
    let mut found = Exploration::default();
    let mut seen: HashSet<State> = system.initial().into_iter().collect();
    let mut frontier: Vec<State> = seen.iter().cloned().collect();
    let mut successors = Vec::new();
    while let Some(state) = frontier.pop() {
        if seen.len() > limit {
            found.n_states = seen.len();
            return found;
        }
        successors.clear();
        system.successors(&state, &mut successors);
        if let Some(fault) = state.fault() {
            found
                .outcomes
                .insert(Outcome::Fault(fault_name(&fault.kind)));
        } else if system.is_final(&state) {
            found
                .outcomes
                .insert(Outcome::Final(system.observe(&state)));
        } else if successors.is_empty() && !system.is_discarded(&state) {
            found.outcomes.insert(Outcome::Deadlock);
        }
        for (label, next) in successors.drain(..) {
            found.n_transitions += 1;
            visit(&state, &label, &next);
            if seen.insert(next.clone()) {
                frontier.push(next);
            }
        }
    }
    found.n_states = seen.len();
    found.complete = true;
    found
}

pub fn explore(system: &ProgramSystem, limit: usize) -> Exploration {
    explore_with(system, limit, &mut |_, _, _| {})
}

pub fn fault_name(kind: &FaultKind) -> String {
    match kind {
        FaultKind::BarrierDivergence { .. } => "BarrierDivergence".to_owned(),
        other => format!("{other:?}"),
    }
}
