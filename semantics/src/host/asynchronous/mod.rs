//! Host code with streams (beyond paper 2): the host enqueues operations and goes on; it waits
//! only where it says so.
//!
//! A program all of whose launches and copies are synchronous keeps R8 and R9: such a host cannot
//! tell, because the default stream runs everything in order and every copy waits for it
//! (`docs/host.md`). One with an operator that only streams give a meaning to runs by the rules
//! here, in every profile.
//!
//! **Operations are atomic.** An operation of a stream (a copy, a launch) runs to its end before
//! another begins or the host moves; *which* runs next is open, as far as
//! [`crate::host::streams`] leaves it. Real operations overlap. For programs in which no two unordered
//! operations, nor an operation and the host, touch one element (one of them not only reading)
//! that shows nowhere: steps of different operations then commute, so that every overlapping run
//! ends as one in which each operation is run as a whole. The others have a defect, and
//! [`Happening`]s are what it is judged by. Kernels that talk to each other while both run, or to
//! the host, are outside.
//!
//! How synchronous a copy is follows the runtime reference ("API synchronization behavior"):
//! `cudaMemcpy` waits for what came before it in the default stream; to the host, and between
//! page-locked host memory and the device, it has ended when the call returns; from pageable host
//! memory it has only read its source; between places of the device it is merely enqueued. (The
//! data moves at once in all of them; what has not ended for the host is in flight for
//! [`Happening`]s.) An asynchronous copy uses its host buffer until something waits for it, also
//! where the buffer is pageable and the runtime may happen to stage it. Freeing waits for nothing:
//! that `cudaFree` does is said nowhere in the reference.

pub mod calls;
pub mod copy;
pub mod operations;
mod performed;

use super::happening::Happening;
use super::state::State;
use super::streams::StreamId;
use crate::setup::context::Context;
use crate::transition::{Label, Rule};

/// What a transition from `before` with this label means, where it is one of this module's.
/// Accesses to single elements stand in the label instead.
pub fn happenings(context: &Context, before: &State, label: &Label) -> Vec<Happening> {
    let [actor] = label.actors.as_slice() else {
        return vec![];
    };
    if !context.asynchronous || label.rule != Rule::StreamOperation {
        return vec![];
    }
    let performed = match StreamId::of_actor(*actor) {
        Some(stream) => operations::step(context, before, stream).into_iter().next(),
        None => calls::step(context, before, *actor),
    };
    performed.map_or(vec![], |performed| performed.happenings)
}
