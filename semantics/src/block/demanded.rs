//! The threads that the barrier of the paper waits for: the axis *exited threads*.

use super::state::BlockState;
use crate::setup::context::Context;
use crate::thread::Status;

/// `threads` in the condition of R7: those that *exited threads* still demands. Under
/// `block-forever` it is the constant of the paper.
pub fn n_demanded(context: &Context, state: &BlockState) -> u32 {
    let exited = context.axes.exited_threads;
    let is_demanded = |status: Status| match status {
        Status::Running => true,
        Status::Ended | Status::Returned => !exited.excuses(status == Status::Returned),
    };
    let demanded = state
        .threads
        .iter()
        .filter(|thread| is_demanded(thread.status));
    demanded.count() as u32
}
