//! A finding that a replay on the reference has shown.

use crate::finding::ScheduleStep;
use crate::progress::lasso::Circling;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::system::Leak;
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::fault::{Fault, ThreadPosition};

/// What the reference did when it followed the schedule of a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    /// The schedule, minimised: fewer threads, fewer context switches.
    pub schedule: Vec<ScheduleStep>,
    /// The two accesses, when the finding is a race; the first one first.
    pub race: Option<(Access, Access)>,
    /// The memory the race is in, and the name of the array.
    pub space: Option<Space>,
    /// Name of the array; see [`Confirmed::space`].
    pub array: Option<String>,
    /// The fault, when the finding is one.
    pub fault: Option<Fault>,
    /// What was never given back, when the finding is that.
    pub leak: Option<Leak>,
    /// Where every thread stands, when the finding is a deadlock or a divergence: after all who
    /// could still move have come as far as they can.
    pub positions: Vec<ThreadPosition>,
    /// The cycle, when the finding is a livelock.
    pub livelock: Option<LivelockCycle>,
    /// The launch in progress at the end.
    pub launch: Option<Launch>,
}

/// A cycle that the progress guarantee allows.
#[derive(Clone, Debug, PartialEq)]
pub struct LivelockCycle {
    /// Every transition of it.
    pub cycle: Vec<ScheduleStep>,
    /// Transitions before it.
    pub n_before: usize,
    /// What each agent does in it.
    pub agents: Vec<Circling>,
    /// Whether some schedule could still end the run from there, where that is known.
    pub can_end: Option<bool>,
}
