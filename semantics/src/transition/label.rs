//! Labels of transitions.

use super::access::Access;
use super::actor::Actor;
use super::fault::Fault;
use super::rule::Rule;
use crate::algebra::operator::OpId;
use serde::{Deserialize, Serialize};

/// Label of a transition: the rule, who fired, where, what was touched, and the fault it ended
/// in, if it did.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    /// The rule that fired.
    pub rule: Rule,
    /// In ascending order. For `CollectiveBarrier`, `WarpBarrier` and `WarpExchange`: the
    /// participants.
    pub actors: Vec<Actor>,
    /// The operator it was applied to; of several that fire different ones, the first.
    pub op: Option<OpId>,
    /// In the order in which they were made, actor after actor.
    pub accesses: Vec<Access>,
    /// The fault that ended the transition and the run.
    pub fault: Option<Fault>,
}

impl Label {
    /// Whether the transition counts in a schedule: it touches memory that others could reach,
    /// synchronises, starts or ends a launch or a thread, or faults. Copies between host and
    /// device carry no accesses, since nothing else moves meanwhile, so they do not count.
    pub fn is_visible(&self) -> bool {
        self.rule.synchronises() || !self.accesses.is_empty() || self.fault.is_some()
    }
}
