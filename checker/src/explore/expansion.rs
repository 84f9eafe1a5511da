//! What can be seen from one state: its transitions, the faults and races among them.

use crate::finding::ScheduleStep;
use crate::order::conflict;
use crate::system::Explorable;
use crate::system::{acting, label_text};
use gridlock_semantics::transition::fault::Fault;
use gridlock_semantics::transition::{Access, Label};

/// A way from one visited state to the next: one transition, or several in a row.
pub struct Edge<S> {
    /// The visible transitions on the way.
    pub schedule: Vec<ScheduleStep>,
    pub n_transitions: u32,
    /// For drawing.
    pub label: String,
    pub to: S,
}

/// Two accesses that nothing orders, both possible in one state or made in one transition.
pub struct RaceSeen {
    pub first: Access,
    pub second: Access,
    /// From the state expanded to the second access.
    pub schedule: Vec<ScheduleStep>,
}

pub struct FaultSeen {
    pub fault: Fault,
    pub schedule: Vec<ScheduleStep>,
}

pub struct Expansion<S> {
    pub edges: Vec<Edge<S>>,
    pub races: Vec<RaceSeen>,
    pub faults: Vec<FaultSeen>,
    /// Some edges were left out.
    pub reduced: bool,
    /// A bound inside the expansion was reached; what lies behind it is not covered.
    pub cut: bool,
    /// That there are no edges does not mean that a run ends here: all runs that go on are discarded
    /// or endless.
    pub goes_on: bool,
}

// Not derived: a state need not have a default.
impl<S> Default for Expansion<S> {
    fn default() -> Expansion<S> {
        Expansion {
            edges: Vec::new(),
            races: Vec::new(),
            faults: Vec::new(),
            reduced: false,
            cut: false,
            goes_on: false,
        }
    }
}

impl<S> Expansion<S> {
    /// Of a state that was not looked at.
    pub fn cut() -> Expansion<S> {
        Expansion {
            cut: true,
            ..Expansion::default()
        }
    }
}

/// How the successors of a state are found.
pub trait Expander<S>: Sync {
    /// All of them, or (`reduce`) as few as suffice.
    fn expand(&self, state: &S, reduce: bool) -> Expansion<S>;

    /// What the search visits in place of an initial state.
    fn start(&self, state: S) -> Edge<S> {
        Edge {
            schedule: Vec::new(),
            n_transitions: 0,
            label: String::new(),
            to: state,
        }
    }
}

/// Every transition, one by one.
pub struct Full<'a, T>(pub &'a T);

impl<T: Explorable> Expander<T::State> for Full<'_, T> {
    fn expand(&self, state: &T::State, _reduce: bool) -> Expansion<T::State> {
        if self.0.too_wide(state).is_some() {
            return Expansion::cut();
        }
        let mut found = Vec::new();
        self.0.successors(state, &mut found);
        expansion_of(self.0, state, found)
    }
}

/// The expansion whose edges are the transitions `found` in `state`.
pub fn expansion_of<T: Explorable>(
    system: &T,
    state: &T::State,
    found: Vec<(Label, T::State)>,
) -> Expansion<T::State> {
    let steps = schedule_steps(system, &found);
    let races = races_among(system, state, &found, &steps);
    let mut expansion = Expansion {
        edges: Vec::with_capacity(found.len()),
        races,
        ..Expansion::default()
    };
    for ((label, to), step) in found.into_iter().zip(steps) {
        let text = label_text(&label);
        match label.fault {
            Some(fault) => expansion.faults.push(FaultSeen {
                fault,
                schedule: step.into_iter().collect(),
            }),
            None => expansion.edges.push(Edge {
                schedule: step.into_iter().collect(),
                n_transitions: 1,
                label: text,
                to,
            }),
        }
    }
    expansion
}

/// The schedule step of each transition; `None` for those that do not count.
fn schedule_steps<T: Explorable>(
    system: &T,
    found: &[(Label, T::State)],
) -> Vec<Option<ScheduleStep>> {
    let mut steps: Vec<Option<ScheduleStep>> = Vec::with_capacity(found.len());
    for (label, _) in found {
        if !system.counts(label) {
            steps.push(None);
            continue;
        }
        let actors = acting(label);
        let choice = steps
            .iter()
            .flatten()
            .filter(|step| step.actors == actors)
            .count() as u32;
        steps.push(Some(ScheduleStep {
            actors,
            steps: 1,
            choice,
        }));
    }
    steps
}

/// Conflicting accesses of different threads in different transitions out of `state`, or in one
/// transition of several threads. A transition that ends the run, by a fault or an assumption that fails, comes second. Last
/// are those that may not be shown: in a run that is discarded, and of two transitions of which some thread is in both, as one
/// cannot be taken after the other; where sets of threads fire there are others without it.
fn races_among<T: Explorable>(
    system: &T,
    state: &T::State,
    found: &[(Label, T::State)],
    steps: &[Option<ScheduleStep>],
) -> Vec<RaceSeen> {
    let mut races = Vec::new();
    let mut doubtful = Vec::new();
    let is_discarded: Vec<bool> = found
        .iter()
        .map(|(_, to)| system.is_discarded(to))
        .collect();
    for (i, (label, _)) in found.iter().enumerate() {
        for (k, first) in label.accesses.iter().enumerate() {
            if let Some(earlier) = system.unordered_before(state, first) {
                races.push(RaceSeen {
                    first: earlier,
                    second: *first,
                    schedule: steps[i].iter().cloned().collect(),
                });
            }
            for second in &label.accesses[k + 1..] {
                if conflict(system, state, first, second) {
                    let seen = RaceSeen {
                        first: *first,
                        second: *second,
                        schedule: steps[i].iter().cloned().collect(),
                    };
                    match is_discarded[i] {
                        true => doubtful.push(seen),
                        false => races.push(seen),
                    }
                }
            }
            for (j, (other, _)) in found.iter().enumerate().skip(i + 1) {
                let are_apart = !other.actors.iter().any(|a| label.actors.contains(a));
                for second in &other.accesses {
                    if conflict(system, state, first, second) {
                        let first_ends = label.fault.is_some() || is_discarded[i];
                        if label.fault.is_some() && other.fault.is_some() {
                            continue;
                        }
                        let order = if first_ends { [j, i] } else { [i, j] };
                        let (a, b) = if first_ends {
                            (second, first)
                        } else {
                            (first, second)
                        };
                        let seen = RaceSeen {
                            first: *a,
                            second: *b,
                            schedule: order.iter().filter_map(|&n| steps[n].clone()).collect(),
                        };
                        match are_apart {
                            true => races.push(seen),
                            false => doubtful.push(seen),
                        }
                    }
                }
            }
        }
    }
    // Where sets of threads fire, the fewest that show it: what others do besides may stand in the way.
    let n_actors =
        |seen: &RaceSeen| -> usize { seen.schedule.iter().map(|step| step.actors.len()).sum() };
    for seen in [&mut races, &mut doubtful] {
        seen.sort_by_key(n_actors);
    }
    races.append(&mut doubtful);
    races
}
