//! When two accesses of a transition system conflict: [`gridlock_semantics::memory::conflict`] asked of its
//! states and of what happened on the way to them.

use crate::system::Explorable;
use crate::system::footprint::{are_of_one_block, place_of};
use gridlock_semantics::transition::Access;

/// Whether two accesses that are possible in `state` are by different actors to one place and
/// conflict there. They race, since nothing orders what is possible side by side.
pub fn conflict<T: Explorable>(
    system: &T,
    state: &T::State,
    first: &Access,
    second: &Access,
) -> bool {
    conflict_unless(system, first, second, || {
        system.is_benign(state, first, second)
    })
}

/// The same of two accesses wherever they were made; `is_benign` as in
/// [`gridlock_semantics::memory::conflict::conflict`].
pub fn conflict_unless<T: Explorable>(
    system: &T,
    first: &Access,
    second: &Access,
    is_benign: impl FnOnce() -> bool,
) -> bool {
    let (one, other) = (system.access_kind(first), system.access_kind(second));
    first.actor != second.actor
        && place_of(first) == place_of(second)
        && gridlock_semantics::memory::conflict::conflict(
            one,
            other,
            are_of_one_block(first, second),
            is_benign,
        )
}
