//! Livelock: an infinite run that the profile's progress guarantee allows.
//!
//! **The question** is put to the profile's scheduling for *termination*, which restricts which
//! blocks run together more than the one for safety does. The states of a launch are finite in
//! number when no counter grows for ever; then a run is infinite only if it cycles in a
//! strongly connected component of the state graph, and by *weak fairness* (justice) of the
//! guarantee it may stay in a component if each *protected* thread moves on some edge of it or is
//! disabled in some state of it. All such conditions are met by the walk that visits the whole
//! component as soon as any walk in it meets them, so the maximal components suffice and nothing
//! has to be taken out of them (that is needed for strong fairness only).
//!
//! | guarantee | protected |
//! |---|---|
//! | `unfair` | no thread: any cycle is a livelock |
//! | `occupancy-bound` | the threads of blocks that have started and not finished; and a free place is filled: no run in which a block could start at every moment and none does |
//! | `fair` | every thread, also those of blocks that have not started |
//!
//! The host and the device as a whole (the start and the end of a launch) are protected under
//! both guarantees. In one launch blocks start and finish once, so within a component the sets of
//! started and of finished blocks are constant, and no edge of it starts one. A thread of a block
//! that finds no place is disabled, and so is a thread of a warp in lockstep whose path was not
//! chosen: neither is owed progress.
//!
//! **Neither over nor under** (with [`Termination::Ends`] or [`Termination::Livelock`]): no
//! partial order reduction is used. What is used: where threads fire one at a time and warps are
//! not in lockstep, a thread's private steps are taken at once (`unfold` gives the argument).
//! Clocks and race records are no part of the states here, so they cannot tell two of them apart.
//!
//! Sources: Sorensen, Donaldson, Batty, Gopalakrishnan, Rakamarić, *Portable inter-workgroup
//! barrier synchronisation for GPUs*, OOPSLA 2016 (the occupancy-bound model); Sorensen, Evrard,
//! Donaldson, *GPU schedulers: how fair is fair enough?*, CONCUR 2018 (progress models as
//! conditions of weak fairness). Deviation: they guarantee progress to each thread *or* to each
//! work-group by model; here protection is by thread throughout.

mod agents;
mod compiled;
mod components;
mod graph;
mod guarantee;
mod idle;
pub(crate) mod lasso;
mod recurrence;
mod round_robin;
mod search;
mod settle;
mod termination;
mod unfold;
mod walk;

pub use compiled::judge as judge_compiled;
pub use graph::{Edge, Graph, Node};
pub(crate) use guarantee::{Claims, Guarantee, agents_of};
pub(crate) use idle::Idle;
pub(crate) use recurrence::{Flow, Flows, applies as recurrence_applies, is_cycle};
pub use search::{judge, judge_on_the_reference, judge_step_by_step, quick_look};
pub use termination::{Termination, TerminationSearch};
pub use walk::covering_walk;
