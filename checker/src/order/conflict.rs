//! When two accesses conflict.

use crate::system::Explorable;
use crate::system::footprint::place_of;
use gridlock_semantics::transition::Access;

/// Whether two accesses are by different actors, to one place, and race where nothing orders
/// them.
pub fn conflict<T: Explorable>(
    system: &T,
    state: &T::State,
    first: &Access,
    second: &Access,
) -> bool {
    let one_reads_only = first.mode.reads_only() && second.mode.reads_only();
    first.actor != second.actor
        && !one_reads_only
        && place_of(first) == place_of(second)
        && system.is_race(state, first, second)
}
