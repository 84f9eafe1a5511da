//! Host code with streams (beyond paper 2): the host enqueues operations and continues; it waits
//! only where the program says so.
//!
//! A program whose launches and copies are all synchronous keeps R8 and R9: its host cannot observe
//! a difference, because the default stream runs everything in order and every copy waits for it
//! (`docs/host.md`). A program with an operator whose meaning depends on streams runs by the rules
//! here, in every profile.
//!
//! **Operations are atomic.** An operation of a stream (a copy, a launch) runs to its end before another begins or
//! the host moves; *which* runs next is open, as far as [`crate::host::streams`] leaves it. Real operations overlap.
//! Overlap makes no difference if no two unordered operations, nor an operation and the host, access the same element
//! with one of them writing: steps of different operations then commute, so every overlapping run ends like one in
//! which each operation runs as a whole. Programs without this property have a defect, which is found from the
//! [`Happening`]s. Kernels that communicate with each other while both run, or with the host, are not covered.
//!
//! How synchronous a copy is follows the runtime reference ("API synchronization behavior"):
//! `cudaMemcpy` waits for what came before it in the default stream; to the host, and between
//! page-locked host memory and the device, it has ended when the call returns; from pageable host
//! memory it has only read its source; between places of the device it is merely enqueued. (The
//! data moves at once in all of them; what has not ended for the host is in flight for
//! [`Happening`]s.) An asynchronous copy uses its host buffer until something waits for it, also
//! where the buffer is pageable and the runtime may happen to stage it. Freeing does not wait: the
//! reference does not say that `cudaFree` waits.

pub mod calls;
pub mod copy;
pub mod operations;
mod performed;

use super::happening::Happening;
use super::state::State;
use super::streams::StreamId;
use crate::setup::context::Context;
use crate::transition::{Label, Rule};

/// The happening of a transition from `before` with this label, if the transition is one of this
/// module's. Accesses to single elements are in the label instead.
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
