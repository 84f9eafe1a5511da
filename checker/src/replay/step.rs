//! One step of a replay, to be printed.

use crate::report::explanation::Explanation;
use crate::report::site::Site;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::transition::{Access, Actor, Rule};
use serde::{Deserialize, Serialize};

/// An access with what the cell held before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSeen {
    /// Who reached which cell, and how.
    pub access: Access,
    /// The array's name in the program.
    pub name: String,
    /// The place as the source writes it: `s[1][0]`, `s[0].y`. The access has the number of the cell.
    #[serde(default)]
    pub element: String,
    /// `None` where the place is outside of the array.
    pub old: Option<Value>,
    /// `None` where the place is outside of the array.
    pub new: Option<Value>,
}

/// A private variable that was given a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigned {
    /// Whose variable it is.
    pub actor: Actor,
    /// The variable, by its name in the program.
    pub name: String,
    /// What it got, printed.
    pub value: String,
}

/// One transition of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayStep {
    /// Who moved; several when they fired together.
    pub actors: Vec<Actor>,
    /// The rule of the semantics that it applies.
    pub rule: Rule,
    /// The operator it executes; `None` where it executes none.
    pub op: Option<OpId>,
    /// Where, and which thread; absent for steps of a whole block or of the device.
    pub site: Option<Site>,
    /// What it read and wrote, in order.
    pub accesses: Vec<AccessSeen>,
    /// Variables that got a value; in an actor's first step also those it began with.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub assigned: Vec<Assigned>,
    /// The step in words, with the program's own names.
    pub text: String,
    /// It counts in the schedule (see [`crate::finding::ScheduleStep`]).
    pub visible: bool,
}

/// A witness followed to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Each transition, in order.
    pub steps: Vec<ReplayStep>,
    /// Of a livelock: the number of the step (from 0) from which on the steps repeat.
    pub cycle_from: Option<usize>,
    /// Steps of the schedule before the first of them, which lead there and are not listed.
    pub led: u64,
    /// The defect showed again.
    pub reproduced: bool,
    /// What showed, or what happened instead.
    pub conclusion: String,
    /// The numbers of the steps (from 0) that make the defect: both accesses of a race, the step
    /// that faults, the last one before no actor can move.
    pub conflict: Vec<usize>,
    /// How it came about, where the defect showed again.
    pub explanation: Option<Explanation>,
}
