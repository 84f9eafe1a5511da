//! Runs with a cycle although some value grows: a counter, or a cell into which it is written.
//!
//! Let a run lead from a state to another that differs from it in some places only. Follow what those
//! places hold through the run ([`flow`]). If none of it ever decides where a thread goes, which cell is
//! accessed, whether an operator faults or who may move, and what it is computed into is again one of those
//! places, then the same transitions can be taken from the second state too: they read the same but for those
//! places, do the same, and leave a state that differs in those places only. So they can be taken for ever,
//! whatever the values do, also when they wrap around. What decides is asked of the run at hand, not of
//! the whole program: an array is looked at that is read after the loop, and not in it.
//!
//! A guard that is the same for all values that a counter's type has (`i >= 0` of an unsigned one) does
//! not depend on the counter ([`range`]). A counter that does decide keeps states apart; then only a run that
//! comes back to the same value has a cycle.
//!
//! Agents that do not move are unable to, or passed over, alike in each round: whether one is depends on
//! where threads stand and on operands of barriers, which are among what is asked.
//!
//! Not where sets of threads fire together or in lockstep, and not where the host moves: there the state has to
//! come back as it was.

mod doubt;
mod flow;
mod place;
mod range;

pub use doubt::Doubt;
pub use flow::{Flow, Flows};
pub use place::ValuePlace;

use crate::progress::settle::settles;
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::operator::{Basic, Effect, OpKind};
use gridlock_semantics::host::State;
use gridlock_semantics::thread::{Head, ThreadState};
use rustc_hash::FxHashMap;

/// Values followed through one run in this many passes at most; each finds another place they go to.
const MOST_PASSES: usize = 32;

/// Whether runs of this system may be judged so.
pub fn applies(system: &ExploredProgram) -> bool {
    settles(system)
}

/// Whether the run of `flows` from `before` to `after` can be repeated for ever.
pub fn is_cycle(before: &State, after: &State, flows: &[Flow]) -> Result<(), Doubt> {
    let differing = place::differing(before, after).ok_or(Doubt::Elsewhere)?;
    if differing.is_empty() {
        return if before == after {
            Ok(())
        } else {
            Err(Doubt::Differs)
        };
    }
    if !operands_are_private(after) {
        return Err(Doubt::Differs);
    }
    // Each place with the one among those that differ which its value comes from.
    let mut open: FxHashMap<ValuePlace, ValuePlace> =
        differing.iter().map(|at| (*at, *at)).collect();
    for _ in 0..MOST_PASSES {
        let mut reached = open.clone();
        for flow in flows {
            flow.follow(&mut reached)?;
        }
        let n_before = open.len();
        for (place, from) in reached {
            open.entry(place).or_insert(from);
        }
        if open.len() == n_before {
            let mut forgotten = before.clone();
            for place in open.keys() {
                // A place without a value may fault in one round and not in another.
                if !(place.holds_number(before) && place.holds_number(after)) {
                    return Err(Doubt::Differs);
                }
                place.copy(after, &mut forgotten);
            }
            return match forgotten == *after {
                true => Ok(()),
                false => Err(Doubt::Differs),
            };
        }
    }
    Err(Doubt::Differs)
}

/// Whether what lets threads wait for others reads no memory, and no host code waits for a condition.
fn operands_are_private(state: &State) -> bool {
    let reads_memory = |thread: &ThreadState| match thread.head() {
        Head::Op(op) => match &op.kind {
            OpKind::Basic(basic) if matches!(basic.effect(), Effect::Meets | Effect::Exchanges) => {
                op.expressions().into_iter().any(|expr| expr.has_load())
            }
            OpKind::Basic(Basic::Wait { .. }) => true,
            _ => false,
        },
        Head::Return(_) | Head::None => false,
    };
    let blocks = state.device.iter().flat_map(|grid| grid.blocks.iter());
    let threads = blocks.flat_map(|block| block.threads.iter());
    state.branches.is_empty()
        && !state.host.iter().any(|host| reads_memory(host))
        && !threads.into_iter().any(|thread| reads_memory(thread))
}
