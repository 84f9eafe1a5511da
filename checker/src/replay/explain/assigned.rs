//! Which private variables each step of a run gives a value: what one watches while stepping.

use crate::replay::explain::names::{Names, thread_of};
use crate::replay::explain::trail::retrace;
use crate::replay::step::Assigned;
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::thread::Frame;
use gridlock_semantics::transition::Actor;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// For each transition of the run, what was assigned in it. `given` is the program before it was
/// put into the form that runs.
pub fn assigned(system: &ExploredProgram, given: &Program, run: &Run<'_>) -> Vec<Vec<Assigned>> {
    let names = Names::new(system, given);
    let mut found: Vec<Vec<Assigned>> = vec![Vec::new(); run.followed.len()];
    let mut seen: FxHashSet<Actor> = FxHashSet::default();
    retrace(
        system,
        &run.start,
        &run.followed,
        None,
        |index, label, before, after| {
            for &actor in &label.actors {
                let (was, is) = (thread_of(before, actor), thread_of(after, actor));
                let first = seen.insert(actor);
                let mut add = |state: &State, frame: &Frame, old: Option<&Frame>| {
                    for (number, value) in frame.vars.iter().enumerate() {
                        let var = VarId(number as u32);
                        if old.and_then(|old| old.vars.get(number)) != Some(value)
                            && *value != Value::Undef
                            && let Some((name, value)) =
                                names.assigned(state, frame.proc, var, *value)
                        {
                            found[index].push(Assigned { actor, name, value });
                        }
                    }
                };
                if let Some(frame) = was.and_then(|was| was.frames.last()).filter(|_| first) {
                    add(before, frame, None);
                }
                let (Some(was), Some(is)) = (was, is) else {
                    continue;
                };
                if Arc::ptr_eq(was, is) {
                    continue;
                }
                // A call begins afresh; what is returned to is compared with what it was.
                let depth = is.frames.len();
                if let Some(frame) = is.frames.last() {
                    let old = was.frames.get(depth - 1);
                    add(after, frame, old);
                }
            }
        },
    );
    found
}
