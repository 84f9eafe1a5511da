//! The result of a comparison.

use crate::explore::{Exploration, Outcome};
use crate::verdict::Reason;
use crate::witness::ScheduleStep;
use gridlock_semantics::value::Value;
use std::collections::BTreeMap;

/// The outcomes of one side over the schedules tried, each with a schedule that leads to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeSet {
    pub outcomes: BTreeMap<Outcome, Vec<ScheduleStep>>,
    /// No schedule was left out.
    pub complete: bool,
    /// A race, a deadlock or another defect was found on this side.
    pub defective: bool,
}

impl From<&Exploration> for OutcomeSet {
    fn from(exploration: &Exploration) -> OutcomeSet {
        OutcomeSet {
            outcomes: exploration.outcomes.clone(),
            complete: exploration.complete,
            defective: !exploration.findings.is_empty(),
        }
    }
}

/// An outcome of one side that the other side does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What the new side does.
    pub new: Outcome,
    pub new_schedule: Vec<ScheduleStep>,
    /// The outcome of the old side that comes closest.
    pub old: Option<Outcome>,
    pub old_schedule: Vec<ScheduleStep>,
    /// The relation of the map that fails, `out[3] == old.out[3]`; empty when the sides end in
    /// different ways.
    pub relation: String,
    /// Array and index of the new side, where cells differ.
    pub array: Option<String>,
    pub index: Option<i64>,
    /// Both values, where cells differ; `None` for an element that side does not have.
    pub new_value: Option<Value>,
    pub old_value: Option<Value>,
    /// One sentence.
    pub message: String,
}

/// How two sides compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same outcomes on both sides.
    Equivalent,
    /// Everything the new side does the old side may do, but not the other way round.
    Refines { missing: Box<Difference> },
    /// The new side does something the old side never does.
    Different(Box<Difference>),
    /// Nothing can be said.
    Unknown { reason: Reason, why: String },
}
