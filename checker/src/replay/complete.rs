//! A run brought to its end.

use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::TransitionSystem;

/// Transitions after the end of a schedule, when a run is to be completed.
const REST_BOUND: usize = 10_000_000;

/// Lets every actor go on to the end, in canonical order.
pub fn complete(run: &mut Run<'_>) {
    run.complete(REST_BOUND);
}

/// Whether the run came to its end, and what is observed of it is all there is.
pub fn is_shown_whole(system: &ExploredProgram, state: &State) -> bool {
    system.is_final(state) && state.memory.beyond_showing().is_none()
}
