//! One run of sequential host code, counted: how often each operator is applied, and how far into each array of an
//! argument it reaches. It runs the reference semantics.

use crate::subject::prepared::Prepared;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::TransitionSystem;
use gridlock_semantics::transition::fault::Fault;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Operators applied.
    pub steps: u64,
    /// The same by the place of the operator in the source.
    pub places: HashMap<Span, u64>,
    /// By name of the host's arrays the greatest index that was touched, and the least.
    pub touched: BTreeMap<Arc<str>, (i64, i64)>,
    /// What went wrong, if anything did.
    pub fault: Option<Fault>,
    /// It was cut at so many operators.
    pub is_cut: bool,
}

impl Counted {
    /// Takes in another run.
    pub fn add(&mut self, other: Counted) {
        self.steps += other.steps;
        for (place, times) in other.places {
            *self.places.entry(place).or_default() += times;
        }
        for (array, (most, least)) in other.touched {
            let touched = self.touched.entry(array).or_insert((most, least));
            *touched = (touched.0.max(most), touched.1.min(least));
        }
        self.fault = self.fault.take().or(other.fault);
        self.is_cut |= other.is_cut;
    }

    /// Operators applied whose place lies within `whole`.
    pub fn within(&self, whole: Span) -> u64 {
        let found = self
            .places
            .iter()
            .filter(|(place, _)| is_within(**place, whole));
        found.map(|(_, times)| times).sum()
    }
}

/// Whether a place lies within another one.
pub fn is_within(place: Span, whole: Span) -> bool {
    place.file == whole.file
        && (place.line, place.column) >= (whole.line, whole.column)
        && (place.end_line, place.end_column) <= (whole.end_line, whole.end_column)
}

/// Runs host code from a setup on, for at most `most` operators, until it launches something. `None` where the setup is none
/// of the program's.
pub fn counted(
    prepared: &Prepared,
    setup: &Setup,
    profile: &Profile,
    most: u64,
) -> Option<Counted> {
    let explored = ExploredProgram::new(&prepared.surface, setup, profile).ok()?;
    let system = explored.system();
    let operators = system.program().operators().into_iter();
    let places: HashMap<OpId, Span> = operators.map(|(_, op)| (op.id, op.span)).collect();
    let mut state = system.initial().into_iter().next()?;
    let mut found = Counted::default();
    while !system.is_final(&state) {
        let actors = state.host_threads().into_iter();
        let fired = actors
            .flat_map(|actor| system.fire(&state, &[actor]))
            .next();
        let Some((label, next)) = fired else {
            break;
        };
        state = next;
        found.steps += 1;
        if let Some(place) = label.op.and_then(|op| places.get(&op)) {
            *found.places.entry(*place).or_default() += 1;
        }
        for access in &label.accesses {
            let array = state.memory.array(access.array);
            if let (ArrayRef::Host(_), Some(array)) = (access.array, array) {
                let touched = found.touched.entry(array.info.name.clone());
                let (most, least) = touched.or_insert((access.index, access.index));
                *most = access.index.max(*most);
                *least = access.index.min(*least);
            }
        }
        found.fault.clone_from(&label.fault);
        if found.fault.is_some() {
            break;
        }
        if found.steps >= most {
            found.is_cut = true;
            break;
        }
    }
    Some(found)
}
