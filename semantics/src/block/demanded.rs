//! Whom a barrier waits for: the axis *exited threads*, for each kind of barrier.

use super::state::BlockState;
use crate::profile::ExitedThreads;
use crate::setup::context::Context;
use crate::thread::Status;

/// `threads` in the condition of R7: those that *exited threads* still demands. Under
/// `block-forever` it is the constant of the paper.
pub fn n_demanded(context: &Context, state: &BlockState) -> u32 {
    let demanded = state.threads.iter().filter(|thread| {
        thread.is_running() || !is_excused(context.axes.exited_threads, thread.status)
    });
    demanded.count() as u32
}

/// Whether a thread that has ended in this way is not demanded at the barrier.
pub(crate) const fn is_excused(exited: ExitedThreads, status: Status) -> bool {
    match exited {
        ExitedThreads::BlockForever | ExitedThreads::Defect => false,
        ExitedThreads::ReturnOnly => matches!(status, Status::Returned),
        ExitedThreads::Arrived => true,
    }
}
