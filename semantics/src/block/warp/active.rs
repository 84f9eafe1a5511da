//! `__activemask()` among independent threads: which lanes fire it together is open.

use super::super::state::BlockState;
use crate::algebra::operator::{Basic, OpKind};
use crate::setup::context::Context;
use crate::thread::{Head, ThreadState};

/// Whether the head is `__activemask()`.
pub fn is_at_active_mask(thread: &ThreadState) -> bool {
    match thread.head() {
        Head::Op(op) => matches!(op.kind, OpKind::Basic(Basic::ActiveMask { .. })),
        _ => false,
    }
}

/// The threads of the warp of `thread` that stand at the same `__activemask()` as it, itself
/// among them, ascending. Empty when it stands elsewhere.
pub fn companions(context: &Context, block: &BlockState, thread: u32) -> Vec<u32> {
    let at = |thread: u32| {
        let state = block.threads.get(thread as usize)?;
        is_at_active_mask(state).then(|| state.position()).flatten()
    };
    let Some(here) = at(thread) else {
        return Vec::new();
    };
    let size = context.warp_size();
    let first = thread / size * size;
    let lanes = first..first + size;
    lanes.filter(|&lane| at(lane) == Some(here)).collect()
}

/// Every set of threads that may fire an `__activemask()` together and has `thread` as its first:
/// 2ⁿ⁻¹ of them for the last n of its companions.
pub fn sets_from(context: &Context, block: &BlockState, thread: u32) -> Vec<Vec<u32>> {
    let mut sets = vec![vec![thread]];
    for other in companions(context, block, thread) {
        if other > thread {
            let with = sets.iter().map(|set| [set.as_slice(), &[other]].concat());
            let with: Vec<Vec<u32>> = with.collect();
            sets.extend(with);
        }
    }
    sets
}
