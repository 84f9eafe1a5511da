//! What is judged, and a judgement of nothing yet.

use crate::input::request::Request;
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use crate::subject::taken::of_the_machine;
use gridlock_checker::finding::Statistics;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// An entry with its launch and its inputs, as far as they are given.
#[derive(Clone, Copy)]
pub(super) struct Judged<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// Its place in the report.
    pub subject: usize,
    pub prepared: &'a Prepared,
    pub point: &'a EntryPoint,
    pub request: &'a Request,
    pub device: Option<&'a DeviceLimits>,
}

/// A judgement of nothing yet.
pub fn empty_judgement(request: &Request) -> Judgement {
    Judgement {
        profile: request.profile.clone(),
        subjects: Vec::new(),
        verdict: Verdict::Proved,
        reason: None,
        assurance: None,
        modulo: None,
        tolerance: None,
        largest_difference: None,
        properties: Vec::new(),
        defects: Vec::new(),
        assumptions: of_the_machine(&request.profile),
        conditions: Vec::new(),
        remarks: Statements::default(),
        not_judged: Statements::default(),
        limits_hit: Vec::new(),
        statistics: Statistics::default(),
    }
}

/// Adds what was found of other subjects.
pub(super) fn append(all: &mut Judgement, others: Judgement) {
    let offset = all.subjects.len();
    all.subjects.extend(others.subjects);
    for mut property in others.properties {
        property.subject += offset;
        all.properties.push(property);
    }
    for mut defect in others.defects {
        defect.subject += offset;
        all.defects.push(defect);
    }
    for mut condition in others.conditions {
        condition.subject += offset;
        condition.defect.subject += offset;
        all.conditions.push(condition);
    }
    for mut open in others.not_judged {
        open.subject += offset;
        all.not_judged.note(open);
    }
    all.assumptions.extend(others.assumptions);
    all.remarks.extend(others.remarks);
    all.limits_hit.extend(others.limits_hit);
    all.statistics += others.statistics;
}
