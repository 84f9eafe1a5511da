//! Transition systems (paper 2, section 2.2): `(S, S₀, d)` with labelled transitions, and the parts of labels: the
//! actors ([`Actor`]), the rule ([`Rule`]), the accesses ([`Access`]), the fault that ended the run. Every side
//! condition of a rule has a name too ([`premise`]).

mod access;
mod actor;
mod advance;
#[cfg(feature = "coverage")]
pub mod coverage;
pub mod decision;
mod end;
pub mod fault;
mod label;
pub mod premise;
mod rule;

pub use access::{Access, AccessMode};
pub use actor::Actor;
pub use advance::{Advance, Going};
pub use end::End;
pub use label::Label;
pub use rule::Rule;

use std::hash::Hash;

/// A labelled transition system.
pub trait TransitionSystem {
    /// A configuration.
    type State: Clone + Eq + Hash + Send + Sync;

    /// `S₀`: several where the profile leaves open how a launch begins.
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
