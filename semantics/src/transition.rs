//! Transition systems (paper 2, section 2.2): `(S, S₀, d)` with labelled transitions. Each layer
//! of the tower implements [`TransitionSystem`].

use crate::fault::{AccessMode, Fault};
use crate::operator::OpId;
use crate::value::ArrayRef;
use serde::{Deserialize, Serialize};
use std::hash::Hash;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Actor {
    /// The CPU thread.
    Host,
    /// A branch of `PAR`: the branches of thread *n* are 2*n* and 2*n* + 1, [`Actor::Host`] being 1.
    HostThread(u32),
    /// A device thread by linear block number and linear thread number inside the block.
    Thread { block: u32, thread: u32 },
    /// A whole block (a collective barrier).
    Block(u32),
    /// The whole device (start and end of a launch).
    Device,
    /// The stream with this handle: its oldest operation.
    Stream(u32),
    /// The legacy default stream of a device: its oldest operation.
    DefaultStream(u32),
    /// The default stream of a device that is the host thread's own: its oldest operation.
    PerThreadStream(u32),
}

closed! {
    /// The rules that label transitions. One name per rule everywhere: code, docs, traces, coverage.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Rule {
        /// Basic operator.
        R1,
        /// Branch.
        R2,
        /// Loop.
        R3,
        /// Call.
        R4,
        /// Return from a procedure.
        R5,
        /// Arrival at a barrier.
        R6,
        /// Departure from a barrier.
        R7,
        /// `call_gpu` starts a launch.
        R8,
        /// A finished launch returns to the host.
        R9,
        /// A kernel's explicit `return`.
        R10,
        /// Several threads fire one operator; results are merged.
        Merge,
        /// All threads still demanded leave a barrier in one step.
        CollectiveBarrier,
        /// `__syncwarp(mask)` orders its threads.
        WarpBarrier,
        /// Lanes of a warp exchange values, or learn which of them act together. Orders no memory.
        WarpExchange,
        /// A thread arrives at a named barrier, or its end is what others wait for there.
        NamedBarrier,
        /// All threads of a cooperative launch leave the barrier of the grid in one step.
        GridBarrier,
        /// The host enqueues, waits, or frees what operations may use; or an operation of a
        /// stream runs ([`crate::asynchronous`]).
        StreamOperation,
        /// `PAR`: its branches begin ([`crate::host_threads`]).
        Fork,
        /// `PAR`: both branches have ended.
        Join,
    }
}

/// One access to memory that other threads could reach, at one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    pub actor: Actor,
    pub array: ArrayRef,
    /// In elements.
    pub index: i64,
    pub mode: AccessMode,
    pub op: OpId,
}

/// Label of a transition: the rule, who fired, where, what was touched, and the fault it ended
/// in, if it did.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    pub rule: Rule,
    /// In ascending order. For `CollectiveBarrier`, `WarpBarrier` and `WarpExchange`: the
    /// participants.
    pub actors: Vec<Actor>,
    pub op: Option<OpId>,
    pub accesses: Vec<Access>,
    pub fault: Option<Fault>,
}

impl Label {
    /// Whether the transition counts in a schedule: it touches memory that others could reach,
    /// synchronises, starts or ends a launch or a thread, or faults. Copies between host and
    /// device carry no accesses, since nothing else moves meanwhile, so they do not count.
    pub fn is_visible(&self) -> bool {
        let synchronises = matches!(
            self.rule,
            Rule::R6
                | Rule::R7
                | Rule::R8
                | Rule::R9
                | Rule::R10
                | Rule::CollectiveBarrier
                | Rule::WarpBarrier
                | Rule::WarpExchange
                | Rule::NamedBarrier
                | Rule::GridBarrier
                | Rule::StreamOperation
                | Rule::Fork
                | Rule::Join
        );
        synchronises || !self.accesses.is_empty() || self.fault.is_some()
    }
}

/// A labelled transition system.
pub trait TransitionSystem {
    type State: Clone + Eq + Hash + Send + Sync;

    fn initial(&self) -> Vec<Self::State>;

    /// Appends every labelled transition out of `state`. A transition whose label carries a
    /// fault leads to a state without successors.
    fn successors(&self, state: &Self::State, found: &mut Vec<(Label, Self::State)>);

    /// Whether the run may end here. A state that is not final, has no successors and did not
    /// end in a fault is a deadlock.
    fn is_final(&self, state: &Self::State) -> bool;

    /// Whether the run does not count because an assumption failed. Such a state has no
    /// successors; it is neither an outcome nor a deadlock.
    fn is_discarded(&self, _state: &Self::State) -> bool {
        false
    }
}
